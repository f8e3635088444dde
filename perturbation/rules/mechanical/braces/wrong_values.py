"""Rewrites that put a wrong value in one place: initial, constant, default, special case (ceiling 2)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.edits import Site
from perturbation.rules.mechanical.syntax.scopes import assigned
from perturbation.rules.mechanical.syntax.tree import Node, Tree

NUMBERS = frozenset({"number_literal", "number", "int_literal", "decimal_integer_literal", "integer_literal"})
REALS = frozenset({"float_literal", "decimal_floating_point_literal"})
TEXTS = frozenset({"string_literal", "interpreted_string_literal", "string"})
TRUTHS = {"true": "false", "false": "true"}
PLAIN_TEXT = re.compile(r'(["\'])[^\\%{}]*\1')
TAKES_DEFAULT = frozenset({"getOrDefault", "unwrap_or", "orElse", "value_or", "get_or_insert", "or_insert"})
NOT_VALUES = frozenset(
    {"subscript_argument_list", "array_declarator", "index_expression", "array_access", "subscript_expression"}
    | {"slice_expression", "array_type", "dimensions_expr", "case", "case_statement", "switch_label"}
    | {"macro_invocation", "enum_item", "preproc_def", "import_spec", "preproc_include", "attribute_item"}
)


def other_value(node: Node) -> str | None:
    """A wrong value of the same type for a literal, None for other expressions."""
    text = node.text
    if node.kind in NUMBERS and re.fullmatch(r"\d+", text):
        return "1" if text == "0" else "0"
    if node.kind in REALS | NUMBERS and re.fullmatch(r"\d*\.\d*", text):
        return "1.0" if float(text) == 0 else "0.0"
    if text in TRUTHS or re.fullmatch(r"-\d+", text):
        return TRUTHS.get(text) or text[1:]
    if node.kind in TEXTS and text in ('""', "''"):
        return f"{text[0]} {text[0]}"
    return None


def near_value(node: Node) -> str | None:
    """A slightly wrong value for a literal: a number one off, a text with a character lost."""
    text = node.text
    if node.kind in NUMBERS and re.fullmatch(r"\d{1,8}", text):
        return str(int(text) + 1)
    if node.kind in REALS | NUMBERS and re.fullmatch(r"\d+\.\d+", text):
        return re.sub(r"^\d+", lambda whole: str(int(whole[0]) + 1), text)
    if node.kind in TEXTS and len(text) > 3 and PLAIN_TEXT.fullmatch(text):
        return text[:-2] + text[-1]
    if node.kind in TEXTS and text[1:-1] == " ":
        return f"{text[0]},{text[0]}"
    return None


def _literals(tree: Tree) -> list[Node]:
    return tree.find(*NUMBERS, *REALS, *TEXTS)


def _wrong_constants(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in _literals(tree):
        around = [item.kind for item in node.ancestors()]
        new = near_value(node)
        inside = any(kind in tree.dialect.functions for kind in around)
        if new is not None and inside and not NOT_VALUES & set(around[:3]):
            yield (node.replaced(new),)


def _wrong_initial_values(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The first value of a variable that the function changes later."""
    for function in tree.functions():
        body = tree.body(function)
        for name, value, declaration in _declarations(tree, body) if body is not None else ():
            new = other_value(value)
            rest = [node for node in body.walk() if node.start >= declaration.end] if body is not None else []
            kinds = tree.dialect.assignments | tree.dialect.updates
            changed = any(node.kind in kinds and name in assigned(tree, node) for node in rest)
            if new is not None and changed:
                yield (value.replaced(new),)


def _declarations(tree: Tree, body: Node) -> Iterator[tuple[str, Node, Node]]:
    """Name, first value and declaration of every local, in source order."""
    for node in body.walk():
        if node.kind in ("init_declarator", "variable_declarator", "let_declaration", "var_spec"):
            name = node.field("declarator") or node.field("name") or node.field("pattern")
            value = node.field("value")
            if value is not None and value.kind == "expression_list":
                value = value.named[0]
            if name is not None and value is not None:
                yield name.text, value, node
        elif node.kind == "short_var_declaration":
            left, right = node.field("left"), node.field("right")
            if left is not None and right is not None and len(left.named) == len(right.named):
                yield from ((one.text, other, node) for one, other in zip(left.named, right.named, strict=True))


def _wrong_special_case(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The value returned in a special case: another truth value, 0 for 1, a blank for an empty text."""
    for node in tree.find(tree.dialect.returns):
        value = node.named[0] if node.named else None
        if value is not None and value.kind == "expression_list":
            value = value.named[0]
        if value is None:
            continue
        if value.kind == tree.dialect.unary and other_value(value.named[-1]):
            yield (value.replaced(value.named[-1].text),)
        new = other_value(value) or near_value(value)
        if new is not None:
            yield (value.replaced(new),)


def _wrong_defaults(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The default of a parameter, of a look-up that may find nothing, or of what may be missing."""
    for node in tree.find("optional_parameter_declaration", "assignment_pattern"):
        value = node.field("default_value") or node.field("right")
        yield from _other(value)
    for call in tree.find(*tree.dialect.calls):
        named, arguments = call.field("name") or call.field("function"), call.field("arguments")
        called = named.text.split(".")[-1] if named is not None else ""
        if called in TAKES_DEFAULT and arguments is not None and arguments.named:
            yield from _other(arguments.named[-1])
    for node in tree.find(tree.dialect.binary):
        sign, right = node.field("operator"), node.field("right")
        if tree.dialect.id == "javascript" and sign is not None and sign.text in ("||", "??"):
            yield from _other(right)


def _other(value: Node | None) -> Iterator[Site]:
    new = other_value(value) if value is not None else None
    if value is not None and new is not None:
        yield (value.replaced(new),)


REWRITES: Mapping[str, BraceRule] = {
    "wrong-initial-value": BraceRule(_wrong_initial_values),
    "wrong-constant": BraceRule(_wrong_constants),
    "wrong-special-case": BraceRule(_wrong_special_case),
    "wrong-default": BraceRule(_wrong_defaults, without=frozenset({"go"})),
}
