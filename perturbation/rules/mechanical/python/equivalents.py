"""Rewrites between equally good ways to write an expression or a small statement (ceiling 5)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import has_effects, has_plain_negation, kind, names_in, negated
from perturbation.rules.mechanical.python.scopes import enclosing_function, fresh
from perturbation.rules.mechanical.python.tree import STEP, Edit, Site, Tree, blocks, code_body, own_returns, rewrite
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

ARGUMENT_NAMES: Mapping[str, tuple[str, ...]] = {
    "join": ("parts", "pieces"), "sum": ("terms", "summands"), "max": ("candidates", "options"),
    "min": ("candidates", "options"),
    "len": ("matches", "selected"), "sorted": ("unsorted", "in_input_order"), "set": ("found", "members"),
}  # fmt: skip


def _mirrored_comparisons(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.nodes(ast.Compare):
        if len(node.ops) != 1 or type(node.ops[0]) not in MIRROR or has_effects(node):
            continue
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.Constant) or isinstance(right, ast.Constant | ast.UnaryOp):
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


def _inverted_branches(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """if c: A else: B  ->  if not c: B else: A, where the opposite condition reads as well."""
    for node in tree.nodes(ast.If):
        indent = tree.indent(node)
        body, other = tree.block(node.body, indent + STEP), tree.block(node.orelse, indent + STEP)
        span = tree.block_span([node])
        is_elif = not tree.code(node).startswith("if") or (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If))
        if body and other and span and not is_elif and has_plain_negation(node.test):
            yield (Edit(*span, f"{indent}if {negated(tree, node.test)}:\n{other}{indent}else:\n{body}"),)
    for choice in tree.nodes(ast.IfExp):
        if has_plain_negation(choice.test) and not isinstance(choice.orelse, ast.IfExp):
            yield (
                tree.replace(
                    choice, f"{tree.code(choice.orelse)} if {negated(tree, choice.test)} else {tree.code(choice.body)}"
                ),
            )


def _guard_clauses(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """if c: return a; return b  <->  if c: return a else: return b."""
    for function in tree.functions():
        for block in blocks(function):
            for position, node in enumerate(block):
                if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue):
                    yield from _without_else(tree, node)
                    yield from _with_else(tree, node, block[position + 1 :])


def _without_else(tree: Tree, node: ast.If) -> Iterator[Site]:
    indent, head = tree.indent(node), tree.block_span([node])
    is_chain = not tree.code(node).startswith("if") or (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If))
    other, body = tree.block(node.orelse, indent), tree.block(node.body, indent + STEP)
    if head and other and body and not is_chain:
        yield (Edit(*head, f"{indent}if {tree.code(node.test)}:\n{body}{other}"),)


def _with_else(tree: Tree, node: ast.If, rest: list[ast.stmt]) -> Iterator[Site]:
    indent = tree.indent(node)
    tail, span = tree.block(rest, indent + STEP), tree.block_span(rest)
    end = tree.block_span([node])
    if len(rest) == 1 and isinstance(rest[0], ast.Return) and not node.orelse and tail and span and end:
        yield (Edit(end[1], span[1], f"{indent}else:\n{tail}"),)


def _conditional_returns(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """return a if c else b  <->  if c: return a / return b."""
    for node in tree.nodes(ast.Return):
        span, indent = tree.block_span([node]), tree.indent(node)
        if (
            span
            and isinstance(node.value, ast.IfExp)
            and not _is_truth(node.value.body)
            and not isinstance(node.value.orelse, ast.IfExp)
        ):
            choice = node.value
            first = f"{indent}if {tree.code(choice.test)}:\n{indent}{STEP}return {tree.code(choice.body)}\n"
            yield (Edit(*span, f"{first}{indent}return {tree.code(choice.orelse)}\n"),)
    for function in tree.functions():
        for block in blocks(function):
            for first_stmt, second in zip(block, block[1:], strict=False):
                yield from _as_conditional(tree, first_stmt, second)


def _as_conditional(tree: Tree, first: ast.stmt, second: ast.stmt) -> Iterator[Site]:
    if not isinstance(first, ast.If) or first.orelse or len(first.body) != 1 or not isinstance(second, ast.Return):
        return
    inner, span = first.body[0], tree.block_span([first, second])
    if (
        isinstance(inner, ast.Return)
        and inner.value
        and second.value
        and span
        and not _is_truth(inner.value)
        and not isinstance(second.value, ast.IfExp)
    ):
        code = f"{tree.code(inner.value)} if {tree.code(first.test)} else {tree.code(second.value)}"
        indent = tree.indent(first)
        if "\n" not in code and len(indent) + len(code) < 80 and "#" not in tree.text[span[0] : span[1]]:
            yield (Edit(*span, f"{indent}return {code}\n"),)


def _is_truth(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def _inlined_temporaries(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """name = value; return name  ->  return value."""
    for function in tree.functions():
        for block in blocks(function):
            for first, second in zip(block, block[1:], strict=False):
                span = tree.block_span([first, second])
                if not span or not isinstance(first, ast.Assign) or not isinstance(second, ast.Return):
                    continue
                target = first.targets[0]
                same = (
                    isinstance(target, ast.Name) and isinstance(second.value, ast.Name) and target.id == second.value.id
                )
                if same and len(first.targets) == 1:
                    yield (Edit(*span, f"{tree.indent(first)}return {tree.code(first.value)}\n"),)


def _named_arguments(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """return sum(.. for ..)  ->  terms = [.. for ..]; return sum(terms)."""
    for function in tree.functions():
        for node in own_returns(function):
            span, call = tree.block_span([node]), node.value
            if (
                not span
                or not isinstance(call, ast.Call)
                or not call.args
                or has_effects(call)
                or "\n" in tree.code(call)
            ):
                continue
            inner = call.args[0]
            wishes = ARGUMENT_NAMES.get(getattr(call.func, "id", getattr(call.func, "attr", "")))
            if wishes and len(call.args) == 1 and isinstance(inner, ast.ListComp | ast.GeneratorExp):
                name, (start, end) = fresh(tree, wishes), tree.span(inner)
                code = tree.text[start:end].strip()
                own = code.startswith("(") and isinstance(inner, ast.GeneratorExp)
                listed = f"[{code[1:-1].strip()}]" if own else code
                yield (
                    Edit(span[0], span[0], f"{tree.indent(node)}{name} = {listed}\n"),
                    Edit(start, end, f"({name})" if own and tree.text[start - 1] not in "(" else name),
                )


def _reordered_statements(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Swap two neighbouring assignments, or two neighbouring definitions, that do not depend on each other."""
    for function in tree.functions():
        for block in [code_body(function), *blocks(function)]:
            for first, second in zip(block, block[1:], strict=False):
                if _is_assignment(first) and _is_assignment(second) and _independent(first, second):
                    yield _swap(tree, first, second)
    for first, second in zip(tree.module.body, tree.module.body[1:], strict=False):
        if (
            isinstance(first, ast.FunctionDef)
            and isinstance(second, ast.FunctionDef)
            and not (first.decorator_list or second.decorator_list)
        ):
            yield _swap(tree, first, second)


