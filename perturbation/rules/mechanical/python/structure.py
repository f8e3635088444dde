"""Rewrites that keep what a function computes and make its control flow harder to follow (ceiling 3)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import has_effects, negated
from perturbation.rules.mechanical.python.scopes import fresh
from perturbation.rules.mechanical.python.tree import (
    STEP,
    Edit,
    Site,
    Tree,
    blocks,
    code_body,
    is_generator,
    own_nodes,
    rewrite,
)
from perturbation.rules.rows import changed_rows
from perturbation.rules.source import Rewrite

LEAVES = (ast.Return, ast.Raise, ast.Continue)


def _deep_nesting(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Guard clauses become the outer branches of nested conditions; `a and b` becomes two conditions."""
    for function in tree.functions():
        for block in [code_body(function), *blocks(function)]:
            for position, node in enumerate(block):
                if isinstance(node, ast.If) and _is_guard(tree, node) and block[position + 1 :]:
                    nested = _nested(tree, block[position:], tree.indent(node))
                    span = tree.block_span(block[position:])
                    if nested and span:
                        yield (Edit(*span, nested),)
    for node in tree.nodes(ast.If):
        yield from _split_condition(tree, node)


def _is_guard(tree: Tree, node: ast.If) -> bool:
    return isinstance(node.body[-1], LEAVES) and not node.orelse and not tree.code(node).startswith("elif")


def _nested(tree: Tree, statements: list[ast.stmt], indent: str, *, is_inner: bool = False) -> str | None:
    """The statements with each guard among them turned into if / else around all that follows it."""
    for position, node in enumerate(statements):
        if isinstance(node, ast.If) and _is_guard(tree, node) and statements[position + 1 :]:
            before = tree.block(statements[:position], indent) if position else ""
            comments = _comments_above(tree, node, indent) if position or is_inner else ""
            inner = _nested(tree, statements[position + 1 :], indent + STEP, is_inner=True)
            body = tree.block(node.body, indent + STEP)
            if before is None or inner is None or body is None:
                return None
            before += comments
            if body.strip() == "continue":
                return f"{before}{indent}if {negated(tree, node.test)}:\n{inner}"
            return f"{before}{indent}if {negated(tree, node.test)}:\n{inner}{indent}else:\n{body}"
    return tree.block(statements, indent)


def _comments_above(tree: Tree, statement: ast.stmt, indent: str) -> str:
    first = tree.first_comment_row(statement.lineno)
    return "".join(f"{indent}{tree.lines[row - 1].lstrip()}" for row in range(first, statement.lineno))


def _split_condition(tree: Tree, node: ast.If) -> Iterator[Site]:
    span, indent = tree.block_span([node]), tree.indent(node)
    if not span or node.orelse or not isinstance(node.test, ast.BoolOp) or not isinstance(node.test.op, ast.And):
        return
    if tree.code(node).startswith("elif") or "\n" in tree.code(node.test):
        return
    rows, inner = "", indent
    for value in node.test.values:
        rows += f"{inner}if {tree.code(value)}:\n"
        inner += STEP
    body = tree.block(node.body, inner)
    if body:
        yield (Edit(*span, rows + body),)


