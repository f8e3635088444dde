"""A text taken apart by hand, and wrongly (ceiling 1)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import hoist_target
from perturbation.rules.mechanical.python.scopes import enclosing_function, fresh
from perturbation.rules.mechanical.python.tree import STEP, Edit, Site, Tree, rewrite
from perturbation.rules.rows import rewritten_rows
from perturbation.rules.source import Rewrite


def _splits(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A scan over the characters in place of split or splitlines: the part after the last separator is lost, and so are
    blanks within a part, or parts that are empty.
    """
    for call in tree.nodes(ast.Call):
        test = _separator_test(tree, call)
        statement = hoist_target(tree, call) if test else None
        if statement is None or not isinstance(call.func, ast.Attribute) or enclosing_function(tree, call) is None:
            continue
        place = tree.block_span([statement])
        if place is not None and "\n" not in tree.code(call):
            parts = fresh(tree, ("pieces", "fields", "segments"))
            scan = _scan(tree, tree.code(call.func.value), str(test), parts)
            block = "".join(f"{tree.indent(statement)}{row}\n" for row in scan)
            yield (Edit(place[0], place[0], block), tree.replace(call, parts))


def _separator_test(tree: Tree, call: ast.Call) -> str:
    """The test of one character that ends a part, with a place for its name; empty where the call splits otherwise."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method == "splitlines" and not call.args and not call.keywords:
        return '{} == "\\n"'
    if method != "split" or call.keywords or len(call.args) > 1:
        return ""
    if not call.args:
        return "{}.isspace()"
    separator = call.args[0]
    is_one = isinstance(separator, ast.Constant) and isinstance(separator.value, str) and len(separator.value) == 1
    return f"{{}} == {tree.code(separator).replace('{', '{{').replace('}', '}}')}" if is_one else ""


def _scan(tree: Tree, source: str, test: str, parts: str) -> list[str]:
    part, character = fresh(tree, ("piece", "field", "segment")), fresh(tree, ("character", "letter", "symbol"))
    return [
        f"{parts} = []",
        f'{part} = ""',
        f"for {character} in {source}:",
        f"{STEP}if {test.format(character)} and {part}:",
        f"{STEP}{STEP}{parts}.append({part})",
        f'{STEP}{STEP}{part} = ""',
        f"{STEP}elif not {character}.isspace():",
        f"{STEP}{STEP}{part} += {character}",
    ]


REWRITES: Mapping[str, Rewrite] = {"wrong-parsing": rewrite(_splits, rows=rewritten_rows)}
