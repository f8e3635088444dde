"""The functions and classes of a program with their lines, from its syntax tree; changes are counted on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from perturbation.diff.grammars import parse

WHOLE_FILE = "whole file"

_SCOPES = {
    "python": {"function_definition": "function", "class_definition": "class"},
    "java": {
        "method_declaration": "function",
        "constructor_declaration": "function",
        "compact_constructor_declaration": "function",
        "class_declaration": "class",
        "interface_declaration": "class",
        "enum_declaration": "class",
        "record_declaration": "class",
        "annotation_type_declaration": "class",
    },
    "cpp": {
        "function_definition": "function",
        "class_specifier": "class",
        "struct_specifier": "class",
        "union_specifier": "class",
        "enum_specifier": "class",
        "namespace_definition": "module",
    },
    "javascript": {
        "function_declaration": "function",
        "generator_function_declaration": "function",
        "method_definition": "function",
        "arrow_function": "function",
        "function_expression": "function",
        "generator_function": "function",
        "class_declaration": "class",
        "class": "class",
    },
    "go": {
        "function_declaration": "function",
        "method_declaration": "function",
        "type_spec": "class",
    },
    "rust": {
        "function_item": "function",
        "struct_item": "class",
        "enum_item": "class",
        "union_item": "class",
        "trait_item": "class",
        "impl_item": "class",
        "mod_item": "module",
        "macro_definition": "function",
    },
}
# The span of a definition begins at its decorators, template head or export word.
_WRAPPERS = frozenset({"decorated_definition", "template_declaration", "export_statement"})
# Where JavaScript names a function that has no name of its own.
_STORED_UNDER = {
    "variable_declarator": "name",
    "assignment_expression": "left",
    "pair": "key",
    "field_definition": "property",
}
_SEPARATORS = {"cpp": "::", "rust": "::"}


@dataclass(frozen=True, slots=True)
class Scope:
    """A definition: qualified name, made unique by #2, #3 ... where it repeats; first and last line from 1."""

    name: str
    kind: str
    first: int
    last: int


def scopes(text: str, language: str) -> tuple[Scope, ...] | None:
    """Definitions in source order, outer before inner; None where the text does not parse."""
    tree = parse(text, language)
    if tree is None:
        return None
    seen: Counter[str] = Counter()
    found: list[Scope] = []
    for scope in _walk(tree.root_node, language):
        seen[scope.name] += 1
        repeat = f" #{seen[scope.name]}" if seen[scope.name] > 1 else ""
        found.append(Scope(scope.name + repeat, scope.kind, scope.first, scope.last))
    return tuple(found)


def innermost(scopes_of_text: tuple[Scope, ...], line_count: int) -> list[Scope | None]:
    """For each line (index 0 is line 1) the innermost definition around it."""
    owner: list[Scope | None] = [None] * line_count
    for scope in scopes_of_text:
        for line in range(scope.first - 1, min(scope.last, line_count)):
            owner[line] = scope
    return owner


def _walk(root: Node, language: str) -> Iterator[Scope]:
    kinds = _SCOPES[language]
    stack: list[tuple[Node, str, int]] = [(root, "", root.start_point.row)]
    while stack:
        node, prefix, first = stack.pop()
        kind = kinds.get(node.type)
        name = _name(node, language) if kind else ""
        if kind and name and node.is_named:
            prefix = f"{prefix}{_SEPARATORS.get(language, '.')}{name}" if prefix else name
            yield Scope(prefix, kind, first + 1, _last_row(node) + 1)
        wraps = node.type in _WRAPPERS
        for child in reversed(node.children):
            is_body = wraps and child.type in kinds
            stack.append((child, prefix, node.start_point.row if is_body else child.start_point.row))


def _last_row(node: Node) -> int:
    """A node that ends at column 0 ends with the line before."""
    ends_before = node.end_point.column == 0 and node.end_point.row > node.start_point.row
    return node.end_point.row - 1 if ends_before else node.end_point.row


def _name(node: Node, language: str) -> str:
    if language == "cpp" and node.type == "function_definition":
        return _declared(node)
    if language == "rust" and node.type == "impl_item":
        return _text(node.child_by_field_name("type"))
    name = _text(node.child_by_field_name("name"))
    if language == "go" and node.type == "method_declaration":
        return f"{_receiver(node)}.{name}"
    if language == "javascript" and not name:
        return _assigned(node)
    return name


def _text(node: Node | None) -> str:
    return " ".join((node.text or b"").decode().split()) if node else ""


def _declared(node: Node) -> str:
    """The name inside C++ pointer, reference and function declarators."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type.endswith("declarator"):
        nested = (child for child in inner.named_children if child.type.endswith("declarator"))
        inner = inner.child_by_field_name("declarator") or next(nested, None)
    return _text(inner)


def _receiver(node: Node) -> str:
    kinds = _text(node.child_by_field_name("receiver")).strip("()").split()
    return kinds[-1].lstrip("*").partition("[")[0] if kinds else ""


def _assigned(node: Node) -> str:
    """The name that an anonymous JavaScript function is stored under; empty for a call-back."""
    around = node.parent
    field = _STORED_UNDER.get(around.type) if around else None
    return _text(around.child_by_field_name(field)) if around and field else ""
