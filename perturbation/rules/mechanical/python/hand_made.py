"""Rewrites that replace a library call or an iteration by something hand-made or slower (ceiling 3).

Each one computes the same value; the code for it goes before the statement that uses it.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import (
    EFFECT_METHODS,
    has_effects,
    hoist_target,
    names_in,
    simple_kind,
)
from perturbation.rules.mechanical.python.loops import loop_rows, shadows
from perturbation.rules.mechanical.python.scopes import enclosing_function, fresh
from perturbation.rules.mechanical.python.tree import (
    STEP,
    Edit,
    FunctionNode,
    Site,
    Tree,
    blocks,
    own_nodes,
    rewrite,
)
from perturbation.rules.rows import changed_rows
from perturbation.rules.source import Rewrite


def _hand_made_calls(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.nodes(ast.Call):
        statement = hoist_target(tree, node)
        span = tree.block_span([statement]) if statement else None
        if statement is None or span is None or enclosing_function(tree, node) is None or "\n" in tree.code(node):
            continue
        made = _replacement(tree, node, tree.indent(statement))
        if made is not None:
            rows, name = made
            yield Edit(span[0], span[0], rows), tree.replace(node, name)


def _replacement(tree: Tree, call: ast.Call, indent: str) -> tuple[str, str] | None:
    """Rows that compute a call by hand, and the name of the result; None if the call is not one of those known."""
    if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    if isinstance(call.func, ast.Attribute):
        separator = call.func.value
        is_join = call.func.attr == "join" and len(call.args) == 1 and isinstance(separator, ast.Constant)
        return (
            _joined(tree, separator, call.args[0], indent) if is_join and isinstance(separator, ast.Constant) else None
        )
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if len(call.args) == 2 and name in ("max", "min"):
        return _larger_of_two(tree, call, indent, name)
    if len(call.args) != 1:
        return None
    if name in ("any", "all", "sum", "list", "set", "len", "sorted", "max", "min"):
        return _collected(tree, call.args[0], indent, name)
    return _absolute(tree, call.args[0], indent) if name == "abs" else None


def _collected(tree: Tree, argument: ast.expr, indent: str, name: str) -> tuple[str, str] | None:
    """A loop over the argument of any, all, sum, list, set, len, sorted, max or min."""
    wishes = {
        "any": ("found", "has_match"), "all": ("holds", "every_one"), "sum": ("total", "sum_so_far"),
        "list": ("copied", "collected"),
        "set": ("distinct", "unique_values"), "len": ("size", "how_many"), "sorted": ("ordered", "arranged"),
        "max": ("largest", "highest"), "min": ("smallest", "lowest"),
    }  # fmt: skip
    result = fresh(tree, wishes[name])
    if name in ("sorted", "max", "min"):
        return _compared(tree, argument, indent, name, result)
    start = {"any": "False", "all": "True", "sum": "0", "list": "[]", "set": "set()", "len": "0"}[name]
    if name == "set" and not isinstance(argument, ast.Name | ast.Call | ast.ListComp | ast.GeneratorExp):
        return None
    looped = _loop(tree, argument, indent)
    if looped is None:
        return None
    rows, inner, value = looped
    step = {
        "any": f"{inner}if {value}:\n{inner}{STEP}{result} = True\n{inner}{STEP}break\n",
        "all": f"{inner}if not ({value}):\n{inner}{STEP}{result} = False\n{inner}{STEP}break\n",
        "sum": f"{inner}{result} += {value}\n",
        "list": f"{inner}{result}.append({value})\n",
        "set": f"{inner}{result}.add({value})\n",
        "len": f"{inner}{result} += 1\n",
    }[name]
    return f"{indent}{result} = {start}\n{rows}{step}", result


def _loop(tree: Tree, argument: ast.expr, indent: str) -> tuple[str, str, str] | None:
    """Rows of the loop heads over an iterable, the indentation below them, and the code of one element."""
    if isinstance(argument, ast.GeneratorExp | ast.ListComp):
        if shadows(tree, argument):
            return None
        heads = loop_rows(tree, argument.generators, indent)
        return (*heads, tree.code(argument.elt)) if heads else None
    item = fresh(tree, ("item", "element", "entry", "part"))
    return f"{indent}for {item} in {tree.code(argument)}:\n", indent + STEP, item


def _compared(tree: Tree, argument: ast.expr, indent: str, name: str, result: str) -> tuple[str, str] | None:
    code = tree.code(argument)
    inner = indent + STEP
    if name == "sorted":
        spot = fresh(tree, ("place", "slot"))
        item = fresh(tree, ("item", "element", "entry"))
        rows = (
            f"{indent}{result} = []\n{indent}for {item} in {code}:\n{inner}{spot} = len({result})\n"
            f"{inner}while {spot} > 0 and {item} < {result}[{spot} - 1]:\n{inner}{STEP}{spot} -= 1\n"
            f"{inner}{result}.insert({spot}, {item})\n"
        )
        return rows, result
    values, item = fresh(tree, ("candidates", "options")), fresh(tree, ("candidate", "option"))
    sign = ">" if name == "max" else "<"
    inside = code[1:-1] if isinstance(argument, ast.GeneratorExp) else code
    rows = (
        f"{indent}{values} = list({inside})\n"
        f'{indent}if not {values}:\n{inner}raise ValueError("{name}() of an empty sequence")\n'
        f"{indent}{result} = {values}[0]\n{indent}for {item} in {values}[1:]:\n"
        f"{inner}if {item} {sign} {result}:\n{inner}{STEP}{result} = {item}\n"
    )
    return rows, result


def _larger_of_two(tree: Tree, call: ast.Call, indent: str, name: str) -> tuple[str, str] | None:
    first, second = (tree.code(argument) for argument in call.args)
    if has_effects(call) or isinstance(call.args[0], ast.IfExp) or isinstance(call.args[1], ast.IfExp):
        return None
    result = fresh(tree, ("larger", "upper_value") if name == "max" else ("smaller", "lower_value"))
    sign = ">" if name == "max" else "<"
    inner = indent + STEP
    rows = f"{indent}{result} = {first}\n{indent}if {second} {sign} {result}:\n{inner}{result} = {second}\n"
    return rows, result


def _absolute(tree: Tree, argument: ast.expr, indent: str) -> tuple[str, str] | None:
    result = fresh(tree, ("magnitude", "difference", "absolute"))
    rows = f"{indent}{result} = {tree.code(argument)}\n{indent}if {result} < 0:\n{indent}{STEP}{result} = -{result}\n"
    return rows, result


def _joined(tree: Tree, separator: ast.Constant, values: ast.expr, indent: str) -> tuple[str, str] | None:
    looped = _loop(tree, values, indent)
    if looped is None:
        return None
    rows, inner, value = looped
    result, first = fresh(tree, ("joined", "combined", "assembled")), fresh(tree, ("is_first", "at_start"))
    step = f"{inner}{result} = {result} + {value}\n"
    if separator.value == "":
        return f'{indent}{result} = ""\n{rows}{step}', result
    gap = f"{inner}if not {first}:\n{inner}{STEP}{result} = {result} + {tree.code(separator)}\n"
    return f'{indent}{result} = ""\n{indent}{first} = True\n{rows}{gap}{step}{inner}{first} = False\n', result


def _manual_index_loops(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Iterate with a hand-kept index over a copy of the values, for a loop or for a list comprehension."""
    for node in tree.nodes(ast.For):
        span, body = tree.block_span([node]), tree.block(node.body, tree.indent(node) + STEP)
        if (
            span
            and body
            and not node.orelse
            and "\n" not in tree.code(node.iter)
            and not _iterates_endlessly(node.iter)
        ):
            yield (Edit(*span, _while_rows(tree, node.target, node.iter, tree.indent(node)) + body),)
    for comprehension in tree.nodes(ast.ListComp):
        yield from _comprehension_by_index(tree, comprehension)


