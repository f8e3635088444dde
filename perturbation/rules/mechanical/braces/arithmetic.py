"""Rewrites that compute wrongly: a wrong arithmetic operator, whole and real division confused (ceiling 2)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.comparisons import sign_edit
from perturbation.rules.mechanical.braces.declared_types import (
    REAL,
    Types,
    is_number,
    is_text,
    type_of,
    types_in,
)
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.conditions import operands, operator
from perturbation.rules.mechanical.syntax.edits import Site
from perturbation.rules.mechanical.syntax.scopes import outermost_functions
from perturbation.rules.mechanical.syntax.tree import Node, Tree

OTHER: Mapping[str, tuple[str, ...]] = {
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("/",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("+=",), "/=": ("*=",), "%=": ("/=",),
}  # fmt: skip
FLOOR = {
    "cpp": "floor({v})",
    "go": "math.Floor({v})",
    "java": "Math.floor({v})",
    "javascript": "Math.floor({v})",
    "rust": "({v}).floor()",
}


def _wrong_arithmetic(tree: Tree, rng: random.Random) -> Iterator[Site]:
    kinds = tree.dialect.assignments | {tree.dialect.binary}
    for function in outermost_functions(tree):
        known = types_in(tree, function)
        for node in function.find(*kinds):
            sides = (node.field("left"), node.field("right"))
            if operator(node) in OTHER and _are_numbers(tree, sides, known) and not _is_unchecked_index(tree, node):
                yield from ((sign_edit(tree, node, new),) for new in OTHER[operator(node)])


def _is_unchecked_index(tree: Tree, node: Node) -> bool:
    """Whether C++ would read or write outside an array: that is undefined and may even pass the tests."""
    around: Node | None = node if tree.dialect.id == "cpp" else None
    while around is not None and around.kind != "subscript_argument_list":
        around = around.parent
    return around is not None


def _are_numbers(tree: Tree, sides: tuple[Node | None, ...], known: Types) -> bool:
    """Whether arithmetic on both sides is arithmetic on numbers. JavaScript takes any operands, so all but texts do."""
    parts = [side for side in sides if side is not None]
    if any(is_text(tree, part, known) for part in parts):
        return False
    return tree.dialect.id == "javascript" or any(is_number(tree, part, known) for part in parts)


def _integer_division(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """a / 2.0  ->  a / 2, float64(a) / float64(b)  ->  float64(a / b); and a real quotient cut to a whole number."""
    for function in outermost_functions(tree):
        known = types_in(tree, function)
        for node in function.find(tree.dialect.binary):
            sides = operands(tree, node)
            if operator(node) == "/" and sides is not None:
                yield from _divided(tree, node, sides, known)


def _divided(tree: Tree, node: Node, sides: tuple[Node, Node], known: Types) -> Iterator[Site]:
    left, right = sides
    values = [_converted(tree, side) for side in sides]
    if values[0] is not None and values[1] is not None:
        text = f"{values[0].text}{tree.text[left.end : right.start]}{values[1].text}"
        written = left.field("type")
        if tree.dialect.id == "go":
            yield (node.replaced(left.text[: left.text.index("(")] + f"({text})"),)
        elif written is not None:
            yield (node.replaced(f"({text}) as {written.text}"),)
    elif tree.dialect.id in ("cpp", "java"):
        whole = right.text.removesuffix(".0")
        if whole.isdigit() and whole != right.text and not REAL.fullmatch(type_of(tree, left, known)):
            yield (right.replaced(whole),)
        yield from ((side.replaced(value.text),) for side, value in zip(sides, values, strict=True) if value)
    kinds = [type_of(tree, side, known) for side in sides]
    # A literal alone does not tell Rust which real type it is.
    is_real = any(REAL.fullmatch(kind) and not (kind == "double" and tree.dialect.id == "rust") for kind in kinds)
    if (is_real or tree.dialect.id == "javascript") and _floor_is_there(tree):
        yield from _cut(tree, node)


def _floor_is_there(tree: Tree) -> bool:
    needed = {"go": '"math"', "cpp": "math"}.get(tree.dialect.id, "")
    return needed in tree.text


def _cut(tree: Tree, node: Node) -> Iterator[Site]:
    """A quotient in Math.floor; one that is already there loses it in JavaScript."""
    holder = node.parent.parent if node.parent is not None else None
    called = holder.field("function") if holder is not None else None
    if holder is not None and called is not None and called.text in ("Math.floor", "Math.trunc", "parseInt"):
        yield (holder.replaced(f"({node.text})"),)
    else:
        yield (node.replaced(FLOOR[tree.dialect.id].format(v=node.text)),)


def _converted(tree: Tree, node: Node) -> Node | None:
    """The value inside a conversion to a real number: float64(a), a as f64, (double) a."""
    written, value = node.field("type"), node.field("value")
    if node.kind in ("cast_expression", "type_cast_expression") and written is not None and value is not None:
        return value if REAL.fullmatch(written.text) else None
    called, arguments = node.field("function"), node.field("arguments")
    if tree.dialect.id == "go" and called is not None and arguments is not None and REAL.fullmatch(called.text):
        return arguments.named[0] if len(arguments.named) == 1 else None
    return None


REWRITES: Mapping[str, BraceRule] = {
    "wrong-arithmetic-operator": BraceRule(_wrong_arithmetic),
    "integer-division": BraceRule(_integer_division),
}
