"""Rewrites of ifs that read as well as before (ceiling 5): other order, guard or else, comparison turned round."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import braced, end, give_back, inner, result_of, returned
from perturbation.rules.mechanical.syntax.conditions import (
    MIRROR,
    If,
    as_if,
    comparison,
    ends_by_leaving,
    ifs,
    is_boolean,
    negated,
)
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, moved, replace_statements, stands_alone
from perturbation.rules.mechanical.syntax.scopes import declared, has_effects
from perturbation.rules.mechanical.syntax.tree import Node, Tree

LONGEST_REST = 8


def guards(tree: Tree) -> Iterator[tuple[If, list[Node]]]:
    """Ifs without else that leave, each with the statements that follow it up to the end of its block."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for place, statement in enumerate(statements):
            found, rest = as_if(tree, statement), statements[place + 1 :]
            if found is None or found.other is not None or not rest or not ends_by_leaving(tree, found.then):
                continue
            if stands_alone(tree, statement) and stands_alone(tree, rest[0], rest[-1]):
                yield found, rest


def _invert(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for item in ifs(tree):
        then, other = item.then, item.other
        if other is None or tree.core(other).kind == tree.dialect.if_kind:
            continue
        if tree.core(then).kind == tree.dialect.if_kind or (then.kind in tree.dialect.blocks) != (
            other.kind in tree.dialect.blocks
        ):
            continue
        condition = item.condition.replaced(negated(tree, item.condition))
        yield (condition, then.replaced(other.text), other.replaced(then.text))


def _guard_or_else(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for item, rest in guards(tree):
        if len(rest) <= LONGEST_REST:
            yield (_with_else(tree, item, rest),)
    for block in tree.blocks():
        statements = tree.statements(block)
        for place, statement in enumerate(statements):
            found = as_if(tree, statement)
            if found is not None and found.other is not None and ends_by_leaving(tree, found.then):
                is_last = place == len(statements) - 1
                if stands_alone(tree, statement) and (is_last or not declared(tree, found.other)):
                    yield _without_else(tree, found)


def _with_else(tree: Tree, item: If, rest: Sequence[Node]) -> Edit:
    margin = indent(tree, item.statement)
    deeper = inner(tree, margin)
    body = moved(tree, tree.statements(item.then), deeper)
    head = tree.dialect.if_head.format(c=item.condition.text)
    rows = [f"{margin}{head}", body, f"{margin}}} else {{", moved(tree, rest, deeper), f"{margin}}}"]
    return replace_statements(tree, [item.statement, *rest], rows)


def _without_else(tree: Tree, item: If) -> Site:
    margin = indent(tree, item.statement)
    other = item.other
    if other is None or tree.core(other).kind == tree.dialect.if_kind or not tree.statements(other):
        return ()
    head = tree.dialect.if_head.format(c=item.condition.text)
    first = braced(tree, head, moved(tree, tree.statements(item.then), inner(tree, margin)), margin)
    return (replace_statements(tree, [item.statement], [first, moved(tree, tree.statements(other), margin)]),)


def _mirror(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """a < b -> b > a; with a literal on the right only where no other comparison is there."""
    found = [(node, parts) for node in tree.find(tree.dialect.binary) if (parts := comparison(tree, node))]
    found = [(node, parts) for node, parts in found if not any(comparison(tree, side) for side in (parts[0], parts[2]))]
    between_values = [(node, parts) for node, parts in found if not re.match(r"[\d'\"-]|true|false|n", parts[2].text)]
    for node, (left, sign, right) in between_values or found:
        both = has_effects(tree, left) and has_effects(tree, right)
        if both or "\n" in node.text or (tree.dialect.id == "rust" and right.kind == "type_cast_expression"):
            continue
        between = tree.text[left.end : right.start].replace(sign, MIRROR[sign], 1)
        yield (node.replaced(f"{right.text}{between}{left.text}"),)


def _choice(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """if c: return a, return b  <->  return c ? a : b."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for place, statement in enumerate(statements):
            if not stands_alone(tree, statement):
                continue
            value = result_of(tree, statement)
            if value is not None and value.kind == tree.dialect.ternary:
                yield from _spelt_out(tree, statement, value)
            found = as_if(tree, statement)
            following = statements[place + 1] if place + 1 < len(statements) else None
            if found is not None and not found.is_chained:
                yield from _joined(tree, found, following)


def _spelt_out(tree: Tree, statement: Node, value: Node) -> Iterator[Site]:
    parts = [value.field(name) for name in ("condition", "consequence", "alternative")]
    condition, one, two = parts
    if condition is None or one is None or two is None or "\n" in value.text:
        return
    margin = indent(tree, statement)
    deeper = inner(tree, margin)
    text = condition.text[1:-1] if condition.kind == tree.dialect.parenthesized else condition.text
    head = tree.dialect.if_head.format(c=text)
    first = braced(tree, head, f"{deeper}return {one.text}{end(tree)}", margin)
    yield (replace_statements(tree, [statement], [first, f"{margin}return {two.text}{end(tree)}"]),)


def _joined(tree: Tree, item: If, following: Node | None) -> Iterator[Site]:
    then = tree.statements(item.then)
    other = tree.statements(item.other) if item.other is not None else [following] if following is not None else []
    if len(then) != 1 or len(other) != 1:
        return
    one, two = returned(tree, then[0]), returned(tree, other[0])
    last = item.statement if item.other is not None else other[0]
    if (
        one is None
        or two is None
        or not stands_alone(tree, last)
        or len(one.text + two.text + item.condition.text) > 80
    ):
        return
    if is_boolean(tree, one) and is_boolean(tree, two) and one.text in ("true", "false"):
        return
    if tree.dialect.id == "rust":
        chosen = f"if {item.condition.text} {{ {one.text} }} else {{ {two.text} }}"
    else:
        chosen = f"{item.condition.text} ? {one.text} : {two.text}"
    span = [item.statement] if item.other is not None else [item.statement, other[0]]
    yield (replace_statements(tree, span, [give_back(tree, then[0], chosen)]),)


REWRITES: Mapping[str, BraceRule] = {
    "mirror-comparison": BraceRule(_mirror),
    "invert-branches": BraceRule(_invert),
    "restructure-guard-clause": BraceRule(_guard_or_else),
    "conditional-expression-and-statement": BraceRule(_choice, without=frozenset({"go"})),
}
