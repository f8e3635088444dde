"""Rewrites that leave out a part of what a function has to do (ceiling 1)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Sequence

from perturbation.rules.mechanical.python.expressions import annotation_kind, hoist_target, kind, names_in
from perturbation.rules.mechanical.python.loops import loop_rows, shadows, statement_to_unfold
from perturbation.rules.mechanical.python.scopes import (
    arguments_of,
    calls_itself,
    enclosing_function,
    fresh,
    is_top_level,
)
from perturbation.rules.mechanical.python.tree import (
    STEP,
    Edit,
    FunctionNode,
    Site,
    Tree,
    blocks,
    code_body,
    is_generator,
    own_nodes,
    own_returns,
    rewrite,
)
from perturbation.rules.rows import rewritten_rows
from perturbation.rules.source import Rewrite

TRIVIAL = {
    "int": "0",
    "float": "0.0",
    "str": '""',
    "bool": "False",
    "list": "[]",
    "dict": "{}",
    "set": "set()",
    "tuple": "()",
}


def _omitted_steps(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A loop or a condition is gone with all that it does; what it would bind is bound before it, or not used."""
    for function in tree.functions():
        for block in [code_body(function), *blocks(function)]:
            for node in block:
                if isinstance(node, ast.For | ast.While | ast.If | ast.With) and len(block) > 1:
                    gap = tree.gap(node)
                    if gap and not tree.code(node).startswith("elif") and _not_needed_after(function, node):
                        yield (gap,)
    yield from _unwrapped_comprehensions(tree)


def _not_needed_after(function: FunctionNode, removed: ast.stmt) -> bool:
    inside = set(ast.walk(removed))
    stored = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    outside = [
        node for node in ast.walk(function) if isinstance(node, ast.Name) and node not in inside and node.id in stored
    ]
    given = {argument.arg for argument in arguments_of(function)}
    before = {node.id for node in outside if isinstance(node.ctx, ast.Store) and node.lineno < removed.lineno} | given
    return all(node.id in before for node in outside if isinstance(node.ctx, ast.Load))


def _unwrapped_comprehensions(tree: Tree) -> Iterator[Site]:
    """[f(x) for x in xs if c]  ->  a plain copy of xs, row by row."""
    for node in tree.nodes(ast.ListComp):
        statement, clause = hoist_target(tree, node), node.generators[0]
        span = tree.block_span([statement]) if statement else None
        plain = len(node.generators) == 1 and isinstance(clause.target, ast.Name) and not clause.is_async
        if statement is None or not span or not plain or enclosing_function(tree, node) is None or shadows(tree, node):
            continue
        changes = clause.ifs or tree.code(node.elt) != tree.code(clause.target)
        if changes and "\n" not in tree.code(node):
            name, indent = fresh(tree, ("prepared", "collected")), tree.indent(statement)
            target = tree.code(clause.target)
            loop = f"{indent}for {target} in {tree.code(clause.iter)}:\n{indent}{STEP}{name}.append({target})\n"
            rows = f"{indent}{name} = []\n{loop}"
            yield Edit(span[0], span[0], rows), tree.replace(node, name)


