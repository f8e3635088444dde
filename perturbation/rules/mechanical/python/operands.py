"""Rewrites that use a wrong operand or variable, or lose a result (ceiling 2)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import kind, names_in, simple_kind
from perturbation.rules.mechanical.python.scopes import arguments_of, enclosing_function, stored_names
from perturbation.rules.mechanical.python.tree import (
    Edit,
    FunctionNode,
    Site,
    Tree,
    code_body,
    own_nodes,
    rewrite,
)
from perturbation.rules.source import Rewrite

ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def _swapped(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Two positional arguments, the operands of an ordered operation, or two indices, in the wrong order."""
    for node in tree.nodes(ast.Call, ast.BinOp, ast.Subscript):
        if isinstance(node, ast.Call):
            symmetric = getattr(node.func, "id", "") in (
                "max",
                "min",
                "zip",
                "gcd",
                "print",
                "isinstance",
                "map",
                "filter",
                "set",
            )
            for first, second in zip(node.args, node.args[1:], strict=False):
                if not symmetric and not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
                    yield _exchange(tree, first, second)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ORDERED) and not _is_symmetric(tree, node):
            yield _exchange(tree, node.left, node.right)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
            yield _exchange(tree, node.value.slice, node.slice)


def _is_symmetric(tree: Tree, node: ast.BinOp) -> bool:
    """Whether the order of the operands does not show: text formatting, and differences inside abs."""
    parent = tree.parent(node)
    return simple_kind(node.left) == "str" or (
        isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in ("abs", "fabs")
    )


def _exchange(tree: Tree, first: ast.expr, second: ast.expr) -> Site:
    one, two = tree.code(first), tree.code(second)
    left = f"({two})" if isinstance(second, ast.BinOp) else two
    right = f"({one})" if isinstance(first, ast.BinOp) else one
    return (tree.replace(first, left), tree.replace(second, right)) if one != two else ()


def _wrong_variables(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A name replaced by another variable of the same function that has a value at that place."""
    for function in tree.functions():
        given = [argument.arg for argument in arguments_of(function) if argument.arg not in ("self", "cls")]
        known = [*given, *(name for name in stored_names(function) if not _only_in_comprehension(tree, function, name))]
        for node in tree.nodes(ast.Name, within=function):
            if (
                not isinstance(node.ctx, ast.Load)
                or node.id not in known
                or enclosing_function(tree, node) is not function
            ):
                continue
            for other in known:
                if other != node.id and _may_stand_for(function, node, other, given):
                    yield (tree.replace(node, other),)


def _only_in_comprehension(tree: Tree, function: FunctionNode, name: str) -> bool:
    stores = [
        node
        for node in own_nodes(function)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    ]
    return all(any(isinstance(ancestor, ast.comprehension) for ancestor in tree.ancestors(node)) for node in stores)


def _may_stand_for(function: FunctionNode, node: ast.Name, other: str, given: list[str]) -> bool:
    """Whether the other name has a value before this use, and one of the same kind where both kinds are known."""
    kinds = {kind(node, function), kind(ast.Name(id=other), function)}
    if len(kinds) > 1 or (None in kinds and _binder(function, node.id) != _binder(function, other)):
        return False
    stores = [
        item
        for item in own_nodes(function)
        if isinstance(item, ast.Name) and item.id == other and isinstance(item.ctx, ast.Store)
    ]
    return other in given or any(item.lineno < node.lineno for item in stores)


def _binder(function: FunctionNode, name: str) -> str:
    """What gives a name its value first: a parameter, a loop (also in a comprehension) or an assignment."""
    if name in {argument.arg for argument in arguments_of(function)}:
        return "parameter"
    loops = [node.target for node in own_nodes(function) if isinstance(node, ast.For | ast.comprehension)]
    return "loop" if any(name in names_in(target) for target in loops) else "assignment"


def _dropped_results(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The return of the last statement is missing, or the result of a call that changes nothing is not used."""
    for function in tree.functions():
        last = function.body[-1]
        if isinstance(last, ast.Return) and last.value is not None:
            start = tree.span(last)[0]
            if isinstance(last.value, ast.Name | ast.Constant):
                row = tree.block_span([last])
                if row and len(code_body(function)) > 1:
                    yield (Edit(*row, ""),)
            else:
                yield (Edit(start, tree.span(last.value)[0], ""),)
        for node in own_nodes(function):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.targets) == 1:
                target, call = node.targets[0], node.value
                owner = (
                    call.func.value if isinstance(call.func, ast.Attribute) else (call.args[0] if call.args else None)
                )
                if isinstance(target, ast.Name) and isinstance(owner, ast.Name) and owner.id == target.id:
                    yield (Edit(tree.span(target)[0], tree.span(call)[0], ""),)


REWRITES: Mapping[str, Rewrite] = {
    "swapped-operands": rewrite(_swapped),
    "wrong-variable": rewrite(_wrong_variables),
    "dropped-result": rewrite(_dropped_results),
}