def _while_rows(tree: Tree, target: ast.expr, iterable: ast.expr, indent: str) -> str:
    items, place = fresh(tree, ("sequence", "all_items", "source_items")), fresh(tree, ("cursor", "at", "offset"))
    return (
        f"{indent}{items} = list({tree.code(iterable)})\n{indent}{place} = 0\n{indent}while {place} < len({items}):\n"
        f"{indent}{STEP}{tree.code(target)} = {items}[{place}]\n{indent}{STEP}{place} += 1\n"
    )


def _comprehension_by_index(tree: Tree, node: ast.ListComp) -> Iterator[Site]:
    statement = hoist_target(tree, node)
    span = tree.block_span([statement]) if statement else None
    if (
        statement is None
        or span is None
        or enclosing_function(tree, node) is None
        or shadows(tree, node)
        or "\n" in tree.code(node)
    ):
        return
    indent, clause = tree.indent(statement), node.generators[0]
    if len(node.generators) == 1 and not clause.is_async:
        name, inner = fresh(tree, ("gathered", "collected", "picked")), indent + STEP
        rows = f"{indent}{name} = []\n" + _while_rows(tree, clause.target, clause.iter, indent)
        for test in clause.ifs:
            rows += f"{inner}if {tree.code(test)}:\n"
            inner += STEP
        rows += f"{inner}{name}.append({tree.code(node.elt)})\n"
        yield Edit(span[0], span[0], rows), tree.replace(node, name)


