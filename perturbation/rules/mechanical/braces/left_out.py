"""Rewrites that leave out a part of what a function has to do (ceiling 1)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.wrong_boundaries import is_guard, leading_guards
from perturbation.rules.mechanical.syntax.conditions import If, as_if, ends_by_leaving, ifs, leaves
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, moved, removed, replace_statements, stands_alone
from perturbation.rules.mechanical.syntax.scopes import assigned
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import rewritten_rows

BLOCK_ROWS = 5
NO_VALUE = frozenset({"declaration", "local_variable_declaration", "let_declaration"})


def _omitted_steps(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A whole loop is gone, or a condition of five rows and more with all that it does; guard clauses stay."""
    for block in tree.blocks():
        statements = tree.statements(block)
        holder = block.parent
        is_whole_body = holder is not None and holder.kind in tree.dialect.functions
        for statement in statements[:-1] if is_whole_body else statements:
            is_free = stands_alone(tree, statement) and len(statements) > 1
            if is_free and _is_a_step(tree, statement) and not _gives_first_values(tree, statement):
                yield (removed(tree, statement),)


def _is_a_step(tree: Tree, statement: Node) -> bool:
    if tree.core(statement).kind in tree.dialect.loops:
        return True
    choice = as_if(tree, statement)
    return choice is not None and not is_guard(tree, choice) and statement.text.count("\n") + 1 >= BLOCK_ROWS


def _gives_first_values(tree: Tree, statement: Node) -> bool:
    """Whether a variable that was declared without a value gets its first one here: Java and Rust would not build."""
    function = tree.function_of(statement)
    if tree.dialect.id not in ("java", "rust") or function is None:
        return False
    names = assigned(tree, statement)
    bare = [node for node in function.find(*NO_VALUE) if node.end <= statement.start and "=" not in node.text]
    return any(part.text in names for node in bare for part in node.find("identifier"))


def _collapsed_branches(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Of several cases one is left: the code of one branch, whatever the condition."""
    for choice in ifs(tree):
        holder = choice.statement.parent
        held = holder is not None and holder.kind in tree.dialect.blocks | tree.dialect.containers
        if choice.other is None or choice.is_chained or not held or not stands_alone(tree, choice.statement):
            continue
        for branch in _branches(tree, choice):
            inside = tree.statements(branch)
            blind = tree.dialect.id == "java" and bool(inside) and leaves(tree, inside[-1])
            if inside and not (blind and not _is_last(tree, choice.statement)):
                rows = [moved(tree, inside, indent(tree, choice.statement))]
                yield (replace_statements(tree, [choice.statement], rows),)


def _is_last(tree: Tree, statement: Node) -> bool:
    block = next(item for item in statement.ancestors() if item.kind in tree.dialect.blocks)
    return tree.statements(block)[-1] is statement


def _branches(tree: Tree, choice: If) -> list[Node]:
    found, other = [choice.then], choice.other
    while other is not None:
        inner = as_if(tree, other)
        found.append(inner.then if inner is not None else other)
        other = inner.other if inner is not None else None
    return found


def _removed_error_handling(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Every check of the input and every handling of errors is gone; one check alone would be a tweak."""
    for function in tree.functions():
        guards, handled = _checks(tree, function), _handled(tree, function)
        if len(guards) > 1 or handled:
            inside = [node for node in guards if not any(h.start <= node.start < h.end for h, _ in handled)]
            yield tuple(removed(tree, node) for node in inside) + tuple(edit for _, edit in handled)


def _checks(tree: Tree, function: Node) -> list[Node]:
    """Leading guards of the body, guards that throw, and what Go does where an error came back."""
    body = tree.body(function)
    leading = leading_guards(tree, body) if body is not None else []
    own = set(map(id, tree.own(function)))
    found = {choice.statement.start: choice.statement for choice in leading}
    for choice in ifs(tree, function):
        inside = tree.statements(choice.then)
        if id(choice.node) in own and not choice.is_chained and is_guard(tree, choice):
            throws = tree.core(inside[-1]).kind in tree.dialect.throws
            if throws or choice.condition.text.replace(" ", "") == "err!=nil":
                found[choice.statement.start] = choice.statement
    return [found[start] for start in sorted(found) if stands_alone(tree, found[start])]


def _handled(tree: Tree, function: Node) -> list[tuple[Node, Edit]]:
    """Every try without a finally, with the edit that leaves its body alone."""
    found = []
    for node in function.find("try_statement"):
        inside = tree.statements(node.field("body"))
        if inside and stands_alone(tree, node) and not node.find("finally_clause"):
            found.append((node, replace_statements(tree, [node], [moved(tree, inside, indent(tree, node))])))
    return found[:1]


def _broken_recursion(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """All base cases of a function that calls itself are gone."""
    for function in tree.functions():
        body, name = tree.body(function), tree.name(function)
        if body is None or not _mentions(tree, body, name):
            continue
        edits = []
        for statement in tree.statements(body)[:-1]:
            choice = as_if(tree, statement)
            is_base = choice is not None and choice.other is None and ends_by_leaving(tree, choice.then)
            if is_base and not _mentions(tree, statement, name) and stands_alone(tree, statement):
                edits.append(removed(tree, statement))
        yield tuple(edits)


def _mentions(tree: Tree, node: Node, name: str) -> bool:
    calls = [call.field("function") or call.field("name") for call in node.find(*tree.dialect.calls)]
    return any(called is not None and called.text.split(".")[-1] == name for called in calls)


REWRITES: Mapping[str, BraceRule] = {
    "omitted-processing-step": BraceRule(_omitted_steps, rows=rewritten_rows),
    "collapsed-branches": BraceRule(_collapsed_branches, rows=rewritten_rows),
    "error-handling-removed": BraceRule(_removed_error_handling, rows=rewritten_rows),
    "broken-recursion": BraceRule(_broken_recursion, rows=rewritten_rows),
}
