"""Rewrites that put a wrong value in one place: initial, constant, default, special case (ceiling 2)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.operators import _is_main_guard
from perturbation.rules.mechanical.python.tree import (
    Edit,
    Site,
    Tree,
    code_body,
    own_nodes,
    rewrite,
)
from perturbation.rules.source import Rewrite


def _wrong_initial_values(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The first value of a variable that the function changes later."""
    for function in tree.functions():
        changed = {
            node.target.id
            for node in own_nodes(function)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
        }
        bound = [
            node.id for node in own_nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        changed |= {name for name in bound if bound.count(name) > 1}
        for node in own_nodes(function):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                targets, values = _pairs(node)
                for target, value in zip(targets, values, strict=False):
                    if isinstance(target, ast.Name) and target.id in changed:
                        yield from _other_value(tree, value)


def _pairs(node: ast.Assign) -> tuple[list[ast.expr], list[ast.expr]]:
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return target.elts, value.elts
    return [target], [value]


def _other_value(tree: Tree, value: ast.expr) -> Iterator[Site]:
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        yield (tree.replace(value, str(not value.value)),)
    elif isinstance(value, ast.Constant) and isinstance(value.value, int | float):
        yield (tree.replace(value, "1" if value.value == 0 else "0"),)
    elif isinstance(value, ast.Constant) and value.value == "":
        yield (tree.replace(value, '" "'),)
    elif isinstance(value, ast.List) and not value.elts:
        yield (tree.replace(value, "[0]"),)
    elif isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant) and value.slice.value == 0:
        yield (tree.replace(value, "0"),)


def _wrong_constants(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A number one off, or a text with a character lost, anywhere but in docstrings, indices and messages."""
    for node in tree.nodes(ast.Constant):
        parent = tree.parent(node)
        outer = tree.parent(parent) if isinstance(parent, ast.UnaryOp) else parent
        if isinstance(outer, ast.Expr | ast.Subscript | ast.Slice) or _in_message(tree, node) or _is_main_text(parent):
            continue
        value = node.value
        if type(value) is int:
            yield (tree.replace(node, str(value + 1)),)
        elif type(value) is float:
            yield (tree.replace(node, repr(value + 1.0)),)
        elif isinstance(value, str) and len(value) > 1 and value.isprintable() and tree.code(node)[0] in "\"'":
            yield (tree.replace(node, tree.code(node)[:-2] + tree.code(node)[-1]),)
        elif isinstance(value, str) and value == " ":
            yield (tree.replace(node, '""' if isinstance(parent, ast.Attribute) else '","'),)


def _is_main_text(parent: ast.AST | None) -> bool:
    return isinstance(parent, ast.Compare) and _is_main_guard(parent)


def _in_message(tree: Tree, node: ast.AST) -> bool:
    return any(isinstance(ancestor, ast.Raise | ast.Assert | ast.arguments) for ancestor in tree.ancestors(node))


def _wrong_defaults(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A default of a parameter, of get, or of a special case."""
    for function in tree.functions():
        for default in [*function.args.defaults, *(item for item in function.args.kw_defaults if item is not None)]:
            yield from _other_value(tree, default)
    for call in tree.nodes(ast.Call):
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr in ("get", "pop", "setdefault")
            and len(call.args) == 2
        ):
            yield from _other_value(tree, call.args[1])
        for item in call.keywords:
            if item.arg in ("reverse", "default", "start", "key"):
                yield from _other_value(tree, item.value)


def _wrong_special_case(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The value returned in a special case: True for False, None for an empty list, 0 for 1."""
    for node in tree.nodes(ast.Return):
        value = node.value
        if isinstance(value, ast.Constant) and value.value is None:
            yield (tree.replace(value, "0"),)
        elif isinstance(value, ast.List | ast.Dict | ast.Tuple) and tree.code(value) in ("[]", "{}", "()"):
            yield (tree.replace(value, "None"),)
        elif isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield (tree.replace(value, "None" if value.value == "" else '""'),)
        elif isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant):
            yield (tree.replace(value, tree.code(value.operand)),)
        elif isinstance(value, ast.Constant):
            yield from _other_value(tree, value)


def _mutable_defaults(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """result = [] at the start of a function  ->  a default of a new last parameter, kept from call to call."""
    for function in tree.functions():
        given, body = function.args, code_body(function)
        if given.vararg or given.kwarg or given.kwonlyargs or not given.args or given.args[-1].arg == "self":
            continue
        last = given.defaults[-1] if given.defaults else given.args[-1]
        for node in body:
            value, span = getattr(node, "value", None), tree.block_span([node])
            empty = isinstance(node, ast.Assign) and tree.code(node.value) in ("[]", "{}", "set()", "dict()", "list()")
            if (
                span
                and empty
                and isinstance(node, ast.Assign)
                and isinstance(node.targets[0], ast.Name)
                and len(node.targets) == 1
            ):
                name, at = node.targets[0].id, tree.span(last)[1]
                if name not in {item.arg for item in given.args} and len(body) > 1 and value is not None:
                    yield Edit(at, at, f", {name}={tree.code(value)}"), Edit(*span, "")


REWRITES: Mapping[str, Rewrite] = {
    "wrong-initial-value": rewrite(_wrong_initial_values),
    "wrong-constant": rewrite(_wrong_constants),
    "wrong-default": rewrite(_wrong_defaults),
    "mutable-default": rewrite(_mutable_defaults),
    "wrong-special-case": rewrite(_wrong_special_case),
}