def _flags(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A return from inside a loop, or from a guard, becomes a flag and a result variable."""
    for function in tree.functions():
        body = code_body(function)
        if is_generator(function):
            continue
        for position, node in enumerate(body):
            if isinstance(node, ast.For | ast.While) and not node.orelse:
                yield from _flagged_loop(tree, node)
            elif isinstance(node, ast.If) and _is_guard(tree, node) and isinstance(node.body[-1], ast.Return):
                yield from _flagged_guards(tree, body[position:])
        for loop in own_nodes(function):
            if isinstance(loop, ast.For | ast.While) and not loop.orelse:
                yield from _flagged_break(tree, loop)


def _flagged_loop(tree: Tree, loop: ast.For | ast.While) -> Iterator[Site]:
    span, indent = tree.block_span([loop]), tree.indent(loop)
    found, result = fresh(tree, ("found", "finished", "is_done")), fresh(tree, ("result", "answer", "outcome"))
    returns = [node for node in own_nodes(loop) if isinstance(node, ast.Return)]
    if not span or not returns or not _only_tail_returns(loop):
        return
    rows = _with_flag(tree, loop, indent, found, result)
    if rows is not None:
        after = f"{indent}if {found}:\n{indent}{STEP}return {result}\n"
        yield (Edit(*span, f"{indent}{found} = False\n{indent}{result} = None\n{rows}{after}"),)


def _only_tail_returns(loop: ast.For | ast.While) -> bool:
    """Whether nothing of the same turn runs after each return, with only ifs and loops around it."""
    tails = list(_tail_returns(loop.body))
    everywhere = [node for node in own_nodes(loop) if isinstance(node, ast.Return)]
    return len(tails) == len(everywhere) and not any(
        isinstance(node, ast.Try | ast.With | ast.Match) for node in own_nodes(loop)
    )


def _tail_returns(block: list[ast.stmt]) -> Iterator[ast.Return]:
    last = block[-1]
    if isinstance(last, ast.Return):
        yield last
    elif isinstance(last, ast.If):
        yield from _tail_returns(last.body)
        if last.orelse:
            yield from _tail_returns(last.orelse)
    elif isinstance(last, ast.For | ast.While) and not last.orelse:
        yield from _tail_returns(last.body)


def _with_flag(tree: Tree, loop: ast.For | ast.While, indent: str, found: str, result: str) -> str | None:
    """A loop whose turns do nothing once the flag is set."""
    inner = indent + STEP
    if isinstance(loop, ast.While):
        test = tree.code(loop.test)
        if "\n" in test:
            return None
        always = isinstance(loop.test, ast.Constant) and loop.test.value is True
        wrapped = f"({test})" if isinstance(loop.test, ast.BoolOp | ast.IfExp) else test
        head = f"{indent}while not {found}:\n" if always else f"{indent}while not {found} and {wrapped}:\n"
        body = _flagged_block(tree, loop.body, inner, found, result)
        return None if body is None else head + body
    names = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in ast.walk(loop.iter)}
    body = _flagged_block(tree, loop.body, inner + STEP, found, result)
    if names & {"count", "cycle", "repeat"} or "\n" in tree.code(loop.iter) or body is None:
        return None
    return f"{indent}for {tree.code(loop.target)} in {tree.code(loop.iter)}:\n{inner}if not {found}:\n{body}"


def _flagged_block(tree: Tree, block: list[ast.stmt], indent: str, found: str, result: str) -> str | None:
    head = tree.block(block[:-1], indent) if len(block) > 1 else ""
    tail = _flagged_statement(tree, block[-1], indent, found, result)
    return None if head is None or tail is None else head + tail


def _flagged_statement(tree: Tree, node: ast.stmt, indent: str, found: str, result: str) -> str | None:
    if isinstance(node, ast.Return):
        value = tree.code(node.value) if node.value else "None"
        return f"{indent}{result} = {value}\n{indent}{found} = True\n"
    if isinstance(node, ast.If) and list(_tail_returns([node])):
        body = _flagged_block(tree, node.body, indent + STEP, found, result)
        other = _flagged_block(tree, node.orelse, indent + STEP, found, result) if node.orelse else ""
        if body is None or other is None or "\n" in tree.code(node.test):
            return None
        return f"{indent}if {tree.code(node.test)}:\n{body}" + (f"{indent}else:\n{other}" if other else "")
    if isinstance(node, ast.For | ast.While) and list(_tail_returns([node])):
        return _with_flag(tree, node, indent, found, result)
    return tree.block([node], indent)


def _flagged_guards(tree: Tree, statements: list[ast.stmt]) -> Iterator[Site]:
    """if c: return a; rest; return b  ->  result and a flag that every later part asks."""
    guard, rest = statements[0], statements[1:]
    span = tree.block_span(statements)
    if (
        not rest
        or not span
        or not isinstance(guard, ast.If)
        or not isinstance(rest[-1], ast.Return)
        or rest[-1].value is None
    ):
        return
    if any(
        isinstance(node, ast.Return)
        for statement in [*guard.body[:-1], *rest[:-1]]
        for node in [statement, *own_nodes(statement)]
    ):
        return
    indent, inner = tree.indent(guard), tree.indent(guard) + STEP
    done, result = fresh(tree, ("done", "finished", "is_done")), fresh(tree, ("result", "answer", "outcome"))
    first = _flagged_block(tree, guard.body, inner, done, result)
    middle = tree.block(rest[:-1], inner) if rest[:-1] else ""
    if first is not None and middle is not None and "\n" not in tree.code(guard.test):
        rows = f"{indent}{done} = False\n{indent}{result} = None\n{indent}if {tree.code(guard.test)}:\n{first}"
        rows += (
            f"{indent}if not {done}:\n{middle}{inner}{result} = {tree.code(rest[-1].value)}\n{indent}return {result}\n"
        )
        yield (Edit(*span, rows),)


def _flagged_break(tree: Tree, loop: ast.For | ast.While) -> Iterator[Site]:
    """A break at the end of a branch becomes a flag that the rest of the turns ask."""
    span, last = tree.block_span([loop]), loop.body[-1]
    breaks = [node for node in own_nodes(loop) if isinstance(node, ast.Break)]
    ends = isinstance(last, ast.If) and not last.orelse and isinstance(last.body[-1], ast.Break)
    if not span or not ends or len(breaks) != 1 or not isinstance(last, ast.If) or tree.rows(last.body[-1]) is None:
        return
    stop = fresh(tree, ("stop", "halted", "leave_loop"))
    indent = tree.indent(loop)
    if isinstance(loop, ast.While):
        always = isinstance(loop.test, ast.Constant) and loop.test.value is True
        test = f"not {stop}" if always else f"not {stop} and ({tree.code(loop.test)})"
        yield (
            Edit(span[0], span[0], f"{indent}{stop} = False\n"),
            tree.replace(loop.test, test),
            tree.replace(last.body[-1], f"{stop} = True"),
        )
    else:
        body = tree.block(loop.body, indent + STEP + STEP)
        if body and not {"count", "cycle"} & {getattr(node, "id", "") for node in ast.walk(loop.iter)}:
            tail = body.rstrip().removesuffix("break")
            if body.rstrip().endswith("break"):
                head = (
                    f"{indent}for {tree.code(loop.target)} in {tree.code(loop.iter)}:\n{indent}{STEP}if not {stop}:\n"
                )
                yield (Edit(*span, f"{indent}{stop} = False\n{head}{tail}{stop} = True\n"),)


def _duplication(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The same code in several branches: a condition with or is split, or what follows an if goes into each branch."""
    for function in tree.functions():
        for block in [code_body(function), *blocks(function)]:
            for position, node in enumerate(block):
                if isinstance(node, ast.If) and not tree.code(node).startswith("elif"):
                    yield from _split_alternatives(tree, node)
                    yield from _copied_tail(tree, node, block[position + 1 :])
                if isinstance(node, ast.Return | ast.Assign | ast.AugAssign | ast.Expr):
                    yield from _copied_statement(tree, node)


def _split_alternatives(tree: Tree, node: ast.If) -> Iterator[Site]:
    span, indent = tree.block_span([node]), tree.indent(node)
    body = tree.block(node.body, indent + STEP)
    if not span or not body or not isinstance(node.test, ast.BoolOp) or not isinstance(node.test.op, ast.Or):
        return
    rows = "".join(
        f"{indent}{'elif' if number else 'if'} {tree.code(value)}:\n{body}"
        for number, value in enumerate(node.test.values)
    )
    is_chain = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
    other = tree.block(node.orelse, indent + STEP) if node.orelse else ""
    if other is not None and not is_chain and "\n" not in tree.code(node.test):
        yield (Edit(*span, rows + (f"{indent}else:\n{other}" if other else "")),)


def _copied_tail(tree: Tree, node: ast.If, rest: list[ast.stmt]) -> Iterator[Site]:
    """if c: A; rest  ->  if c: A; rest else: rest."""
    if not rest or isinstance(node.body[-1], (*LEAVES, ast.Break)) or len(rest) > 8 or "\n" in tree.code(node.test):
        return
    indent, span = tree.indent(node), tree.block_span([node, *rest])
    is_chain = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
    body, tail = tree.block(node.body, indent + STEP), tree.block(rest, indent + STEP)
    other = tree.block(node.orelse, indent + STEP) if node.orelse else ""
    leaves = bool(node.orelse) and isinstance(node.orelse[-1], (*LEAVES, ast.Break))
    if span and body and tail and other is not None and not is_chain and not leaves:
        yield (Edit(*span, f"{indent}if {tree.code(node.test)}:\n{body}{tail}{indent}else:\n{other}{tail}"),)


def _copied_statement(tree: Tree, node: ast.stmt) -> Iterator[Site]:
    """A statement with a conditional expression, a filter of two alternatives or a boolean value: once per branch."""
    span, indent = tree.block_span([node]), tree.indent(node)
    choices = [item for item in ast.walk(node) if isinstance(item, ast.IfExp)]
    value = getattr(node, "value", None)
    if (
        not span
        or "\n" in tree.code(node)
        or not choices
        or value is None
        or has_effects(node)
        and not isinstance(node, ast.Expr)
    ):
        return
    choice = choices[0]
    if (
        choice is value
        or tree.parent(choice) is value
        and not isinstance(
            value, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.BoolOp
        )
    ):
        one, two = tree.code(choice.body), tree.code(choice.orelse)
        start, (left, right) = tree.span(node)[0], tree.span(choice)
        head, tail = tree.text[start:left], tree.text[right : tree.span(node)[1]]
        first = f"{indent}if {tree.code(choice.test)}:\n{indent}{STEP}{head}{one}{tail}\n"
        yield (Edit(*span, f"{first}{indent}else:\n{indent}{STEP}{head}{two}{tail}\n"),)


REWRITES: Mapping[str, Rewrite] = {
    "deep-nesting": rewrite(_deep_nesting, rows=changed_rows),
    "flags-for-control-flow": rewrite(_flags, rows=changed_rows),
    "copy-and-paste-duplication": rewrite(_duplication, rows=changed_rows),
}
