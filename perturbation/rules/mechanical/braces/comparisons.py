"""Rewrites that decide wrongly: a wrong comparison or a wrong joint condition (ceiling 2)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.conditions import (
    If,
    bare,
    comparison,
    ifs,
    is_simple,
    operands,
    operator,
)
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.tree import Node, Tree

STRICTNESS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
DIRECTION = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==", "===": "!==", "!==": "==="}
JOINT = {"&&": "||", "||": "&&", "and": "or", "or": "and"}


def sign_edit(tree: Tree, node: Node, new: str) -> Edit:
    """Another operator in a binary expression, an assignment or a comparison, all else as it is."""
    token = node.field("operator") or next(child for child in node.children if not child.is_named)
    return token.replaced(new)


def _compared(tree: Tree, table: Mapping[str, str]) -> Iterator[Site]:
    for node in tree.find(tree.dialect.binary):
        parts = comparison(tree, node)
        if parts is not None and parts[1] in table:
            yield (sign_edit(tree, node, table[parts[1]]),)


def _wrong_boundaries(tree: Tree, rng: random.Random) -> Iterator[Site]:
    yield from _compared(tree, STRICTNESS)


def _wrong_directions(tree: Tree, rng: random.Random) -> Iterator[Site]:
    yield from _compared(tree, DIRECTION)


def _wrong_logic(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """&& <-> ||, one operand lost, a lost negation, or a call or name negated as the condition of an if."""
    for node in tree.find(tree.dialect.binary):
        sides, sign = operands(tree, node), operator(node)
        if sides is not None and sign in JOINT:
            yield (sign_edit(tree, node, JOINT[sign]),)
            yield (Edit(node.start, sides[1].start, ""),)
            yield (Edit(sides[0].end, node.end, ""),)
    for node in tree.find(tree.dialect.unary):
        if operator(node) in ("!", "not") and node.named:
            yield (node.replaced(node.named[-1].text),)
    for choice in ifs(tree):
        yield from _negated(tree, choice)


def _negated(tree: Tree, choice: If) -> Iterator[Site]:
    condition = bare(tree, choice.condition)
    if is_simple(tree, condition) and condition.text not in ("true", "false"):
        yield (Edit(condition.start, condition.start, "!"),)


REWRITES: Mapping[str, BraceRule] = {
    "wrong-boundary-comparison": BraceRule(_wrong_boundaries),
    "wrong-comparison-direction": BraceRule(_wrong_directions),
    "wrong-logical-operator": BraceRule(_wrong_logic),
}
