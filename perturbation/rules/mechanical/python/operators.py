"""Rewrites that put a wrong operator in one place (ceiling 2)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import negated, simple_kind
from perturbation.rules.mechanical.python.tree import (
    Edit,
    Site,
    Tree,
    rewrite,
)
from perturbation.rules.source import Rewrite

STRICTNESS: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
}  # fmt: skip


DIRECTION: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", ">"), ast.LtE: ("<=", ">="), ast.Gt: (">", "<"), ast.GtE: (">=", "<="),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip


ARITHMETIC: Mapping[type[ast.operator], tuple[str, tuple[str, ...]]] = {
    ast.Add: ("+", ("-",)), ast.Sub: ("-", ("+",)), ast.Mult: ("*", ("+", "**")), ast.Div: ("/", ("*",)),
    ast.FloorDiv: ("//", ("%", "*")), ast.Mod: ("%", ("//",)), ast.Pow: ("**", ("*",)),
}  # fmt: skip


def _between(tree: Tree, left: ast.expr, right: ast.expr, old: str, new: str) -> Site:
    """The edit that replaces the operator between two operands."""
    start, end = tree.span(left)[1], tree.span(right)[0]
    at = tree.text.find(old, start, end)
    return (Edit(at, at + len(old), new),) if at >= 0 else ()


def _comparison_sites(tree: Tree, table: Mapping[type[ast.cmpop], tuple[str, str]]) -> Iterator[Site]:
    for node in tree.nodes(ast.Compare):
        operands = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if type(operator) in table and not _is_main_guard(node):
                yield _between(tree, left, right, *table[type(operator)])


def _is_main_guard(node: ast.Compare) -> bool:
    return isinstance(node.left, ast.Name) and node.left.id == "__name__"


def _wrong_boundaries(tree: Tree, rng: random.Random) -> Iterator[Site]:
    yield from _comparison_sites(tree, STRICTNESS)


def _wrong_directions(tree: Tree, rng: random.Random) -> Iterator[Site]:
    yield from _comparison_sites(tree, DIRECTION)


def _wrong_arithmetic(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.nodes(ast.BinOp, ast.AugAssign):
        if type(node.op) not in ARITHMETIC:
            continue
        old, options = ARITHMETIC[type(node.op)]
        if isinstance(node, ast.BinOp):
            textual = {simple_kind(node.left), simple_kind(node.right)} & {"str", "list", "tuple"}
            for new in () if textual else options:
                yield _between(tree, node.left, node.right, old, new)
        elif simple_kind(node.value) not in ("str", "list"):
            for new in options:
                yield _between(tree, node.target, node.value, f"{old}=", f"{new}=")


def _wrong_logic(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """and <-> or, a lost not, one lost operand."""
    for node in tree.nodes(ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield _between(tree, left, right, old, new)
        for lost in range(len(node.values)):
            kept = [value for place, value in enumerate(node.values) if place != lost]
            yield (tree.replace(node, f" {old} ".join(tree.code(value) for value in kept)),)
    for negation in tree.nodes(ast.UnaryOp):
        if isinstance(negation.op, ast.Not):
            yield (tree.replace(negation, tree.code(negation.operand)),)
    for choice in tree.nodes(ast.If, ast.While, ast.IfExp):
        if isinstance(choice.test, ast.Call | ast.Name | ast.Attribute):
            yield (tree.replace(choice.test, negated(tree, choice.test)),)


def _integer_division(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.nodes(ast.BinOp, ast.AugAssign):
        if isinstance(node.op, ast.Div | ast.FloorDiv):
            old, new = ("/", "//") if isinstance(node.op, ast.Div) else ("//", "/")
            left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
            yield _between(tree, left, right, old, new)


REWRITES: Mapping[str, Rewrite] = {
    "wrong-boundary-comparison": rewrite(_wrong_boundaries),
    "wrong-comparison-direction": rewrite(_wrong_directions),
    "wrong-arithmetic-operator": rewrite(_wrong_arithmetic),
    "wrong-logical-operator": rewrite(_wrong_logic),
    "integer-division": rewrite(_integer_division),
}
