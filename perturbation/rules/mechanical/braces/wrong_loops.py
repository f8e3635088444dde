"""Rewrites whose loops do the wrong work: the first element only, an early end, state begun anew (ceiling 1)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.declared_types import TEXT, Types, element_of, type_of, types_in
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.conditions import as_if, leaves, negated
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import (
    indent,
    insert_after,
    insert_before,
    moved,
    replace_statements,
    stands_alone,
    step,
)
from perturbation.rules.mechanical.syntax.scopes import assigned, declared, occurrences, outermost_functions, used
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import rewritten_rows

FILLED = re.compile(r"push_back|push|push_str|add|append|insert|put|unshift|extend")
ITERATES = re.compile(r"\.(iter|into_iter|iter_mut|chars|bytes|enumerate|rev|skip|step_by|zip|keys|values)\([^()]*\)$")
PARTIAL = ("partial", "fresh_value", "turn_value")


def loops(tree: Tree) -> Iterator[tuple[Node, Node]]:
    """Every loop that is a statement with rows of its own: the statement and the loop itself, in source order."""
    for loop in tree.find(*tree.dialect.loops):
        parent = loop.parent
        statement = parent if parent is not None and parent.kind == tree.dialect.statement else loop
        if stands_alone(tree, statement):
            yield statement, loop


def _first_element_only(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A loop does its work once, for the first element or the first number."""
    for function in outermost_functions(tree):
        known = types_in(tree, function)
        for statement, loop in loops(tree):
            body = loop.field("body")
            if body is None or not function.start <= loop.start < function.end or not _is_free(tree, function, loop):
                continue
            inside, head = tree.statements(body), _first(tree, loop, body, known)
            if head is not None and inside and _is_among_statements(tree, statement):
                margin = indent(tree, statement)
                rows = [margin + row for row in head]
                yield (replace_statements(tree, [statement], [*rows, moved(tree, inside, margin)]),)


def _is_among_statements(tree: Tree, statement: Node) -> bool:
    parent = statement.parent
    return parent is not None and parent.kind in tree.dialect.blocks | tree.dialect.containers


def _is_free(tree: Tree, function: Node, loop: Node) -> bool:
    """Whether a loop's work may stand without the loop: it neither leaves it nor declares names used elsewhere."""
    leaving = {tree.dialect.breaks, tree.dialect.continues, tree.dialect.returns}
    body = loop.field("body")
    last = tree.statements(body)[-1:] if body is not None else []
    if any(node.kind in leaving - {tree.dialect.returns} for node in loop.walk()) or any(leaves(tree, s) for s in last):
        return False
    names = set(declared(tree, loop))
    others = [node for node in function.find("identifier") if not loop.start <= node.start < loop.end]
    return not any(node.text in names for node in others)


def _first(tree: Tree, loop: Node, body: Node, known: Types) -> list[str] | None:
    """The rows that give a loop's variables their first values; None where that cannot be told."""
    clause = next((child for child in loop.named if child.kind in ("for_clause", "range_clause")), loop)
    start = clause.field("initializer") or clause.field("init")
    if start is not None:
        text = start.text.rstrip(";") + tree.dialect.end
        names = declared(tree, start)
        return [text] if names and (tree.dialect.id != "go" or set(names) <= used(tree, body)) else None
    if clause.kind not in tree.dialect.for_each:
        return None
    return _first_of_all(tree, clause, body, known)


def _first_of_all(tree: Tree, clause: Node, body: Node, known: Types) -> list[str] | None:
    over = clause.field("right") or clause.field("value")
    if over is None:
        return None
    kind = type_of(tree, over, known)
    if tree.dialect.id == "go":
        return _first_in_go(clause, over, used(tree, body), kind)
    if tree.dialect.id == "rust":
        pattern = clause.field("pattern")
        source = over.text if over.kind in tree.dialect.calls | {"identifier"} else f"({over.text})"
        source += "" if ITERATES.search(over.text) or over.kind == "range_expression" else ".into_iter()"
        return [f"let {pattern.text} = {source}.next().unwrap();"] if pattern is not None else None
    first = _first_value(tree, over, kind)
    opening = next(child for child in clause.children if child.text == "(").end
    sign = next((child for child in clause.children if child.text in (":", "of")), None)
    return [f"{tree.text[opening : sign.start].strip()} = {first};"] if first is not None and sign is not None else None


def _first_value(tree: Tree, over: Node, kind: str) -> str | None:
    if tree.dialect.id == "cpp":
        return f"*{over.text}.begin()" if over.kind == "identifier" else None
    if tree.dialect.id == "javascript":
        return f"{over.text}[0]" if over.kind in ("identifier", "member_expression", "call_expression") else None
    if kind.endswith("[]") or over.text.endswith("toCharArray()") or re.search(r"\.split\([^()]*\)$", over.text):
        return f"{over.text}[0]"
    return f"{over.text}.get(0)" if element_of(kind) else None


