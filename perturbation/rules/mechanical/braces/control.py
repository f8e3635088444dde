"""Rewrites that keep what a program computes and make its control flow harder to follow (ceiling 3)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from perturbation.rules.mechanical.braces.branches import guards
from perturbation.rules.mechanical.braces.naming import in_convention
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import braced, end, inner, return_type, returned
from perturbation.rules.mechanical.syntax.conditions import If, as_if, ends_by_leaving, ifs, negated, operands, operator
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, moved, replace_statements, span, stands_alone
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import changed_rows

LONGEST_COPY = 10
FLAGS = ("found", "done", "finished", "is_done", "stop_now")
RESULTS = ("outcome", "answer", "final_result", "kept_value")
SWITCHES = re.compile("switch|select")


def _deep_nesting(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Guards become outer branches around all that follows; a && b becomes two conditions."""
    for item, rest in guards(tree):
        margin = indent(tree, item.statement)
        yield (replace_statements(tree, [item.statement, *rest], [_nested(tree, item, rest, margin)]),)
    for item in ifs(tree):
        yield from _split_condition(tree, item)


def _nested(tree: Tree, item: If, rest: Sequence[Node], margin: str) -> str:
    """if c { leave } rest  ->  if !c { rest } else { leave }, the guards in the rest likewise."""
    deeper = inner(tree, margin)
    then = tree.statements(item.then)
    head = tree.dialect.if_head.format(c=negated(tree, item.condition))
    place, following = _next_guard(tree, rest)
    if following is None:
        body = moved(tree, rest, deeper)
    else:
        parts = [moved(tree, rest[:place], deeper)] if place else []
        body = "\n".join([*parts, _nested(tree, following, rest[place + 1 :], deeper)])
    if len(then) == 1 and tree.core(then[0]).kind == tree.dialect.continues:
        return braced(tree, head, body, margin)
    rows = [f"{margin}{head}", body, f"{margin}}} else {{", moved(tree, then, deeper), f"{margin}}}"]
    return "\n".join(rows)


def _next_guard(tree: Tree, statements: Sequence[Node]) -> tuple[int, If | None]:
    for place, statement in enumerate(statements[:-1]):
        found = as_if(tree, statement)
        if found is not None and found.other is None and ends_by_leaving(tree, found.then):
            return place, found
    return 0, None