def _iterates_endlessly(iterable: ast.expr) -> bool:
    return bool(names_in(iterable) & {"count", "cycle", "repeat", "iter"}) or (
        isinstance(iterable, ast.Call) and getattr(iterable.func, "attr", "") in ("count", "cycle", "repeat")
    )


def _slower_loops(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Work that one pass needs once, done anew in every turn; or a list searched where a set was."""
    for function in tree.functions():
        for node in (item for block in blocks(function) for item in block):
            if isinstance(node, ast.For) and not node.orelse:
                yield from _rebuilt_each_turn(tree, node)
        yield from _sets_as_lists(tree, function)


def _rebuilt_each_turn(tree: Tree, loop: ast.For) -> Iterator[Site]:
    """for x in xs  ->  the list of all values is made again for every index."""
    span, indent = tree.block_span([loop]), tree.indent(loop)
    body, iterable = tree.block(loop.body, indent + STEP), loop.iter
    changed = _changed_in(loop.body) & names_in(iterable)
    if (
        not span
        or not body
        or changed
        or has_effects(iterable)
        or _iterates_endlessly(iterable)
        or "\n" in tree.code(iterable)
    ):
        return
    if (
        not names_in(iterable)
        or simple_kind(iterable) in ("iterator", "range")
        or isinstance(iterable, ast.GeneratorExp)
    ):
        return
    place = fresh(tree, ("position", "number_of_turn", "turn"))
    code = tree.code(iterable)
    name = fresh(tree, ("every_value", "all_values"))
    rows = f"{indent}for {place} in range(len(list({code}))):\n{indent}{STEP}{name} = list({code})\n"
    yield (Edit(*span, f"{rows}{indent}{STEP}{tree.code(loop.target)} = {name}[{place}]\n{body}"),)


def _changed_in(body: list[ast.stmt]) -> set[str]:
    """Names that statements bind, or call a changing method on."""
    found: set[str] = set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.add(node.id)
            elif (
                isinstance(node, ast.Attribute)
                and node.attr in EFFECT_METHODS
                or isinstance(node, ast.Subscript)
                and not isinstance(node.ctx, ast.Load)
            ):
                found |= names_in(node.value)
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "").startswith("heap"):
                found |= names_in(node)
    return found


def _sets_as_lists(tree: Tree, function: FunctionNode) -> Iterator[Site]:
    """A set that is only added to and searched becomes a list with a search before every append."""
    for statement in own_nodes(function):
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or not isinstance(statement.value, ast.Call):
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if not isinstance(target, ast.Name) or tree.code(statement.value) != "set()":
            continue
        uses = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and node.id == target.id and node is not target
        ]
        edits = [_as_list_use(tree, use) for use in uses]
        if uses and all(edit is not None for edit in edits):
            yield (
                tree.replace(statement.value, "[]"),
                *(edit for edit in edits if edit is not None and edit.end > edit.start),
            )


def _as_list_use(tree: Tree, use: ast.Name) -> Edit | None:
    parent = tree.parent(use)
    if isinstance(parent, ast.Compare) and use in parent.comparators and isinstance(parent.ops[-1], ast.In | ast.NotIn):
        return Edit(0, 0, "")
    call = tree.parent(parent) if isinstance(parent, ast.Attribute) and parent.attr == "add" else None
    statement = tree.parent(call) if isinstance(call, ast.Call) and len(call.args) == 1 else None
    span = tree.block_span([statement]) if isinstance(statement, ast.Expr) else None
    if not span or not isinstance(call, ast.Call) or not isinstance(statement, ast.Expr):
        return None
    indent, item = tree.indent(statement), tree.code(call.args[0])
    around = tree.parent(statement)
    if isinstance(around, ast.If) and tree.code(around.test) == f"{item} not in {use.id}" and statement in around.body:
        return Edit(*span, f"{indent}{use.id}.append({item})\n")
    return Edit(*span, f"{indent}if {item} not in {use.id}:\n{indent}{STEP}{use.id}.append({item})\n")


REWRITES: Mapping[str, Rewrite] = {
    "hand-made-library-call": rewrite(_hand_made_calls, rows=changed_rows),
    "manual-index-loop": rewrite(_manual_index_loops, rows=changed_rows),
    "slower-complexity": rewrite(_slower_loops, rows=changed_rows),
}
