"""Rewrites between equally good arrangements of statements and branches (ceiling 5)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import has_effects, has_plain_negation, names_in, negated
from perturbation.rules.mechanical.python.scopes import fresh
from perturbation.rules.mechanical.python.tree import STEP, Edit, Site, Tree, blocks, code_body, own_returns, rewrite
from perturbation.rules.source import Rewrite

ARGUMENT_NAMES: Mapping[str, tuple[str, ...]] = {
    "join": ("parts", "pieces"), "sum": ("terms", "summands"), "max": ("candidates", "options"),
    "min": ("candidates", "options"),
    "len": ("matches", "selected"), "sorted": ("unsorted", "in_input_order"), "set": ("found", "members"),
}  # fmt: skip


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
    "invert-branches": rewrite(_inverted_branches),
    "restructure-guard-clause": rewrite(_guard_clauses),
    "conditional-expression-and-statement": rewrite(_conditional_returns),
    "inline-temporary": rewrite(_inlined_temporaries),
    "name-an-argument": rewrite(_named_arguments),
    "reorder-independent-statements": rewrite(_reordered_statements),
}
