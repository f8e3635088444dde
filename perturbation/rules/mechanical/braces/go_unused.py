"""Keeps Go programs free of what its compiler refuses: variables and imports that an edit leaves unused."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import insert_after, row_end, row_start, stands_alone
from perturbation.rules.mechanical.syntax.rewriting import Sites
from perturbation.rules.mechanical.syntax.scopes import outermost_functions
from perturbation.rules.mechanical.syntax.tree import Node, Tree

TARGET = re.compile(r"^[ \t]*\w+(, *\w+)* *[-+*/%]?:?=(?!=)", re.MULTILINE)
EFFECTS = re.compile(r"(?<!\blen)(?<!\bmake)\(|\bfunc\b|\n")
DECLARING = ("short_var_declaration", "var_spec", "range_clause")


@dataclass(frozen=True)
class Settled:
    """The sites of a rule, each with the edits that Go needs besides; other languages need none."""

    sites: Sites

    def __call__(self, tree: Tree, rng: random.Random) -> Iterator[Site]:
        for site in self.sites(tree, rng):
            yield (*site, *_settling(tree, site)) if site and tree.dialect.id == "go" else site


def _settling(tree: Tree, site: Site) -> list[Edit]:
    """What else has to change; a declaration that goes may leave others unused, so until nothing is left."""
    found: list[Edit] = []
    for function in outermost_functions(tree):
        if any(function.start <= edit.start < function.end for edit in site):
            more = _unused_variables(tree, function, site)
            while any(edit not in found for edit in more):
                found = more
                more = _unused_variables(tree, function, (*site, *(edit for edit in found if not edit.text)))
    return [*found, *_unused_imports(tree, (*site, *found))]


def _written(site: Sequence[Edit]) -> frozenset[str]:
    """The words of the new text that are more than targets of assignments."""
    return frozenset(re.findall(r"\w+", TARGET.sub("", "\n".join(edit.text for edit in site))))


def _is_gone(node: Node, site: Sequence[Edit]) -> bool:
    return any(edit.start <= node.start and node.end <= edit.end for edit in site)


def _unused_imports(tree: Tree, site: Site) -> Iterator[Edit]:
    for spec in tree.find("import_spec"):
        package = spec.text.strip('"').rsplit("/", maxsplit=1)[-1]
        uses = [node for node in tree.find("selector_expression", "qualified_type") if node.named[0].text == package]
        left = [node for node in uses if not _is_gone(node, site)]
        if uses and not left and package not in _written(site) | tree.protected:
            start, end = row_start(tree.text, spec.start), row_end(tree.text, spec.end)
            is_between_blanks = tree.text[:start].endswith("\n\n") and tree.text[end:].startswith("\n")
            yield Edit(start, end + is_between_blanks, "")


def _unused_variables(tree: Tree, function: Node, site: Site) -> list[Edit]:
    """For every variable without a use left: its declaration goes, or a blank use or name keeps the compiler calm."""
    found = []
    for declaration in function.find(*DECLARING):
        target = declaration.field("left") or declaration.field("name")
        if target is None or (_is_gone(declaration, site) and not _is_only_removed(declaration, site)):
            continue
        for name in [target] if target.kind == "identifier" else target.named:
            reads = _reads(function, name.text)
            if name.text == "_" or not reads or name.text in _written(site):
                continue
            if all(_is_gone(node, site) for node in reads):
                found += _calmed(tree, function, declaration, name, site)
    return found


def _is_only_removed(declaration: Node, site: Sequence[Edit]) -> bool:
    """Whether a declaration goes with an edit of its own, made here, and so is to be named again."""
    around = [edit for edit in site if edit.start <= declaration.start and declaration.end <= edit.end]
    return all(not edit.text and edit.end <= declaration.end + 1 for edit in around)


def _calmed(tree: Tree, function: Node, declaration: Node, name: Node, site: Site) -> list[Edit]:
    if declaration.kind == "range_clause":
        return _unnamed(declaration, name)
    if declaration.kind == "var_spec" and declaration.parent is not None:
        declaration = declaration.parent
    if declaration.parent is None or declaration.parent.kind != "statement_list":
        return []
    others = [node for node in function.find("identifier") if node.text == name.text and node is not name]
    value = declaration.field("right")
    is_plain = value is not None and not declaration.text.count(",") and not EFFECTS.search(value.text)
    is_set_again = any(re.search(rf"\b{re.escape(name.text)}\b", edit.text) for edit in site)
    if (
        is_plain
        and not is_set_again
        and stands_alone(tree, declaration)
        and all(_is_gone(node, site) for node in others)
    ):
        return [Edit(row_start(tree.text, declaration.start), row_end(tree.text, declaration.end), "")]
    return [insert_after(tree, declaration, [f"_ = {name.text}"])]


def _unnamed(clause: Node, name: Node) -> list[Edit]:
    """for i, x := range  ->  for _, x := range, and for range where no name is left."""
    left, keyword = clause.field("left"), next(child for child in clause.children if child.text == "range")
    others = [node.text for node in left.named if node is not name] if left is not None else []
    if left is not None and all(other == "_" for other in others):
        return [Edit(left.start, keyword.start, "")]
    return [name.replaced("_")]


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