def _first_in_go(clause: Node, over: Node, needed: frozenset[str], kind: str) -> list[str] | None:
    left = clause.field("left")
    if left is None or not (
        element_of(kind) or TEXT.fullmatch(kind) or re.match(r"strings\.(Split|Fields)", over.text)
    ):
        return None
    value = f"[]rune({over.text})[0]" if TEXT.fullmatch(kind) else f"{over.text}[0]"
    pairs = zip([name.text for name in left.named], ("0", value), strict=False)
    return [f"{name} := {first}" for name, first in pairs if name in needed - {"_"}]


def _early_exits(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The search ends at the first value that does not fit or is no improvement."""
    for statement, loop in loops(tree):
        body = loop.field("body")
        inside = tree.statements(body)
        choice = as_if(tree, inside[-1]) if inside else None
        if body is None or choice is None or choice.other is not None or "\n" in choice.condition.text:
            continue
        work = tree.statements(choice.then)
        if not work or tree.core(work[-1]).kind == tree.dialect.continues or not stands_alone(tree, choice.statement):
            continue
        is_block = body.kind in tree.dialect.blocks
        margin = indent(tree, choice.statement) if is_block else indent(tree, statement) + step(tree)
        head = tree.dialect.if_head.format(c=negated(tree, choice.condition))
        rows = [margin + head, margin + step(tree) + "break" + tree.dialect.end, margin + "}"]
        rows.append(moved(tree, work, margin))
        if is_block:
            yield (replace_statements(tree, [choice.statement], rows),)
        else:
            opening = max(child.end for child in loop.children if child.end <= body.start)
            text = "\n".join(["", *rows, indent(tree, statement) + "}"])
            yield (Edit(opening, body.end, " {" + text),)


def _state_across_iterations(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """What a loop collects is collected in a variable of its own in every turn: only the last turn counts."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for position, statement in enumerate(statements):
            loop = tree.core(statement)
            if loop.kind in tree.dialect.loops and stands_alone(tree, statement):
                later = frozenset().union(*(used(tree, node) for node in statements[position + 1 :]))
                for declaration in statements[:position]:
                    if later & set(declared(tree, declaration)):
                        yield from _begun_anew(tree, declaration, loop)


def _begun_anew(tree: Tree, declaration: Node, loop: Node) -> Iterator[Site]:
    body, names = loop.field("body"), list(declared(tree, declaration))
    inside, fresh = tree.statements(body), tree.fresh(PARTIAL)
    if body is None or body.kind not in tree.dialect.blocks or not inside or fresh is None or len(names) != 1:
        return
    name = names[0]
    header = [node for node in loop.find("identifier") if node.text == name and not body.start <= node.start < body.end]
    if declaration.kind not in tree.dialect.local or header or not _is_collected(tree, body, name):
        return
    if leaves(tree, inside[-1]) or "\n" in declaration.text or not stands_alone(tree, inside[-1]):
        return
    found = occurrences(tree, body, name)
    if found and all(stands_alone(tree, node) for node in (inside[0], inside[-1])):
        text = re.sub(rf"\b{re.escape(name)}\b", fresh, declaration.text, count=1)
        yield (
            *_reassignable(tree, declaration),
            insert_before(tree, inside[0], [_changeable(tree, text)]),
            *(node.replaced(fresh) for node in found),
            insert_after(tree, inside[-1], [f"{name} = {fresh}{tree.dialect.end}"]),
        )


def _changeable(tree: Tree, declaration: str) -> str:
    text = declaration.rstrip(";") + tree.dialect.end
    return re.sub(r"^const\b", "let", text) if tree.dialect.id == "javascript" else text


def _reassignable(tree: Tree, declaration: Node) -> tuple[Edit, ...]:
    is_constant = tree.dialect.id == "javascript" and declaration.text.startswith("const ")
    return (Edit(declaration.start, declaration.start + len("const"), "let"),) if is_constant else ()


def _is_collected(tree: Tree, body: Node, name: str) -> bool:
    if name in assigned(tree, body) - set(declared(tree, body)):
        return True
    calls = [call.field("function") or call for call in body.find(*tree.dialect.calls)]
    return any(re.match(rf"{re.escape(name)}\.({FILLED.pattern})\b", call.text) for call in calls)


REWRITES: Mapping[str, BraceRule] = {
    "first-element-only": BraceRule(_first_element_only),
    "early-exit": BraceRule(_early_exits),
    "state-across-iterations": BraceRule(_state_across_iterations, rows=rewritten_rows),
}
