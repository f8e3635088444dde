"""Keeps Go programs free of what its compiler refuses: variables and imports that an edit leaves unused."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import insert_after, row_end, row_start
from perturbation.rules.mechanical.syntax.rewriting import Sites
from perturbation.rules.mechanical.syntax.scopes import outermost_functions
from perturbation.rules.mechanical.syntax.tree import Node, Tree

TARGET = re.compile(r"^[ \t]*\w+(, *\w+)* *[-+*/%]?:?=(?!=)", re.MULTILINE)
DECLARING = ("short_var_declaration", "var_spec", "range_clause")


@dataclass(frozen=True)
class Settled:
    """The sites of a rule, each with the edits that Go needs besides; other languages need none."""

    sites: Sites

    def __call__(self, tree: Tree, rng: random.Random) -> Iterator[Site]:
        for site in self.sites(tree, rng):
            yield (*site, *_settling(tree, site)) if site and tree.dialect.id == "go" else site


def _settling(tree: Tree, site: Site) -> list[Edit]:
    written = frozenset(re.findall(r"\w+", TARGET.sub("", "\n".join(edit.text for edit in site))))
    found = [*_unused_imports(tree, site, written)]
    for function in outermost_functions(tree):
        if any(function.start <= edit.start < function.end for edit in site):
            found += _unused_variables(tree, function, site, written)
    return found


def _is_gone(node: Node, site: Sequence[Edit]) -> bool:
    return any(edit.start <= node.start and node.end <= edit.end for edit in site)


def _unused_imports(tree: Tree, site: Site, written: frozenset[str]) -> Iterator[Edit]:
    for spec in tree.find("import_spec"):
        package = spec.text.strip('"').rsplit("/", maxsplit=1)[-1]
        uses = [node for node in tree.find("selector_expression", "qualified_type") if node.named[0].text == package]
        left = [node for node in uses if not _is_gone(node, site)]
        if uses and not left and package not in written | tree.protected:
            yield Edit(row_start(tree.text, spec.start), row_end(tree.text, spec.end), "")


def _unused_variables(tree: Tree, function: Node, site: Site, written: frozenset[str]) -> Iterator[Edit]:
    for declaration in function.find(*DECLARING):
        target = declaration.field("left") or declaration.field("name")
        if target is None or _is_gone(declaration, site):
            continue
        for name in [target] if target.kind == "identifier" else target.named:
            reads = [node for node in _reads(function, name.text) if not _is_gone(node, site)]
            if name.text == "_" or reads or name.text in written or not _reads(function, name.text):
                continue
            if declaration.kind == "range_clause":
                yield name.replaced("_")
            elif declaration.parent is not None and declaration.parent.kind == "statement_list":
                yield insert_after(tree, declaration, [f"_ = {name.text}"])


def _reads(function: Node, name: str) -> list[Node]:
    """Where a variable's value is used: not where it is declared, assigned or counted up."""
    return [node for node in function.find("identifier") if node.text == name and not _is_target(node)]


def _is_target(node: Node) -> bool:
    parent = node.parent
    if parent is None or parent.kind in ("var_spec", "inc_statement", "dec_statement"):
        return parent is not None and (parent.kind != "var_spec" or node.is_field("name"))
    above = parent.parent
    kinds = ("short_var_declaration", "assignment_statement", "range_clause")
    return above is not None and parent.kind == "expression_list" and above.kind in kinds and parent.is_field("left")
