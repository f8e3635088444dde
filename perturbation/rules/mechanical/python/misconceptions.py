"""Rewrites that solve the task by a wrong approach: lossy structure, wrong state, wrong format (ceiling 1);
and loops that end too early (ceiling 2).
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import (
    annotation_kind,
    has_effects,
    hoist_target,
    kind,
    names_in,
    negated,
)
from perturbation.rules.mechanical.python.loops import loop_rows, statement_to_unfold
from perturbation.rules.mechanical.python.scopes import (
    enclosing_function,
    fresh,
    is_top_level,
    plain_arguments,
    stored_names,
)
from perturbation.rules.mechanical.python.tree import (
    STEP,
    Edit,
    FunctionNode,
    Site,
    Tree,
    blocks,
    code_body,
    is_generator,
    own_returns,
    rewrite,
)
from perturbation.rules.rows import changed_rows, rewritten_rows
from perturbation.rules.source import Rewrite

BLIND_TO_ORDER = frozenset({"any", "all", "max", "min", "set", "frozenset", "sorted"})
"""Functions to which neither duplicates nor order matter, or that bring an order of their own."""


def _lossy_structures(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A set where every value and its place count: duplicates and order are lost (sorted, so that runs agree)."""
    for function in tree.functions():
        for name in stored_names(function):
            if kind(ast.Name(id=name), function) == "list":
                yield from _list_as_set(tree, function, name)
    for iterable, statement in _read_wholes(tree):
        span = tree.block_span([statement]) if statement else None
        if statement and span and isinstance(iterable, ast.Name) and enclosing_function(tree, iterable) is not None:
            yield from _distinct_values(tree, iterable, span[0], tree.indent(statement))


def _read_wholes(tree: Tree) -> Iterator[tuple[ast.expr, ast.stmt | None]]:
    """What is read from the first value to the last, and the statement before which it may be replaced."""
    for loop in tree.nodes(ast.For):
        yield loop.iter, loop
    for listed in tree.nodes(ast.ListComp, ast.GeneratorExp):
        consumer = getattr(getattr(tree.parent(listed), "func", None), "id", "")
        if tree.code(listed.generators[0].target) != "_" and consumer not in BLIND_TO_ORDER:
            yield listed.generators[0].iter, hoist_target(tree, listed)
    for call in tree.nodes(ast.Call):
        if getattr(call.func, "id", "") == "sum" and len(call.args) == 1:
            yield call.args[0], hoist_target(tree, call)


def _distinct_values(tree: Tree, iterable: ast.Name, start: int, indent: str) -> Iterator[Site]:
    table, item = fresh(tree, ("distinct", "unique", "collected")), fresh(tree, ("entry", "item", "element"))
    rows = f"{indent}{table} = set()\n{indent}for {item} in {iterable.id}:\n{indent}{STEP}{table}.add({item})\n"
    yield Edit(start, start, rows), tree.replace(iterable, f"sorted({table})")


def _list_as_set(tree: Tree, function: FunctionNode, name: str) -> Iterator[Site]:
    edits: list[Edit] = []
    for node in (item for item in ast.walk(function) if isinstance(item, ast.Name) and item.id == name):
        edit = _set_use(tree, node)
        if edit is None:
            return
        edits.append(edit)
    if len(edits) >= 3:
        yield tuple(edit for edit in edits if edit.end > edit.start)


def _set_use(tree: Tree, use: ast.Name) -> Edit | None:
    parent = tree.parent(use)
    if (
        isinstance(parent, ast.Assign)
        and isinstance(parent.value, ast.List)
        and not parent.value.elts
        and len(parent.targets) == 1
    ):
        return tree.replace(parent.value, "set()")
    if isinstance(parent, ast.Attribute) and parent.attr == "append":
        end = tree.span(parent)[1]
        return Edit(end - len("append"), end, "add")
    if isinstance(parent, ast.Return):
        return tree.replace(use, f"sorted({use.id})")
    is_read = isinstance(parent, ast.For | ast.comprehension | ast.Compare) or (
        isinstance(parent, ast.Call) and use in parent.args
    )
    return Edit(0, 0, "") if is_read and isinstance(use.ctx, ast.Load) else None