def _stubbed_helpers(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A helper's body is a trivial return; without helpers in the program, the last computation moves to one."""
    functions = tree.functions()
    helpers = [function for function in functions if _is_helper(tree, function)]
    for function in helpers:
        body, span = code_body(function), tree.block_span(code_body(function))
        if span and _rows_of(tree, body) > 1 and not is_generator(function):
            yield (
                Edit(
                    *span,
                    f"{tree.indent(body[0])}return {_trivial(function, function.returns, own_returns(function))}\n",
                ),
            )
    for function in functions if not helpers else []:
        yield from _extracted_stub(tree, function)


def _is_helper(tree: Tree, function: FunctionNode) -> bool:
    used = any(isinstance(node, ast.Name) and node.id == function.name for node in ast.walk(tree.module))
    returns = own_returns(function)
    return used and function.name not in tree.protected and bool(returns) and not _calls_only_itself(tree, function)


def _calls_only_itself(tree: Tree, function: FunctionNode) -> bool:
    inside = set(ast.walk(function))
    uses = [node for node in ast.walk(tree.module) if isinstance(node, ast.Name) and node.id == function.name]
    return all(node in inside for node in uses)


def _rows_of(tree: Tree, statements: Sequence[ast.stmt]) -> int:
    return (statements[-1].end_lineno or 0) - statements[0].lineno + 1


def _trivial(function: FunctionNode, annotation: ast.expr | None, returns: Sequence[ast.Return]) -> str:
    """A value of the kind that the function returns: from its annotation or its returns; else the first parameter."""
    kinds = [annotation_kind(annotation), *(kind(node.value, function) for node in returns if node.value)]
    known = [TRIVIAL[found] for found in kinds if found in TRIVIAL]
    given = [argument.arg for argument in arguments_of(function) if argument.arg not in ("self", "cls")]
    return known[0] if known else (given[0] if given and annotation is None else "None")


def _extracted_stub(tree: Tree, function: FunctionNode) -> Iterator[Site]:
    place = tree.block_span([function])
    if not is_top_level(tree, function) or place is None or is_generator(function) or function.decorator_list:
        return
    given = {argument.arg for argument in arguments_of(function)}
    for node in own_returns(function):
        span = tree.block_span([node])
        if span is None or node.value is None or isinstance(node.value, ast.Constant):
            continue
        used = [
            name
            for name in sorted(names_in(node.value))
            if name in given | _stored_outside_comprehensions(tree, function)
        ]
        name = fresh(tree, ("_final_value", "_finish", "_compute_answer"))
        value = _trivial(function, function.returns, [node])
        text = f'{STEP}"""Compute what {function.name} returns."""\n'
        stub = f"def {name}({', '.join(used)}):\n{text}{STEP}return {value}\n\n\n"
        if used:
            yield Edit(place[0], place[0], stub), tree.replace(node.value, f"{name}({', '.join(used)})")


def _stored_outside_comprehensions(tree: Tree, function: FunctionNode) -> set[str]:
    return {
        item.id
        for item in own_nodes(function)
        if isinstance(item, ast.Name)
        and isinstance(item.ctx, ast.Store)
        and not any(isinstance(outer, ast.comprehension) for outer in tree.ancestors(item))
    }


def _collapsed_branches(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Of several cases one is left: the code of one branch, whatever the condition."""
    for node in tree.nodes(ast.If):
        span, indent = tree.block_span([node]), tree.indent(node)
        if not span or not node.orelse or tree.code(node).startswith("elif"):
            continue
        for body in _branches(node):
            kept = tree.block(body, indent)
            if kept:
                yield (Edit(*span, kept),)


def _branches(node: ast.If) -> list[list[ast.stmt]]:
    branches, current = [node.body], node.orelse
    while len(current) == 1 and isinstance(current[0], ast.If):
        branches.append(current[0].body)
        current = current[0].orelse
    return [*branches, current] if current else branches


def _removed_error_handling(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Every check that raises, every assert and every except of one function, or of the whole program."""
    edits = {function: _error_edits(tree, function) for function in tree.functions()}
    everywhere = tuple(edit for found in edits.values() for edit in found)
    if everywhere:
        yield everywhere


def _error_edits(tree: Tree, function: FunctionNode) -> list[Edit]:
    found, covered = [], set[ast.AST]()
    for block in blocks(function):
        for node in block:
            span = tree.block_span([node])
            if span is None or node in covered or tree.code(node).startswith("elif"):
                continue
            raises = (
                isinstance(node, ast.If)
                and not node.orelse
                and len(node.body) <= 2
                and isinstance(node.body[-1], ast.Raise)
            )
            body = (
                tree.block(node.body, tree.indent(node)) if isinstance(node, ast.Try) and not node.finalbody else None
            )
            gap = tree.gap(node)
            if gap and (raises or isinstance(node, ast.Assert)):
                found.append(gap if len(block) > 1 else Edit(*span, f"{tree.indent(node)}pass\n"))
                covered |= set(ast.walk(node))
            elif body:
                found.append(Edit(*span, body))
                covered |= set(ast.walk(node))
    return found


def _first_element_only(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A loop does its work once, for the first element; a loop while something holds is a single test."""
    for node in tree.nodes(ast.For, ast.While):
        span, indent = tree.block_span([node]), tree.indent(node)
        leaves = any(
            isinstance(item, ast.Break | ast.Continue) and _loop_of(tree, item) is node for item in ast.walk(node)
        )
        if not span or node.orelse or leaves or enclosing_function(tree, node) is None:
            continue
        if isinstance(node, ast.While):
            body = tree.block(node.body, indent + STEP)
            always = isinstance(node.test, ast.Constant)
            if body and not always:
                yield (Edit(*span, f"{indent}if {tree.code(node.test)}:\n{body}"),)
        elif "\n" not in tree.code(node.iter):
            body = tree.block(node.body, indent)
            if body:
                first = (
                    f"{node.iter.id}[0]" if isinstance(node.iter, ast.Name) else f"next(iter({tree.code(node.iter)}))"
                )
                yield (Edit(*span, f"{indent}{tree.code(node.target)} = {first}\n{body}"),)
    yield from _first_of_comprehension(tree)


def _loop_of(tree: Tree, node: ast.AST) -> ast.AST | None:
    return next((item for item in tree.ancestors(node) if isinstance(item, ast.For | ast.While)), None)


def _first_of_comprehension(tree: Tree) -> Iterator[Site]:
    for node in tree.nodes(ast.ListComp, ast.GeneratorExp):
        statement = statement_to_unfold(tree, node)
        span = tree.block_span([statement]) if statement else None
        if statement is None or not span:
            continue
        indent, name = tree.indent(statement), fresh(tree, ("gathered", "chosen", "kept"))
        heads = loop_rows(tree, node.generators, indent)
        if heads is not None:
            rows = f"{indent}{name} = []\n{heads[0]}{heads[1]}{name}.append({tree.code(node.elt)})\n{heads[1]}break\n"
            is_open = isinstance(node, ast.GeneratorExp) and not isinstance(tree.parent(node), ast.Call)
            yield Edit(span[0], span[0], rows), _named(tree, node, name, is_open=is_open)


def _named(tree: Tree, node: ast.expr, name: str, *, is_open: bool) -> Edit:
    """Replace a comprehension by a name; a generator in a call shares the parentheses of the call."""
    start, end = tree.span(node)
    shared = (
        isinstance(node, ast.GeneratorExp) and not is_open and tree.text[start] == "(" and tree.text[end - 1] == ")"
    )
    return Edit(start, end, f"({name})" if shared and tree.text[start - 1] not in "(, " else name)


def _broken_recursion(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """All base cases of a function that calls itself are gone, or its calls of itself are left out."""
    for function in tree.functions():
        if not calls_itself(function):
            continue
        edits, body = [], code_body(function)
        for node in body[:-1]:
            gap = tree.gap(node)
            is_base = isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Return)
            if gap and is_base and not _mentions(node, function.name):
                edits.append(gap)
        yield tuple(edits)
        calls = [
            node
            for node in tree.nodes(ast.Call, within=function)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function.name
        ]
        inner = [call for call in calls if not any(other in calls for other in tree.ancestors(call))]
        yield tuple(
            tree.replace(call, tree.code(call.args[0]))
            for call in inner
            if call.args and not isinstance(call.args[0], ast.Starred)
        )


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(item, ast.Name) and item.id == name for item in ast.walk(node))


REWRITES: Mapping[str, Rewrite] = {
    "omitted-processing-step": rewrite(_omitted_steps, rows=rewritten_rows),
    "stubbed-helper": rewrite(_stubbed_helpers, rows=rewritten_rows),
    "collapsed-branches": rewrite(_collapsed_branches, rows=rewritten_rows),
    "error-handling-removed": rewrite(_removed_error_handling, rows=rewritten_rows),
    "first-element-only": rewrite(_first_element_only),
    "broken-recursion": rewrite(_broken_recursion, rows=rewritten_rows),
}
