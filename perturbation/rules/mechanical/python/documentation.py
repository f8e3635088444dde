"""Rewrites of docstrings, comments and type hints: in another good style, stale, or lost."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence

from perturbation.rules.mechanical.python.expressions import simple_kind
from perturbation.rules.mechanical.python.scopes import arguments_of, stored_names
from perturbation.rules.mechanical.python.tree import (
    Edit,
    FunctionNode,
    Site,
    Tree,
    blocks,
    code_body,
    docstring,
    own_nodes,
    rewrite,
    splice,
)
from perturbation.rules.source import Rewrite

HINTS = {"int": "int", "float": "float", "str": "str", "bool": "bool"}
TYPING_BUILTINS = {"List": "list", "Dict": "dict", "Set": "set", "Tuple": "tuple", "FrozenSet": "frozenset"}
LOOP_COMMENTS = (
    "Walk over the values from the last to the first",
    "The values are already sorted at this point",
    "Only every second value is needed here",
    "Skip the header, it was read above",
    "Stop as soon as the limit is reached",
)
TEST_COMMENTS = (
    "Negative numbers were filtered out by the caller",
    "This case can only occur on the first call",
    "Ignore upper and lower case here",
    "The cache is empty at this point",
)
RETURN_COMMENTS = (
    "Return the index of the first match",
    "Return None if nothing was found",
    "The caller sorts the values again",
    "Returns a pair of the value and its position",
)
ASSIGN_COMMENTS = (
    "Counted from one, not from zero",
    "Keep the previous value for the next call",
    "Read from the configuration file",
    "Upper bound, refined below",
)


def _docstring_layouts(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Move the summary to the row of the opening quotes, or to the row below them."""
    for node in [tree.module, *tree.functions(), *tree.nodes(ast.ClassDef)]:
        text = docstring(node)
        if text is None or tree.rows(text) is None:
            continue
        code, indent = tree.code(text), tree.indent(text)
        match = re.match(r"([rR]?)(\"\"\"|''')(\s*)", code)
        if match is None:
            continue
        opening, inner = match.group(1) + match.group(2), code[match.end() : -3]
        if not inner.strip():
            continue
        if "\n" in match.group(3):
            yield (tree.replace(text, f"{opening}{inner}{match.group(2)}"),)
        elif "\n" in inner:
            yield (tree.replace(text, f"{opening}\n{indent}{inner}{match.group(2)}"),)
        else:
            yield (tree.replace(text, f"{opening}\n{indent}{inner.rstrip()}\n{indent}{match.group(2)}"),)