def _is_assignment(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign):
        return all(isinstance(target, ast.Name) for target in statement.targets) and not has_effects(statement)
    return (
        isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and not has_effects(statement)
    )


def _independent(first: ast.stmt, second: ast.stmt) -> bool:
    def stored(statement: ast.stmt) -> set[str]:
        return {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    return not (stored(first) & names_in(second)) and not (stored(second) & names_in(first))


def _swap(tree: Tree, first: ast.stmt, second: ast.stmt) -> Site:
    one, two = tree.block_span([first]), tree.block_span([second])
    if one is None or two is None or one[1] > two[0]:
        return ()
    upper, lower = tree.text[one[0] : one[1]], tree.text[two[0] : two[1]]
    return Edit(*one, lower.rstrip("\n") + "\n"), Edit(*two, upper.rstrip("\n") + "\n" * lower.endswith("\n"))


REWRITES: Mapping[str, Rewrite] = {
    "mirror-comparison": rewrite(_mirrored_comparisons),
    "equivalent-expression": rewrite(_equivalent_expressions),
    "invert-branches": rewrite(_inverted_branches),
    "restructure-guard-clause": rewrite(_guard_clauses),
    "conditional-expression-and-statement": rewrite(_conditional_returns),
    "inline-temporary": rewrite(_inlined_temporaries),
    "name-an-argument": rewrite(_named_arguments),
    "reorder-independent-statements": rewrite(_reordered_statements),
}