def _split_condition(tree: Tree, item: If) -> Iterator[Site]:
    parts = _joint(tree, item.condition, "&&")
    if item.other is not None or item.is_chained or len(parts) < 2 or not stands_alone(tree, item.statement):
        return
    margin = indent(tree, item.statement)
    rows, deeper = [], margin
    for part in parts:
        rows.append(f"{deeper}{tree.dialect.if_head.format(c=part.text)}")
        deeper = inner(tree, deeper)
    rows.append(moved(tree, tree.statements(item.then), deeper))
    step = len(deeper) - len(margin)
    closing = [deeper[: len(deeper) - step * number // len(parts)] for number in range(1, len(parts) + 1)]
    yield (replace_statements(tree, [item.statement], [*rows, *(f"{gap}}}" for gap in closing)]),)


def _joint(tree: Tree, condition: Node, sign: str) -> list[Node]:
    """The parts of a joint condition, from the left; the condition itself where it is none."""
    sides = operands(tree, condition)
    if sides is None or operator(condition) != sign:
        return [condition]
    return [*_joint(tree, sides[0], sign), sides[1]]


def _flags(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A return in a loop, or a break of it, becomes a flag that the code behind the loop or its head asks."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for place, statement in enumerate(statements):
            loop = tree.core(statement)
            if loop.kind in tree.dialect.loops and stands_alone(tree, statement):
                yield from _flagged_returns(tree, statement, loop, is_last=place == len(statements) - 1)


def _flagged_returns(tree: Tree, statement: Node, loop: Node, *, is_last: bool) -> Iterator[Site]:
    found = [node for node in tree.own(loop) if node.kind == tree.dialect.returns]
    values = [returned(tree, node) for node in found]
    function = tree.function_of(statement)
    flag = tree.fresh([in_convention(tree, name.split("_")) for name in FLAGS])
    if not found or None in values or flag is None or function is None or not _can_break(tree, loop, found):
        return
    if is_last and _is_endless(tree, loop):
        return
    texts = {value.text for value in values if value is not None}
    margin = indent(tree, statement)
    before = [tree.dialect.flag.format(n=flag, v="false").rstrip(";") + end(tree)]
    setting = [f"{flag} = true{end(tree)}", f"break{end(tree)}"]
    result, given = None, next(iter(texts))
    if len(texts) > 1 or not re.fullmatch(r"-?\d+|true|false|\"\w*\"|[A-Z]\w*", given):
        result = tree.fresh([in_convention(tree, name.split("_")) for name in RESULTS])
        kept = _kept_result(tree, function, result) if result is not None else None
        if kept is None:
            return
        before, given = [*before, kept[0]], kept[1]
    edits = [_set(tree, node, result, setting) for node in found]
    if any(edit is None for edit in edits):
        return
    head = tree.dialect.if_head.format(c=flag)
    after = f"\n{margin}{head}\n{inner(tree, margin)}return {given}{end(tree)}\n{margin}}}"
    start, stop = span(tree, [statement])
    head_rows = Edit(start, start, "".join(f"{row}\n{margin}" for row in before))
    yield (head_rows, *(edit for edit in edits if edit is not None), Edit(stop, stop, after))


def _is_endless(tree: Tree, loop: Node) -> bool:
    """Whether nothing but a break or a return ends a loop, so that the compiler asks for no return behind it."""
    heads = [child for child in loop.named if child is not loop.field("body")]
    return not heads or (loop.kind in tree.dialect.for_classic and loop.field("condition") is None)


def _can_break(tree: Tree, loop: Node, returns: Sequence[Node]) -> bool:
    """Whether a break in the place of each return leaves this loop and no other, and no switch."""
    for node in returns:
        for around in node.ancestors():
            if around is loop:
                break
            is_other = around.kind in tree.dialect.loops | tree.dialect.functions | {"class_body", "declaration_list"}
            if is_other or SWITCHES.search(around.kind) or around.kind in ("match_arm", "try_statement"):
                return False
    body = loop.field("body")
    condition = loop.field("condition")
    return body is not None and (condition is None or condition.text not in ("(true)", "true"))


def _kept_result(tree: Tree, function: Node, name: str) -> tuple[str, str] | None:
    """The row that declares a variable for the function's result, and the variable as it is returned."""
    kind = return_type(tree, function)
    if kind is None or "&" in kind or "impl" in kind:
        return None
    match tree.dialect.id:
        case "cpp":
            return f"{kind} {name}{{}};", name
        case "java":
            zero = (
                "false" if kind == "boolean" else "0" if kind in ("int", "long", "double", "float", "char") else "null"
            )
            return f"{kind} {name} = {zero};", name
        case "go":
            return f"var {name} {kind}", name
        case "rust":
            return f"let mut {name}: Option<{kind}> = None;", f"{name}.unwrap()"
        case _:
            return f"let {name} = null{end(tree)}", name


def _set(tree: Tree, node: Node, result: str | None, setting: Sequence[str]) -> Edit | None:
    """The edit that sets flag and result and leaves the loop where a value was returned."""
    statement = node.parent if node.parent is not None and node.parent.kind == tree.dialect.statement else node
    value, parent = returned(tree, node), statement.parent
    if value is None or parent is None or "\n" in value.text:
        return None
    kept = [] if result is None else [f"{result} = {value.text}{end(tree)}"]
    if result is not None and tree.dialect.id == "rust":
        kept = [f"{result} = Some({value.text});"]
    margin = indent(tree, statement)
    rows = [*kept, *setting]
    in_block = parent.kind in tree.dialect.blocks | tree.dialect.containers
    if in_block and stands_alone(tree, statement):
        return statement.replaced(f"\n{margin}".join(rows))
    if in_block:
        return statement.replaced("; ".join(row.rstrip(";") for row in rows) + end(tree))
    alone = stands_alone(tree, statement)
    outer = margin[: -len(inner(tree, ""))] if alone and margin.endswith(inner(tree, "")) else margin
    deeper = inner(tree, outer)
    body = "".join(f"\n{deeper}{row}" for row in rows)
    return Edit(statement.start, statement.end, f"{{{body}\n{outer}}}")


def _duplication(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """What follows an if goes into each branch; a || b becomes two branches with the same code."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for place, statement in enumerate(statements):
            found = as_if(tree, statement)
            if found is None or not stands_alone(tree, statement) or found.is_chained:
                continue
            yield from _copied_rest(tree, found, statements[place + 1 :])
            yield from _split_alternatives(tree, found)


def _copied_rest(tree: Tree, item: If, rest: Sequence[Node]) -> Iterator[Site]:
    """if c { A } else { B } rest  ->  if c { A rest } else { B rest }"""
    other = item.other
    is_chain = other is not None and tree.core(other).kind == tree.dialect.if_kind
    if not rest or len(rest) > LONGEST_COPY or is_chain or not stands_alone(tree, rest[0], rest[-1]):
        return
    if ends_by_leaving(tree, item.then) or ends_by_leaving(tree, other) or not tree.statements(item.then):
        return
    margin = indent(tree, item.statement)
    deeper = inner(tree, margin)
    tail = moved(tree, rest, deeper)
    if len(rest) == 1 and "\n" not in rest[0].text and other is None and len(tree.statements(item.then)) < 2:
        return
    head = tree.dialect.if_head.format(c=item.condition.text)
    rows = [f"{margin}{head}", moved(tree, tree.statements(item.then), deeper), tail, f"{margin}}} else {{"]
    rows += [moved(tree, tree.statements(other), deeper)] if tree.statements(other) else []
    yield (replace_statements(tree, [item.statement, *rest], [*rows, tail, f"{margin}}}"]),)


def _split_alternatives(tree: Tree, item: If) -> Iterator[Site]:
    """if a || b { S }  ->  if a { S } else if b { S }"""
    parts = _joint(tree, item.condition, "||")
    if len(parts) < 2 or not tree.statements(item.then):
        return
    margin = indent(tree, item.statement)
    body = moved(tree, tree.statements(item.then), inner(tree, margin))
    heads = [tree.dialect.if_head.format(c=part.text) for part in parts]
    text = f"{margin}{heads[0]}\n{body}\n{margin}}}"
    text += "".join(f" else {head}\n{body}\n{margin}}}" for head in heads[1:])
    if item.other is not None:
        other = item.other.text if item.other.kind in (*tree.dialect.blocks, tree.dialect.if_kind) else ""
        if not other:
            return
        text += f" else {other}"
    yield (replace_statements(tree, [item.statement], [text]),)


REWRITES: Mapping[str, BraceRule] = {
    "deep-nesting": BraceRule(_deep_nesting, rows=changed_rows),
    "flags-for-control-flow": BraceRule(_flags, rows=changed_rows),
    "copy-and-paste-duplication": BraceRule(_duplication, rows=changed_rows),
}
