"""New code in a brace language: declarations with the right type, ifs, return types. Reads the tree, owns no rule."""

from __future__ import annotations

import re

from perturbation.rules.mechanical.syntax.layout import step
from perturbation.rules.mechanical.syntax.tree import Node, Tree


def end(tree: Tree) -> str:
    """What ends a statement: nothing in Go and in JavaScript that is written without semicolons."""
    if tree.dialect.id == "javascript" and not re.search(r";[ \t]*$", tree.text, re.MULTILINE):
        return ""
    return tree.dialect.end


def return_type(tree: Tree, function: Node | None) -> str | None:
    """The type that a function returns, as written; empty in JavaScript; None where it is none, several or unclear."""
    if function is None or function.kind not in tree.dialect.named:
        return None
    match tree.dialect.id:
        case "javascript":
            return ""
        case "go":
            found = function.field("result")
            return None if found is None or found.kind == "parameter_list" else found.text
        case "rust":
            found = function.field("return_type")
        case _:
            found = function.field("type")
    if found is None or found.text in ("void", "auto"):
        return None
    if tree.dialect.id == "cpp":
        before = tree.text[function.start : found.start].split()
        declarator = function.field("declarator")
        if declarator is None or declarator.kind != "function_declarator" or "template" in before:
            return None
    return found.text


def returned(tree: Tree, statement: Node) -> Node | None:
    """The one value of a return statement, else None."""
    core = tree.core(statement)
    if core.kind != tree.dialect.returns:
        return None
    values = [child for child in core.named if child.kind not in tree.dialect.comments]
    if values and values[0].kind == "expression_list":
        values = list(values[0].named)
    return values[0] if len(values) == 1 else None


def tail(tree: Tree, statement: Node) -> Node | None:
    """The value that ends a Rust block without return, where it is the value of the function; else None."""
    block = statement.parent
    if tree.dialect.id != "rust" or block is None or block.kind not in tree.dialect.blocks:
        return None
    is_value = statement.kind not in (tree.dialect.statement, *tree.dialect.local, *tree.dialect.loops)
    is_last = block.named[-1] is statement and block.parent is not None and block.parent.kind == "function_item"
    return statement if is_value and is_last and statement.kind not in tree.dialect.functions else None


def result_of(tree: Tree, statement: Node) -> Node | None:
    """The value of a return statement or of a tail expression."""
    return returned(tree, statement) or tail(tree, statement)


def give_back(tree: Tree, statement: Node, value: str) -> str:
    """A row that returns a value in the way in which this statement returned its own."""
    if tree.core(statement).kind != tree.dialect.returns:
        return value
    return f"return {value}{end(tree)}"


def declaration(tree: Tree, function: Node | None, name: str, value: str) -> str | None:
    """A row that declares a name for a value that the function returns; None where its type is not known."""
    kind = return_type(tree, function)
    if kind is None:
        return None
    if tree.dialect.id == "rust":
        return f"let {name} = {value};"
    if tree.dialect.id == "javascript":
        return f"const {name} = {value}{end(tree)}"
    return tree.dialect.typed.format(n=name, v=value, t=kind)


def braced(tree: Tree, head: str, body: str, margin: str) -> str:
    """head, the body's rows (indented already) and a closing brace."""
    return f"{margin}{head}\n{body}\n{margin}}}"


def inner(tree: Tree, margin: str) -> str:
    """The indentation one level deeper."""
    return margin + step(tree)