def _annotated_locals(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """total = 0  ->  total: int = 0, at the first binding of each local of a function whose type is plain to see."""
    for function in tree.functions():
        declared = {
            name for node in own_nodes(function) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
        }
        declared |= {argument.arg for argument in arguments_of(function)}
        edits = []
        for name in stored_names(function):
            statement = _first_binding(function, name)
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and name not in declared:
                hint, end = _hint(statement.value), tree.span(statement.targets[0])[1]
                edits.extend([Edit(end, end, f": {hint}")] if hint else [])
        yield tuple(edits)


def _first_binding(function: FunctionNode, name: str) -> ast.stmt | None:
    for node in own_nodes(function):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            owners = [item for item in own_nodes(function) if isinstance(item, ast.Assign | ast.AnnAssign)]
            for item in owners:
                targets = item.targets if isinstance(item, ast.Assign) else [item.target]
                if targets[0] is node:
                    return item
            return None
    return None


def _hint(value: ast.expr) -> str | None:
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    found = simple_kind(value)
    if isinstance(value, ast.List) and value.elts:
        kinds = {simple_kind(item) for item in value.elts}
        inner = kinds.pop()
        return f"list[{inner}]" if not kinds and inner in HINTS else None
    return HINTS.get(found or "")


def _modern_hints(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """typing.List[int] -> list[int], Optional[int] -> int | None, for the whole program; unneeded imports go."""
    imports = [node for node in tree.module.body if isinstance(node, ast.ImportFrom) and node.module == "typing"]
    if len(imports) != 1 or any(item.asname for item in imports[0].names):
        return
    edits = [edit for annotation in _annotations(tree) for edit in _modern_edits(tree, annotation)]
    span = tree.block_span([imports[0]])
    if not edits or span is None:
        return
    left = _names_used(splice(tree.text, edits))
    kept = [item.name for item in imports[0].names if item.name in left or item.name not in _names_used(tree.text)]
    line = f"from typing import {', '.join(kept)}\n" if kept else ""
    blank = _blank_rows_after(tree, span[1]) if not kept and span[0] == 0 else 0
    yield (*edits, Edit(span[0], span[1] + blank, line))


def _names_used(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def _annotations(tree: Tree) -> list[ast.expr]:
    found: list[ast.expr] = []
    for node in ast.walk(tree.module):
        for field in ("annotation", "returns"):
            value = getattr(node, field, None)
            if isinstance(value, ast.expr):
                found.append(value)
    return found


def _modern_edits(tree: Tree, annotation: ast.expr) -> Iterator[Edit]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name) and node.id in TYPING_BUILTINS:
            yield tree.replace(node, TYPING_BUILTINS[node.id])
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Optional":
            (start, end), inner = tree.span(node), tree.span(node.slice)
            yield Edit(start, inner[0], "")
            yield Edit(inner[1], end, " | None")


def _blank_rows_after(tree: Tree, offset: int) -> int:
    return len(tree.text[offset:]) - len(tree.text[offset:].lstrip("\r\n"))


def _lost_docstrings(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in [*tree.functions(), *tree.nodes(ast.ClassDef)]:
        text = docstring(node)
        span = tree.block_span([text]) if text else None
        body = getattr(node, "body", [])
        if span and len(body) > 1:
            rows = tree.rows(body[1])
            blank = _blank_rows_after(tree, span[1]) if rows else 0
            yield (Edit(span[0], span[1] + blank, ""),)


def _lost_hints(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """All type hints of one function's signature."""
    for function in tree.functions():
        edits = []
        for argument in arguments_of(function):
            if argument.annotation is not None:
                start = tree.span(argument)[0] + len(argument.arg)
                edits.append(Edit(start, tree.span(argument.annotation)[1], ""))
        if function.returns is not None:
            end = tree.span(function.returns)[1]
            arrow = tree.text.rfind("->", 0, tree.span(function.returns)[0])
            begin = len(tree.text[:arrow].rstrip())
            edits.append(Edit(begin, end, ""))
        yield tuple(edits)


def _stale_comments(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for function in tree.functions():
        for statement in (item for block in blocks(function) for item in block):
            rows = tree.rows(statement)
            text = _stale_text(tree, statement, rng)
            if (
                rows
                and text
                and docstring(function) is not statement
                and tree.code(statement)[:4] not in ("elif", "else")
            ):
                start = tree.row_span(rows[0], rows[0])[0]
                yield (Edit(start, start, f"{tree.indent(statement)}# {text}\n"),)


def _stale_text(tree: Tree, statement: ast.stmt, rng: random.Random) -> str | None:
    options: Sequence[str] = ()
    if isinstance(statement, ast.For | ast.While):
        options = LOOP_COMMENTS
    elif isinstance(statement, ast.If):
        options = TEST_COMMENTS
    elif isinstance(statement, ast.Return) and statement.value is not None:
        options = RETURN_COMMENTS
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        options = ASSIGN_COMMENTS
    unused = [text for text in options if text not in tree.text]
    return rng.choice(unused) if unused else None


def _commented_out_code(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A commented copy of a block above it, or commented traces beside a statement."""
    for function in tree.functions():
        for statement in (item for block in [code_body(function), *blocks(function)] for item in block):
            span, indent = tree.block_span([statement]), tree.indent(statement)
            if span is None or statement is docstring(function) or tree.code(statement).startswith("elif"):
                continue
            if isinstance(statement, ast.Assign | ast.AugAssign) and isinstance(_target(statement), ast.Name):
                yield (
                    Edit(
                        span[1],
                        span[1],
                        f'{indent}# print("{tree.code(_target(statement))} =", {tree.code(_target(statement))})\n',
                    ),
                )
            elif isinstance(statement, ast.Return) and statement.value and "\n" not in tree.code(statement):
                yield (Edit(span[0], span[0], _traced(tree, statement.value, indent)),)
            elif isinstance(statement, ast.For | ast.While | ast.If):
                copy = tree.text[span[0] : span[1]].rstrip().splitlines()
                if len(copy) <= 6:
                    rows = "".join(f"{indent}# {row.removeprefix(indent)}\n" for row in copy if row.strip())
                    yield (Edit(span[0], span[0], rows),)


def _target(statement: ast.Assign | ast.AugAssign) -> ast.expr:
    return statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]


def _traced(tree: Tree, value: ast.expr, indent: str) -> str:
    code = tree.code(value)
    if isinstance(value, ast.Name | ast.Constant):
        return f"{indent}# print({code})\n"
    return f"{indent}# result = {code}\n{indent}# print(result)\n"


REWRITES: Mapping[str, Rewrite] = {
    "docstring-layout": rewrite(_docstring_layouts),
    "annotate-local": rewrite(_annotated_locals),
    "modern-type-hints": rewrite(_modern_hints),
    "lost-docstring": rewrite(_lost_docstrings),
    "lost-type-hints": rewrite(_lost_hints),
    "stale-comment": rewrite(_stale_comments),
    "commented-out-code": rewrite(_commented_out_code),
}
