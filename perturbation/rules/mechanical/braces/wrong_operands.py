"""Rewrites that use a wrong operand or variable, or lose a result (ceiling 2)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.declared_types import is_text, type_of, types_in
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.conditions import operands, operator
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import removed, stands_alone
from perturbation.rules.mechanical.syntax.scopes import declared, is_variable, outermost_functions
from perturbation.rules.mechanical.syntax.tree import Node, Tree

ORDERED = frozenset({"-", "/", "%"})
SYMMETRIC = re.compile(r"(.*\W)?(max|min|gcd|swap|zip|print\w*|Max|Min|Println|Equal|of|asList)")
CONTAINERS = frozenset({"push_back", "add", "append", "push", "push_str", "insert"})
CHANGES = re.compile(r"\.(sort|push|pop|insert|remove|swap|clear|next|extend|retain|dedup|drain|reverse|truncate)")
INDEXED = frozenset({"subscript_expression", "index_expression", "array_access"})


def _swapped(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Two arguments of one type, the operands of an operation whose order matters, or two indices, exchanged."""
    for function in outermost_functions(tree):
        known = types_in(tree, function)
        for node in function.walk():
            sides = operands(tree, node)
            if sides is not None and operator(node) in ORDERED and not is_text(tree, node, known):
                yield _exchanged(tree, *sides)
            elif node.kind in tree.dialect.calls:
                yield from _swapped_arguments(tree, node, known)
            elif node.kind in INDEXED and node.named[0].kind == node.kind:
                yield _exchanged(tree, node.named[0].named[-1], node.named[-1])


def _swapped_arguments(tree: Tree, call: Node, known: Mapping[str, str]) -> Iterator[Site]:
    named, arguments = call.field("function") or call.field("name"), call.field("arguments")
    if named is None or arguments is None or SYMMETRIC.fullmatch(named.text):
        return
    for first, second in zip(arguments.named, arguments.named[1:], strict=False):
        types = {type_of(tree, first, known), type_of(tree, second, known)}
        if tree.dialect.id == "javascript" or (len(types) == 1 and "" not in types):
            yield _exchanged(tree, first, second)


def _exchanged(tree: Tree, first: Node, second: Node) -> Site:
    if first.text == second.text or any("function" in node.kind for node in (first, second)):
        return ()
    one, two = (f"({n.text})" if n.kind == tree.dialect.binary else n.text for n in (first, second))
    return first.replaced(two), second.replaced(one)


def _wrong_variables(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A name read in one place replaced by another variable of the same function and the same declared type."""
    for function in outermost_functions(tree):
        known, places = types_in(tree, function), declared(tree, function)
        for node in function.find("identifier"):
            kind = known.get(node.text, "")
            if node.text not in places or not is_variable(tree, node) or _is_written(tree, node):
                continue
            for other, place in places.items():
                same = known.get(other, "") == kind and (kind or tree.dialect.id == "javascript")
                if other != node.text and same and _is_seen_from(tree, place, node):
                    yield (node.replaced(other),)


def _is_written(tree: Tree, node: Node) -> bool:
    """Whether an identifier is declared or assigned where it stands, counted up, or called."""
    kinds = {kind for kind, _ in tree.dialect.declared} | tree.dialect.assignments
    above = list(node.ancestors())[:3]
    fields = ("left", "declarator", "name", "pattern", "argument", "function", "parameters")
    for below, item in zip([node, *above], above, strict=False):
        if item.kind in kinds | tree.dialect.updates | {"init_declarator"} and any(
            below.is_field(field) for field in fields
        ):
            return True
    parent = node.parent
    if tree.dialect.id == "rust" and CHANGES.match(tree.text[node.end : node.end + 20]):
        return True  # another variable there would have to be declared mutable
    written = tree.dialect.updates | {"parameter_declaration"}
    return parent is not None and (node.is_field("function") or parent.kind in written)


def _is_seen_from(tree: Tree, place: Node, node: Node) -> bool:
    """Whether a variable declared at a place has a value and is in scope at a node behind it."""
    if place.end >= node.start:
        return False
    scopes = tree.dialect.blocks | tree.dialect.functions | tree.dialect.loops | {"match_arm", "if_expression"}
    holder = next((item for item in place.ancestors() if item.kind in scopes), None)
    statement = next((item for item in place.ancestors() if item.kind in tree.dialect.local), None)
    behind = statement is None or statement.end <= node.start
    return behind and holder is not None and holder.start <= node.start and node.end <= holder.end


def _dropped_results(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A call whose result is not used any more: not assigned, not collected, or not returned."""
    for statement in tree.find(tree.dialect.statement, *tree.dialect.assignments, tree.dialect.returns):
        core = tree.core(statement)
        if not stands_alone(tree, statement):
            continue
        if core.kind in tree.dialect.assignments and core.kind != "short_var_declaration":
            yield from _only_call(tree, core, _single(core.field("right")))
        elif core.kind in tree.dialect.calls:
            named, arguments = core.field("name") or core.field("function"), core.field("arguments")
            called = re.split(r"\W+", named.text)[-1] if named is not None else ""
            if called in CONTAINERS and arguments is not None and len(arguments.named) == 1:
                yield from _only_call(tree, core, arguments.named[0])
        elif core.kind == tree.dialect.returns:
            yield from _lost_return(tree, core)


def _single(node: Node | None) -> Node | None:
    if node is not None and node.kind == "expression_list":
        return node.named[0] if len(node.named) == 1 else None
    return node


def _only_call(tree: Tree, whole: Node, value: Node | None) -> Iterator[Site]:
    """Keep the call alone; Go lets no builtin and no conversion stand alone, but append's value can be a call."""
    if value is None or value.kind not in tree.dialect.calls:
        return
    called = value.field("function")
    if tree.dialect.id == "go" and called is not None and called.kind == "identifier":
        arguments = value.field("arguments")
        if called.text == "append" and arguments is not None and len(arguments.named) == 2:
            yield from _only_call(tree, whole, arguments.named[1])
            return
        if called.text not in {tree.name(function) for function in tree.functions()}:
            return
    yield (whole.replaced(value.text),)


def _lost_return(tree: Tree, core: Node) -> Iterator[Site]:
    """return f(x)  ->  f(x), in JavaScript, where a function may end without a result. C++ would do anything then."""
    value = core.named[0] if core.named else None
    if value is None or tree.dialect.id != "javascript" or value.text.startswith(("{", "[", "(")):
        return
    if value.kind in tree.dialect.calls | {tree.dialect.binary}:
        yield (Edit(core.start, value.start, ""),)
    else:
        block = next(item for item in core.ancestors() if item.kind in tree.dialect.blocks | {"program"})
        if core in tree.statements(block)[1:]:
            yield (removed(tree, core),)


REWRITES: Mapping[str, BraceRule] = {
    "swapped-operands": BraceRule(_swapped),
    "wrong-variable": BraceRule(_wrong_variables),
    "dropped-result": BraceRule(_dropped_results),
}
