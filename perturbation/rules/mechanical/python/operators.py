"""Rewrites that put a wrong operator, bound, constant or operand in one place (ceiling 2)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import kind, names_in, negated, simple_kind
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
ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


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
    "off-by-one": rewrite(_off_by_one),
    "wrong-boundary-comparison": rewrite(_wrong_boundaries),
    "wrong-comparison-direction": rewrite(_wrong_directions),
    "wrong-arithmetic-operator": rewrite(_wrong_arithmetic),
    "wrong-logical-operator": rewrite(_wrong_logic),
    "integer-division": rewrite(_integer_division),
    "wrong-initial-value": rewrite(_wrong_initial_values),
    "wrong-constant": rewrite(_wrong_constants),
    "swapped-operands": rewrite(_swapped),
    "wrong-variable": rewrite(_wrong_variables),
    "wrong-default": rewrite(_wrong_defaults),
    "mutable-default": rewrite(_mutable_defaults),
    "wrong-special-case": rewrite(_wrong_special_case),
    "missing-boundary-check": rewrite(_missing_checks),
    "dropped-result": rewrite(_dropped_results),
}
