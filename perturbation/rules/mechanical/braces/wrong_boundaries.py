"""Rewrites that miss a boundary: one place off, or a check left out (ceiling 2)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.conditions import (
    COMPARISONS,
    If,
    as_if,
    comparison,
    leaves,
    operands,
    operator,
)
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import removed, stands_alone
from perturbation.rules.mechanical.syntax.tree import Node, Tree

INDEXED = frozenset({"subscript_expression", "index_expression", "array_access", "slice_expression"})
POSITIONAL = frozenset({"get", "charAt", "substring", "substr", "slice", "at", "nth", "charCodeAt", "subList"})
NUMBER = re.compile(r"\d+")
PLAIN = frozenset({"identifier", "field_expression", "member_expression"})


def _off_by_one(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The ends of counting loops and ranges, indices and positions one too far or one too short."""
    for bound in _bounds(tree):
        yield from _shifted(tree, bound)


def _bounds(tree: Tree) -> list[Node]:
    found: dict[int, Node] = {}
    for node in tree.root.walk():
        for bound in (*_loop_bounds(tree, node), *_positions(tree, node)):
            found.setdefault(bound.start, bound)
    return [found[start] for start in sorted(found)]


def _loop_bounds(tree: Tree, node: Node) -> list[Node]:
    if node.kind == "range_expression":
        return [child for child in node.named if child.kind != ".."]
    if node.kind not in tree.dialect.for_classic:
        return []
    condition = node.field("condition")
    parts = comparison(tree, condition) if condition is not None else None
    return [parts[2]] if parts is not None else []


def _positions(tree: Tree, node: Node) -> list[Node]:
    if node.kind in INDEXED:
        inner = [child for child in node.named[1:] if child.kind != "range_expression"]
        return [part for child in inner for part in (child.named if "argument_list" in child.kind else [child])]
    if node.kind in tree.dialect.calls:
        named, arguments = node.field("name") or node.field("function"), node.field("arguments")
        called = re.split(r"\W+", named.text)[-1] if named is not None else ""
        if called in POSITIONAL and arguments is not None and named is not None:
            return list(arguments.named)
    return []


def _shifted(tree: Tree, bound: Node) -> Iterator[Site]:
    """x + 1 -> x, x - 1 -> x, n -> n + 1 or n - 1, 0 -> 1. Nothing for what may be a key."""
    sides = operands(tree, bound)
    if sides is not None and operator(bound) in ("+", "-"):
        if sides[1].text == "1":
            yield (bound.replaced(sides[0].text),)
        elif operator(bound) == "-":
            yield (Edit(bound.end, bound.end, " - 1"),)
    elif NUMBER.fullmatch(bound.text):
        yield (bound.replaced(str(int(bound.text) + 1)),)
    elif bound.kind in PLAIN | tree.dialect.calls:
        yield from ((Edit(bound.end, bound.end, f" {change}"),) for change in ("- 1", "+ 1"))


def _missing_checks(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A guard clause at the start of a function or of a loop's turn is gone; or the guarding half of a condition."""
    for holder in tree.find(*tree.dialect.functions, *tree.dialect.loops):
        block = tree.body(holder)
        for guard in leading_guards(tree, block) if block is not None else ():
            if stands_alone(tree, guard.statement):
                yield (removed(tree, guard.statement),)
    for node in tree.find(tree.dialect.binary):
        sides = operands(tree, node)
        if operator(node) in ("&&", "and") and sides is not None and _asks_for_bound(tree, sides[0]):
            yield (Edit(node.start, sides[1].start, ""),)


def leading_guards(tree: Tree, block: Node) -> list[If]:
    """The guard clauses before the work of a block begins: an if without else that leaves, in one or two steps."""
    found = []
    statements = tree.statements(block)
    for statement in statements[:-1]:
        choice = as_if(tree, statement)
        if choice is not None and is_guard(tree, choice):
            found.append(choice)
        elif tree.core(statement).kind not in tree.dialect.local | tree.dialect.calls:
            break
    return found


def is_guard(tree: Tree, choice: If) -> bool:
    inside = tree.statements(choice.then)
    return choice.other is None and 0 < len(inside) <= 2 and leaves(tree, inside[-1])


def _asks_for_bound(tree: Tree, node: Node) -> bool:
    """Comparisons with nothing, with 0 or with a length."""
    sides = operands(tree, node)
    if sides is None or operator(node) not in COMPARISONS:
        return False
    return any(re.search(r"^0$|^null|^nil$|len\(|size\(|length", side.text) for side in sides)


REWRITES: Mapping[str, BraceRule] = {
    "off-by-one": BraceRule(_off_by_one),
    "missing-boundary-check": BraceRule(_missing_checks),
}