def _state_across_iterations(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """What a loop collects starts anew in every turn, or is returned in the first one."""
    for function in tree.functions():
        for block in [code_body(function), *blocks(function)]:
            for position, node in enumerate(block):
                if isinstance(node, ast.For | ast.While) and not node.orelse:
                    yield from _reset_each_turn(tree, block[:position], node)
                    yield from _returned_in_loop(tree, node, block[position + 1 :])
    for comprehension in tree.nodes(ast.ListComp):
        yield from _overwritten_each_turn(tree, comprehension)


def _reset_each_turn(tree: Tree, before: list[ast.stmt], loop: ast.For | ast.While) -> Iterator[Site]:
    """All plain initialisations right before a loop move into it."""
    moved: list[ast.stmt] = []
    head_names = names_in(loop.iter if isinstance(loop, ast.For) else loop.test)
    for statement in reversed(before):
        name = _single_target(statement)
        if name is None or name in head_names or has_effects(statement) or names_in(statement) & _bound(moved):
            break
        moved.insert(0, statement)
    used = [item for item in moved if _single_target(item) in names_in(loop)]
    body, span = tree.block(loop.body, tree.indent(loop) + STEP), tree.block_span([*moved, loop])
    rows, own, first = (
        tree.block(moved, tree.indent(loop) + STEP, comments=False),
        tree.block_span([loop]),
        tree.block_span([loop.body[0]]),
    )
    if used and body and span and rows and own and first:
        yield (Edit(*span, tree.text[own[0] : first[0]] + rows.replace("\n\n", "\n") + body),)


def _single_target(statement: ast.stmt) -> str | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return None


def _bound(statements: list[ast.stmt]) -> set[str]:
    return {
        item.id
        for node in statements
        for item in ast.walk(node)
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
    }


def _returned_in_loop(tree: Tree, loop: ast.For | ast.While, after: list[ast.stmt]) -> Iterator[Site]:
    """The statements behind a loop, up to the return, slip into it."""
    span = tree.block_span([loop, *after]) if after else None
    if (
        not span
        or not isinstance(after[-1], ast.Return)
        or len(after) > 4
        or isinstance(loop.body[-1], ast.Return | ast.Continue | ast.Break)
    ):
        return
    own, tail = tree.block_span([loop]), tree.block(after, tree.indent(loop.body[0]))
    if own and tail:
        yield (Edit(own[1], span[1], tail),)


def _overwritten_each_turn(tree: Tree, node: ast.ListComp) -> Iterator[Site]:
    statement = statement_to_unfold(tree, node)
    span = tree.block_span([statement]) if statement else None
    if statement is None or not span:
        return
    indent, name = tree.indent(statement), fresh(tree, ("gathered", "collected", "kept"))
    heads = loop_rows(tree, node.generators, indent)
    if heads is not None:
        rows = f"{indent}{name} = []\n{heads[0]}{heads[1]}{name} = [{tree.code(node.elt)}]\n"
        yield Edit(span[0], span[0], rows), tree.replace(node, name)


def _stale_caches(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A result kept from the first call, whatever the arguments of the next ones; the key names the function only."""
    for function in tree.functions():
        place, body = tree.block_span([function]), code_body(function)
        returns = [node for node in own_returns(function) if node.value is not None]
        usable = (
            is_top_level(tree, function)
            and not is_generator(function)
            and bool(plain_arguments(function))
            and bool(body)
        )
        rows = [tree.block_span([node]) for node in returns]
        first = tree.rows(body[0]) if body else None
        if not usable or place is None or not returns or None in rows or first is None:
            continue
        cache, key = fresh(tree, ("_cache", "_results")), f'"{function.name}"'
        start, indent = tree.row_span(first[0], first[0])[0], tree.indent(body[0])
        edits = [Edit(place[0], place[0], f"{cache} = {{}}\n\n\n")]
        edits.append(Edit(start, start, f"{indent}if {key} in {cache}:\n{indent}{STEP}return {cache}[{key}]\n"))
        for node in returns:
            end, value = tree.block_span([node]), node.value
            if end is not None and value is not None:
                edits.append(Edit(tree.span(node)[0], tree.span(value)[0], f"{cache}[{key}] = "))
                edits.append(Edit(end[1], end[1], f"{tree.indent(node)}return {cache}[{key}]\n"))
        yield tuple(edits)


def _early_exits(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The search ends at the first value that is no improvement, or no match."""
    for node in tree.nodes(ast.Call):
        yield from _climbing(tree, node)
    for loop in tree.nodes(ast.For):
        last, span = loop.body[-1], tree.block_span([loop.body[-1]])
        if isinstance(last, ast.If) and not last.orelse and not isinstance(last.body[-1], ast.Return | ast.Break):
            indent, body = tree.indent(last), tree.block(last.body, tree.indent(last))
            if span and body and "\n" not in tree.code(last.test):
                head = f"{indent}if {negated(tree, last.test)}:\n{indent}{STEP}break\n"
                yield (Edit(*span, head + body),)


def _climbing(tree: Tree, call: ast.Call) -> Iterator[Site]:
    statement, name = hoist_target(tree, call), getattr(call.func, "id", "")
    span = tree.block_span([statement]) if statement else None
    if (
        statement is None
        or not span
        or name not in ("max", "min")
        or len(call.args) != 1
        or call.keywords
        or "\n" in tree.code(call)
    ):
        return
    if enclosing_function(tree, call) is None:
        return
    inner = tree.code(call)[len(name) + 1 : -1]
    indent, best, option = (
        tree.indent(statement),
        fresh(tree, ("best", "leading")),
        fresh(tree, ("option", "candidate")),
    )
    options, sign = fresh(tree, ("options", "candidates")), "<" if name == "max" else ">"
    rows = (
        f"{indent}{options} = list({inner})\n{indent}{best} = {options}[0]\n{indent}for {option} in {options}[1:]:\n"
        f"{indent}{STEP}if {option} {sign} {best}:\n{indent}{STEP * 2}break\n{indent}{STEP}{best} = {option}\n"
    )
    yield Edit(span[0], span[0], rows), tree.replace(call, best)


def _wrong_formats(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Every result of a function is given back in another form: as text, as numbered rows or in an envelope."""
    for function in tree.functions():
        returns = [node for node in own_returns(function) if node.value is not None]
        spans = [tree.block_span([node]) for node in returns]
        if not returns or None in spans or not is_top_level(tree, function) or is_generator(function):
            continue
        edits = []
        for node, span in zip(returns, spans, strict=True):
            if span is not None and node.value is not None:
                edits.append(Edit(*span, _formatted(tree, function, node.value, tree.indent(node))))
        yield tuple(edits)


def _formatted(tree: Tree, function: FunctionNode, value: ast.expr, indent: str) -> str:
    found = annotation_kind(function.returns) or kind(value, function)
    code = tree.code(value)
    code = f"({code})" if "\n" in code and not isinstance(value, ast.Call | ast.List | ast.Dict) else code
    name, inner = fresh(tree, ("value", "outcome", "answer")), indent + STEP
    if found == "bool" and isinstance(value, ast.Constant):
        return f'{indent}return "{"yes" if value.value else "no"}"\n'
    if found == "bool":
        return f'{indent}{name} = {code}\n{indent}if {name}:\n{inner}return "yes"\n{indent}return "no"\n'
    if found in ("list", "tuple", "set") and not (isinstance(value, ast.Constant) and value.value is None):
        rows, entry = fresh(tree, ("rows", "printed")), fresh(tree, ("entry", "item"))
        return (
            f"{indent}{rows} = []\n{indent}for {entry} in {code}:\n{inner}{rows}.append(str({entry}))\n"
            f'{indent}return "\\n".join({rows})\n'
        )
    if found in ("int", "float"):
        label = fresh(tree, ("label", "text"))
        return f'{indent}{name} = {code}\n{indent}{label} = "Result: "\n{indent}return {label} + str({name})\n'
    return f'{indent}{name} = {code}\n{indent}return {{\n{inner}"status": "ok",\n{inner}"result": {name},\n{indent}}}\n'


REWRITES: Mapping[str, Rewrite] = {
    "lossy-data-structure": rewrite(_lossy_structures, rows=rewritten_rows),
    "state-across-iterations": rewrite(_state_across_iterations, rows=changed_rows),
    "stale-cache": rewrite(_stale_caches, rows=rewritten_rows),
    "early-exit": rewrite(_early_exits),
    "wrong-output-format": rewrite(_wrong_formats, rows=rewritten_rows),
}
