"""Rewrites between comprehensions and loops that append (ceiling 5)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import has_effects, hoist_target, names_in
from perturbation.rules.mechanical.python.scopes import enclosing_function, fresh
from perturbation.rules.mechanical.python.tree import STEP, Comprehension, Edit, Site, Tree, blocks, rewrite
from perturbation.rules.source import Rewrite


def loop_rows(tree: Tree, generators: list[ast.comprehension], indent: str) -> tuple[str, str] | None:
    """The for and if rows of a comprehension's clauses, and the indentation below them; None if it is async."""
    rows = ""
    for clause in generators:
        if clause.is_async:
            return None
        rows += f"{indent}for {tree.code(clause.target)} in {tree.code(clause.iter)}:\n"
        indent += STEP
        for test in clause.ifs:
            rows += f"{indent}if {tree.code(test)}:\n"
            indent += STEP
    return rows, indent


def shadows(tree: Tree, node: Comprehension) -> bool:
    """Whether a comprehension's own variables are used outside it in the function, so that a loop would change them."""
    function = enclosing_function(tree, node)
    own = {name for clause in node.generators for name in names_in(clause.target)}
    inside = sum(isinstance(child, ast.Name) and child.id in own for child in ast.walk(node))
    scope = function if function is not None else tree.module
    everywhere = sum(
        (isinstance(child, ast.Name) and child.id in own) or (isinstance(child, ast.arg) and child.arg in own)
        for child in ast.walk(scope)
    )
    return everywhere != inside


def statement_to_unfold(tree: Tree, node: Comprehension) -> ast.stmt | None:
    """The statement before which a comprehension can be spelt out as a loop; None where that would rename or tear."""
    statement = hoist_target(tree, node)
    is_free = enclosing_function(tree, node) is not None and not shadows(tree, node) and "\n" not in tree.code(node)
    return statement if is_free else None


def _comprehensions_to_loops(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.nodes(ast.ListComp):
        statement = statement_to_unfold(tree, node)
        if statement is None:
            continue
        indent, span = tree.indent(statement), tree.block_span([statement])
        target = _assigned_name(statement, node)
        name = target or fresh(tree, ("result", "collected", "selected", "gathered"))
        head = loop_rows(tree, node.generators, indent)
        if head is None or span is None or (target and target in names_in(node)):
            continue
        rows = f"{indent}{name} = []\n{head[0]}{head[1]}{name}.append({tree.code(node.elt)})\n"
        yield (Edit(*span, rows),) if target else (Edit(span[0], span[0], rows), tree.replace(node, name))


def _assigned_name(statement: ast.stmt, value: ast.expr) -> str | None:
    if isinstance(statement, ast.Assign) and statement.value is value and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    return None


def _loops_to_comprehensions(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for function in tree.functions():
        for block in blocks(function):
            for position, loop in enumerate(block):
                if isinstance(loop, ast.For) and not loop.orelse:
                    yield from _as_comprehension(tree, block[:position], loop)


def _as_comprehension(tree: Tree, before: list[ast.stmt], loop: ast.For) -> Iterator[Site]:
    condition, inner = None, loop.body
    if len(inner) == 1 and isinstance(inner[0], ast.If) and not inner[0].orelse:
        condition, inner = inner[0].test, inner[0].body
    call = inner[0].value if len(inner) == 1 and isinstance(inner[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return
    owner = call.func.value
    start = _empty_list_before(before, owner)
    removed, span = start and tree.block_span([start]), tree.block_span([loop])
    if not isinstance(owner, ast.Name) or not removed or not span or len(call.args) != 1 or "#" in tree.code(loop):
        return
    if owner.id in names_in(loop.iter) | names_in(call.args[0]) | (names_in(condition) if condition else set()):
        return
    clause = f" if {tree.code(condition)}" if condition else ""
    element = tree.code(call.args[0])
    code = f"[{element} for {tree.code(loop.target)} in {tree.code(loop.iter)}{clause}]"
    if "\n" not in code and not has_effects(loop.iter):
        yield Edit(*removed, ""), Edit(*span, f"{tree.indent(loop)}{owner.id} = {code}\n")


def _empty_list_before(before: list[ast.stmt], owner: ast.expr) -> ast.stmt | None:
    for statement in reversed(before):
        if isinstance(owner, ast.Name) and owner.id in names_in(statement):
            value = getattr(statement, "value", None)
            is_empty = (
                isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(value, ast.List) and not value.elts
            )
            return statement if is_empty else None
    return None


REWRITES: Mapping[str, Rewrite] = {
    "comprehension-to-loop": rewrite(_comprehensions_to_loops),
    "loop-to-comprehension": rewrite(_loops_to_comprehensions),
}
