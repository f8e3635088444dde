"""Rewrites between equally good ways to write an expression (ceiling 5)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import has_effects, kind
from perturbation.rules.mechanical.python.scopes import enclosing_function, fresh
from perturbation.rules.mechanical.python.tree import Edit, Site, Tree, rewrite
from perturbation.rules.source import Rewrite

MIRROR: Mapping[type[ast.cmpop], str] = {
    ast.Lt: ">",
    ast.LtE: ">=",
    ast.Gt: "<",
    ast.GtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


CONSUMERS = frozenset({"sum", "any", "all", "min", "max", "sorted", "set", "tuple", "list", "dict"})


def _mirrored_comparisons(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.nodes(ast.Compare):
        if len(node.ops) != 1 or type(node.ops[0]) not in MIRROR or has_effects(node):
            continue
        left, right = node.left, node.comparators[0]
        fixed = isinstance(right, ast.Constant | ast.UnaryOp) or tree.code(right).isupper()
        if fixed or isinstance(left, ast.Constant):
            continue
        yield (tree.replace(node, f"{tree.code(right)} {MIRROR[type(node.ops[0])]} {tree.code(left)}"),)


def _equivalent_expressions(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for call in tree.nodes(ast.Call):
        yield from _call_alternatives(tree, call)
    for joint in tree.nodes(ast.BoolOp):
        yield from _membership(tree, joint)
        yield from _chained(tree, joint)
    for element in tree.nodes(ast.Subscript):
        yield from _negative_index(tree, element)
    for test in tree.nodes(ast.Compare):
        yield from _unchained(tree, test)
        yield from _emptiness(tree, test)
    for listed in tree.nodes(ast.ListComp):
        yield from _plain_maps(tree, listed)


def _call_alternatives(tree: Tree, call: ast.Call) -> Iterator[Site]:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name == "range" and isinstance(call.func, ast.Name) and not call.keywords:
        yield from _range_alternative(tree, call)
    if len(call.args) != 1 or call.keywords:
        return
    argument = call.args[0]
    if isinstance(argument, ast.Call) and getattr(argument.func, "id", "") in ("map", "filter"):
        yield from _as_comprehension(tree, call, argument, name)
    if isinstance(argument, ast.ListComp) and (name in CONSUMERS or name == "join"):
        inner = tree.code(argument)[1:-1].strip()
        yield (tree.replace(argument, inner),)
    if name == "set" and isinstance(call.func, ast.Name) and isinstance(argument, ast.List) and argument.elts:
        yield (tree.replace(call, "{" + tree.code(argument)[1:-1] + "}"),)
    if name == "len" and isinstance(argument, ast.ListComp) and len(argument.generators) == 1:
        clause = tree.code(argument)[len(tree.code(argument.elt)) + 1 : -1].strip()
        yield (tree.replace(call, f"sum(1 {clause})"),)


def _as_comprehension(tree: Tree, call: ast.Call, inner: ast.Call, name: str) -> Iterator[Site]:
    """list(map(f, xs))  ->  [f(x) for x in xs]; the same for filter with a lambda, and for what takes an iterator."""
    if len(inner.args) != 2 or inner.keywords or has_effects(inner):
        return
    function, values = inner.args
    item = fresh(tree, ("item", "element", "entry"))
    if isinstance(function, ast.Lambda) and [argument.arg for argument in function.args.args] == names_of(function):
        item, body = function.args.args[0].arg, tree.code(function.body)
    else:
        body = f"{tree.code(function)}({item})"
    mapped = getattr(inner.func, "id", "") == "map"
    if isinstance(function, ast.Name | ast.Lambda) and not (isinstance(function, ast.Name) and not mapped):
        code = (
            f"{body} for {item} in {tree.code(values)}"
            if mapped
            else f"{item} for {item} in {tree.code(values)} if {body}"
        )
        if name == "list" and isinstance(call.func, ast.Name):
            yield (tree.replace(call, f"[{code}]"),)
        elif name in CONSUMERS or name == "join":
            yield (tree.replace(inner, code),)


def names_of(function: ast.Lambda) -> list[str]:
    return [argument.arg for argument in function.args.args[:1]]


def _plain_maps(tree: Tree, node: ast.ListComp) -> Iterator[Site]:
    """[f(x) for x in xs]  ->  list(map(f, xs)), for a function with a name."""
    clause, element = node.generators[0], node.elt
    if (
        len(node.generators) > 1
        or clause.ifs
        or clause.is_async
        or not isinstance(element, ast.Call)
        or element.keywords
    ):
        return
    same = len(element.args) == 1 and tree.code(element.args[0]) == tree.code(clause.target)
    if same and isinstance(element.func, ast.Name) and isinstance(clause.target, ast.Name):
        yield (tree.replace(node, f"list(map({element.func.id}, {tree.code(clause.iter)}))"),)


def _emptiness(tree: Tree, node: ast.Compare) -> Iterator[Site]:
    """len(x) == 0  ->  not x, for lists and texts."""
    function, right = enclosing_function(tree, node), node.comparators[0]
    left = node.left
    if (
        len(node.ops) == 1
        and isinstance(node.ops[0], ast.Eq)
        and isinstance(left, ast.Call)
        and tree.code(right) == "0"
    ):
        plain = getattr(left.func, "id", "") == "len" and len(left.args) == 1 and isinstance(left.args[0], ast.Name)
        if plain and kind(left.args[0], function) in ("list", "str", "dict", "set", "tuple"):
            yield (tree.replace(node, f"not {tree.code(left.args[0])}"),)


def _range_alternative(tree: Tree, call: ast.Call) -> Iterator[Site]:
    """range(0, n)  ->  range(n)."""
    if len(call.args) == 2 and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0:
        yield (Edit(tree.span(call.args[0])[0], tree.span(call.args[1])[0], ""),)


def _membership(tree: Tree, node: ast.BoolOp) -> Iterator[Site]:
    """x == a or x == b  ->  x in (a, b), where a and b are constants."""
    tests = [value for value in node.values if isinstance(value, ast.Compare) and len(value.ops) == 1]
    wanted = ast.Eq if isinstance(node.op, ast.Or) else ast.NotEq
    same = {tree.code(test.left) for test in tests}
    plain = all(isinstance(test.ops[0], wanted) and isinstance(test.comparators[0], ast.Constant) for test in tests)
    if len(tests) == len(node.values) and len(same) == 1 and plain and not has_effects(node):
        options = ", ".join(tree.code(test.comparators[0]) for test in tests)
        word = "in" if wanted is ast.Eq else "not in"
        yield (tree.replace(node, f"{same.pop()} {word} ({options})"),)


def _chained(tree: Tree, node: ast.BoolOp) -> Iterator[Site]:
    """a < b and b < c  ->  a < b < c."""
    if not isinstance(node.op, ast.And) or len(node.values) != 2 or has_effects(node):
        return
    first, second = node.values
    if isinstance(first, ast.Compare) and isinstance(second, ast.Compare) and len(first.ops) == len(second.ops) == 1:
        order = (ast.Lt, ast.LtE)
        meets = tree.code(first.comparators[0]) == tree.code(second.left)
        if meets and isinstance(first.ops[0], order) and isinstance(second.ops[0], order):
            tail = tree.text[tree.span(second.left)[1] : tree.span(second)[1]]
            yield (tree.replace(node, f"{tree.code(first)}{tail}"),)


def _unchained(tree: Tree, node: ast.Compare) -> Iterator[Site]:
    """a < b < c  ->  a < b and b < c, where nothing around it binds tighter than and."""
    parent = tree.parent(node)
    loose = isinstance(parent, ast.Return | ast.If | ast.While | ast.Assign | ast.comprehension)
    if len(node.ops) == 2 and loose and isinstance(node.comparators[0], ast.Name):
        middle = node.comparators[0]
        head = tree.text[tree.span(node)[0] : tree.span(middle)[1]]
        yield (tree.replace(node, f"{head} and {tree.text[tree.span(middle)[0] : tree.span(node)[1]]}"),)


def _negative_index(tree: Tree, node: ast.Subscript) -> Iterator[Site]:
    """x[len(x) - 1]  ->  x[-1]."""
    index = node.slice
    if (
        isinstance(index, ast.BinOp)
        and isinstance(index.op, ast.Sub)
        and tree.code(index) == f"len({tree.code(node.value)}) - 1"
    ):
        yield (tree.replace(index, "-1"),)


REWRITES: Mapping[str, Rewrite] = {
    "mirror-comparison": rewrite(_mirrored_comparisons),
    "equivalent-expression": rewrite(_equivalent_expressions),
}
