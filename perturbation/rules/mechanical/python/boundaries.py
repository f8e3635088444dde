"""Rewrites that miss a boundary: one place off, or a check left out (ceiling 2)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import kind, simple_kind
from perturbation.rules.mechanical.python.scopes import enclosing_function
from perturbation.rules.mechanical.python.tree import (
    Edit,
    Site,
    Tree,
    code_body,
    own_nodes,
    rewrite,
)
from perturbation.rules.source import Rewrite


def _off_by_one(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Ends of ranges, slices and indices one too far or one too short."""
    for node in tree.nodes(ast.Call, ast.Subscript):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "islice"):
            for argument in node.args[:2]:
                yield from _shifted(tree, argument)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            parts = [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else [node.slice]
            for part in parts:
                if part is not None and not isinstance(part, ast.Tuple) and not _is_key(tree, part):
                    yield from _shifted(tree, part)


def _is_key(tree: Tree, index: ast.expr) -> bool:
    """Whether an index may be the key of a mapping: only numbers and sums with numbers are taken for positions."""
    if isinstance(index, ast.BinOp):
        return not any(simple_kind(side) == "int" for side in (index.left, index.right))
    in_slice = isinstance(tree.parent(index), ast.Slice)
    return kind(index, enclosing_function(tree, index)) != "int" and not in_slice


def _shifted(tree: Tree, bound: ast.expr) -> Iterator[Site]:
    """x + 1 -> x, x - 1 -> x, n -> n + 1 or n - 1, 0 -> 1."""
    if isinstance(bound, ast.BinOp) and isinstance(bound.op, ast.Add | ast.Sub) and tree.code(bound.right) == "1":
        yield (tree.replace(bound, tree.code(bound.left)),)
        return
    if isinstance(bound, ast.Constant):
        if type(bound.value) is int:
            yield (tree.replace(bound, str(bound.value + 1)),)
        return
    if isinstance(bound, ast.UnaryOp):
        if isinstance(bound.operand, ast.Constant) and type(bound.operand.value) is int:
            yield (tree.replace(bound, str(-bound.operand.value - 1)),)
        return
    loose = not isinstance(bound, ast.IfExp | ast.BoolOp | ast.Compare | ast.Starred | ast.Lambda)
    for change in ("- 1", "+ 1") if loose else ():
        yield (Edit(tree.span(bound)[1], tree.span(bound)[1], f" {change}"),)


def _missing_checks(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A guard clause at the start of a function or of a loop's turn is gone; or the guarding half of a condition."""
    for function in tree.functions():
        loops = [node.body for node in own_nodes(function) if isinstance(node, ast.For | ast.While)]
        for block in [code_body(function), *loops]:
            for node in _leading_guards(block):
                gap = tree.gap(node)
                if gap:
                    yield (gap,)
    for test in tree.nodes(ast.BoolOp):
        first = test.values[0]
        protects = isinstance(first, ast.Name) or (isinstance(first, ast.Compare) and _asks_for_bound(first))
        if isinstance(test.op, ast.And) and protects:
            yield (tree.replace(test, tree.text[tree.span(test.values[1])[0] : tree.span(test)[1]]),)


def _leading_guards(block: list[ast.stmt]) -> Iterator[ast.If]:
    """Guards before the work of a block begins; not those that are all the work there is."""
    for position, node in enumerate(block[:-1]):
        if isinstance(node, ast.If) and not node.orelse and len(node.body) <= 2:
            leaves = isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue)
            last = (
                position == len(block) - 2
                and isinstance(block[-1], ast.Return)
                and isinstance(block[-1].value, ast.Constant)
            )
            if leaves and not last:
                yield node
        elif not isinstance(
            node, ast.Assign | ast.AnnAssign | ast.Expr | ast.Import | ast.ImportFrom | ast.FunctionDef
        ):
            return


def _asks_for_bound(test: ast.Compare) -> bool:
    """Comparisons with None, with 0 or with a length."""
    sides = [test.left, *test.comparators]
    plain = any(isinstance(side, ast.Constant) and side.value in (None, 0) for side in sides)
    return plain or any(isinstance(side, ast.Call) and getattr(side.func, "id", "") == "len" for side in sides)


REWRITES: Mapping[str, Rewrite] = {
    "off-by-one": rewrite(_off_by_one),
    "missing-boundary-check": rewrite(_missing_checks),
}
