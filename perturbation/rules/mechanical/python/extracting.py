"""Helpers taken out of a function and put back into it, equally good either way (ceiling 5)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import has_effects, names_in
from perturbation.rules.mechanical.python.scopes import (
    RESERVED,
    arguments_of,
    enclosing_function,
    fresh,
    module_names,
    plain_arguments,
    stored_names,
)
from perturbation.rules.mechanical.python.tree import (
    STEP,
    Edit,
    FunctionNode,
    Site,
    Tree,
    code_body,
    is_generator,
    rewrite,
)
from perturbation.rules.source import Rewrite

# What a helper could not see or would change: names of an inner scope, values bound on the way, text with code in it.
NOT_MOVABLE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.JoinedStr)
RELATIONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "below",
    ast.LtE: "at_most",
    ast.Gt: "above",
    ast.GtE: "at_least",
    ast.Eq: "equal_to",
    ast.NotEq: "other_than",
    ast.Is: "the_same_as",
    ast.IsNot: "not_the_same_as",
    ast.In: "among",
    ast.NotIn: "missing_in",
}
LONGEST = 60
MOST_ARGUMENTS = 4


def _conditions(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A comparison of something computed with a name, or a test for divisibility, becomes a predicate above its
    function: these have telling names.
    """
    for node in tree.nodes(ast.If, ast.While, ast.IfExp):
        function = enclosing_function(tree, node)
        if function is not None and isinstance(tree.parent(function), ast.Module | ast.ClassDef):
            yield from _extract(tree, node.test, function)


def _extract(tree: Tree, test: ast.expr, function: FunctionNode) -> Iterator[Site]:
    code = tree.code(test)
    local = _locals_of(function)
    used = [name for name in _names_in_order(test) if name in local]
    is_plain = (
        "\n" not in code and not has_effects(test) and not any(isinstance(n, NOT_MOVABLE) for n in ast.walk(test))
    )
    is_free = names_in(test) - local <= RESERVED | set(module_names(tree))
    wish = _predicate(test)
    if not (is_plain and is_free and wish and 1 <= len(used) <= MOST_ARGUMENTS):
        return
    top = next(
        node
        for node in [function, *tree.ancestors(function)]
        if isinstance(node, ast.stmt) and tree.parent(node) is tree.module
    )
    rows = tree.rows(top)
    if rows is None:
        return
    name = fresh(tree, (wish, f"{used[0]}_{wish}"))
    start, _ = tree.row_span(tree.first_comment_row(rows[0]), rows[1])
    helper = f"def {name}({', '.join(used)}):\n{STEP}return {code}\n\n\n"
    yield (Edit(start, start, helper), tree.replace(test, f"{name}({', '.join(used)})"))


def _names_in_order(node: ast.AST) -> list[str]:
    found = [child for child in ast.walk(node) if isinstance(child, ast.Name)]
    return list(dict.fromkeys(child.id for child in sorted(found, key=lambda name: (name.lineno, name.col_offset))))


def _predicate(test: ast.expr) -> str:
    """A telling name for a condition; empty where there is none."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        return ""
    right = test.comparators[0]
    if _is_remainder(test.left) and isinstance(right, ast.Constant) and right.value == 0:
        return "divides_evenly" if isinstance(test.ops[0], ast.Eq) else "leaves_remainder"
    is_computed = isinstance(test.left, ast.BinOp | ast.Call | ast.Subscript)
    return f"is_{RELATIONS[type(test.ops[0])]}_{right.id}" if is_computed and isinstance(right, ast.Name) else ""


def _is_remainder(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _single_uses(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A helper of one short expression that is called once, with plain arguments, is written out where it is called."""
    for helper in tree.functions():
        value = _only_value(tree, helper)
        call = _only_call(tree, helper) if value is not None else None
        given = plain_arguments(helper)
        if value is None or call is None or given is None or len(given) != len(call.args):
            continue
        caller = enclosing_function(tree, call)
        # In a nested function a name of the helper could be one of the functions around it.
        if caller is not None and not isinstance(tree.parent(caller), ast.Module | ast.ClassDef):
            continue
        if (names_in(value) - set(given)) & _locals_of(caller):
            continue
        gone = tree.gap(helper)
        if gone is not None:
            code = _with_arguments(tree, value, dict(zip(given, map(tree.code, call.args), strict=True)))
            yield (gone, tree.replace(call, code if _stands_alone(tree, call) else f"({code})"))


def _only_value(tree: Tree, helper: FunctionNode) -> ast.expr | None:
    body = code_body(helper)
    last = body[0] if len(body) == 1 else None
    plain = isinstance(helper, ast.FunctionDef) and not helper.decorator_list and not is_generator(helper)
    free = helper.name not in tree.protected and isinstance(tree.parent(helper), ast.Module)
    if not (plain and free and isinstance(last, ast.Return) and last.value is not None):
        return None
    value = last.value
    movable = not any(isinstance(node, NOT_MOVABLE) for node in ast.walk(value)) and not helper.args.defaults
    movable = movable and not isinstance(value, ast.Tuple)  # without brackets of its own it would come apart
    return value if movable and "\n" not in tree.code(value) and len(tree.code(value)) <= LONGEST else None


def _only_call(tree: Tree, helper: FunctionNode) -> ast.Call | None:
    uses = [node for node in ast.walk(tree.module) if isinstance(node, ast.Name) and node.id == helper.name]
    call = tree.parent(uses[0]) if len(uses) == 1 else None
    if not (isinstance(call, ast.Call) and call.func is uses[0] and not call.keywords and call in tree.nodes(ast.Call)):
        return None
    return call if all(isinstance(item, ast.Name | ast.Constant) for item in call.args) else None


def _locals_of(function: FunctionNode | None) -> set[str]:
    if function is None:
        return set()
    return {argument.arg for argument in arguments_of(function)} | set(stored_names(function))


def _with_arguments(tree: Tree, value: ast.expr, given: Mapping[str, str]) -> str:
    start, _ = tree.span(value)
    code = tree.code(value)
    places = [node for node in ast.walk(value) if isinstance(node, ast.Name) and node.id in given]
    for node in sorted(places, key=lambda name: tree.span(name), reverse=True):
        first, last = (place - start for place in tree.span(node))
        code = code[:first] + given[node.id] + code[last:]
    return code


def _stands_alone(tree: Tree, call: ast.Call) -> bool:
    """Whether nothing binds tighter around the call than around an expression in its place."""
    parent = tree.parent(call)
    return isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return | ast.If | ast.While) or (
        isinstance(parent, ast.Call) and call in parent.args
    )


REWRITES: Mapping[str, Rewrite] = {
    "extract-helper": rewrite(_conditions),
    "inline-helper": rewrite(_single_uses),
}
