"""Which names a function declares and uses, and renaming them. By name within one outermost function, never beyond."""

from __future__ import annotations

import re

from perturbation.rules.mechanical.syntax.edits import Site
from perturbation.rules.mechanical.syntax.tree import Node, Tree

WRAPPERS = re.compile("declarator|pattern|expression_list|variadic")


def outermost_functions(tree: Tree) -> list[Node]:
    """The functions that stand in no other function, in source order."""
    kinds = tree.dialect.functions
    functions = [node for node in tree.find(*kinds) if node.field("body") is not None]
    return [node for node in functions if not any(around.kind in kinds for around in node.ancestors())]


def declared(tree: Tree, within: Node) -> dict[str, Node]:
    """The parameters and locals declared within a node: name -> the identifier that declares it first."""
    found: dict[str, Node] = {}
    for name in declarations(tree, within):
        found.setdefault(name.text, name)
    return found


def declarations(tree: Tree, within: Node) -> list[Node]:
    """Every identifier that declares a parameter or local within a node, in source order of the declarations."""
    found: list[Node] = []
    for node in within.walk():
        for kind, field in tree.dialect.declared:
            if node.kind == kind:
                parts = node.fields(field) if field else node.named
                found += [name for part in parts for name in names_in(part) if name.text != "_"]
    return found


def names_in(part: Node) -> list[Node]:
    """The identifiers that a declarator or pattern declares, not those in its types and sizes."""
    if part.kind == "identifier":
        return [part]
    if not WRAPPERS.search(part.kind) or part.kind == "tuple_struct_pattern":
        return []
    if part.kind in ("init_declarator", "array_declarator", "function_declarator"):
        inner = part.field("declarator")
        return names_in(inner) if inner is not None and part.kind != "function_declarator" else []
    return [name for child in part.named for name in names_in(child)]


def is_variable(tree: Tree, node: Node) -> bool:
    """Whether an identifier can be a variable where it stands: no member, method, label, key or type."""
    parent = node.parent
    if node.kind != "identifier" or parent is None:
        return False
    if parent.kind in ("method_invocation", "method_declaration", "function_item", "macro_invocation"):
        return not (node.is_field("name") or node.is_field("macro"))
    if parent.kind == "literal_element" and parent.is_field("key"):
        return False
    if parent.kind in tree.dialect.members or tree.text[: node.start].endswith("::"):
        return False
    return not (tree.text[: node.start].rstrip().endswith(".") and not tree.text[: node.start].endswith(".."))


def occurrences(tree: Tree, within: Node, name: str) -> list[Node] | None:
    """Every place where a variable of this name stands; None where the name has another meaning there as well."""
    found: list[Node] = []
    for node in within.walk():
        if node.children and node.kind not in tree.dialect.strings:
            continue
        if node.kind in tree.dialect.strings or node.kind == "string_content":
            if re.search(rf"\{{\s*{re.escape(name)}\b", node.text) and tree.dialect.id == "rust":
                return None
        elif node.text == name:
            if not is_variable(tree, node):
                return None
            found.append(node)
    return found


def renameable(tree: Tree, function: Node) -> list[str]:
    """Names of locals and parameters of an outermost function that can be renamed by name, in source order.

    None that is protected, that is a name outside functions as well, or that has a second meaning in the function.
    """
    elsewhere = _words_outside_functions(tree)
    names = declared(tree, function)
    own = tree.name(function)
    return [
        name
        for name in names
        if name not in tree.protected | elsewhere | {own} and occurrences(tree, function, name) is not None
    ]


def _words_outside_functions(tree: Tree) -> frozenset[str]:
    text = list(tree.text)
    for function in outermost_functions(tree):
        body = function.field("body")
        inside = function.field("parameters") or function.field("declarator") or body
        if body is not None and inside is not None:
            text[inside.start : body.end] = " " * (body.end - inside.start)
    for comment in tree.find(*tree.dialect.comments):
        text[comment.start : comment.end] = " " * (comment.end - comment.start)
    return frozenset(re.findall(r"\w+", "".join(text)))


def rename(tree: Tree, function: Node, name: str, new: str) -> Site:
    """The edits that rename a variable everywhere in a function; empty where that cannot be done by name."""
    return tuple(node.replaced(new) for node in occurrences(tree, function, name) or ())


def used(tree: Tree, within: Node) -> frozenset[str]:
    """The names of variables, functions and types that stand in a node."""
    return frozenset(node.text for node in within.walk() if "identifier" in node.kind and not node.children)


def assigned(tree: Tree, within: Node) -> frozenset[str]:
    """The names that a node declares, assigns to or counts up or down, the first name of x.y[0] = z among them."""
    names = set(declared(tree, within))
    for node in within.walk():
        if node.kind in tree.dialect.assignments | tree.dialect.updates:
            target = node.field("left") or node.field("argument") or (node.named[0] if node.named else node)
            names.update(part.text for part in target.walk() if part.kind == "identifier")
    return frozenset(names)


def has_effects(tree: Tree, node: Node) -> bool:
    """Whether running a node may do more than compute a value: it calls, assigns, makes or leaves something."""
    kinds = tree.dialect.effects | tree.dialect.calls | tree.dialect.assignments | tree.dialect.updates
    return any(part.kind in kinds for part in node.walk())
