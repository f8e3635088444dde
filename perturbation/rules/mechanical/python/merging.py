"""A helper merged into the one place that calls it (ceiling 3)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import hoist_target
from perturbation.rules.mechanical.python.scopes import enclosing_function, fresh, plain_arguments, rename, stored_names
from perturbation.rules.mechanical.python.tree import (
    Edit,
    FunctionNode,
    Site,
    Tree,
    code_body,
    is_generator,
    own_nodes,
    own_returns,
    parse,
    rewrite,
    splice,
)
from perturbation.rules.rows import changed_rows
from perturbation.rules.source import Rewrite, Source


def _merged_helpers(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for helper in tree.functions():
        call = _only_call(tree, helper) if _can_be_merged(tree, helper) else None
        if call is not None:
            yield from _merge(tree, call, helper)


def _can_be_merged(tree: Tree, function: FunctionNode) -> bool:
    """Whether a function is a plain helper that returns once, at its end."""
    body = code_body(function)
    ends = bool(body) and isinstance(body[-1], ast.Return) and own_returns(function) == [body[-1]]
    placed = isinstance(tree.parent(function), ast.Module | ast.FunctionDef) and function.name not in tree.protected
    plain = isinstance(function, ast.FunctionDef) and not function.decorator_list and not is_generator(function)
    inner = (ast.Global, ast.Nonlocal, ast.Lambda, ast.FunctionDef, ast.ClassDef)
    closed = not any(isinstance(node, inner) for node in own_nodes(function))
    return ends and placed and plain and closed and not function.args.defaults


def _only_call(tree: Tree, helper: FunctionNode) -> ast.Call | None:
    uses = [node for node in ast.walk(tree.module) if isinstance(node, ast.Name) and node.id == helper.name]
    call = tree.parent(uses[0]) if len(uses) == 1 else None
    is_call = isinstance(call, ast.Call) and call.func is uses[0] and not call.keywords
    return call if is_call and isinstance(call, ast.Call) and call in tree.nodes(ast.Call) else None


def _merge(tree: Tree, call: ast.Call, helper: FunctionNode) -> Iterator[Site]:
    caller, given = enclosing_function(tree, call), plain_arguments(helper)
    if caller is None or given is None or len(given) != len(call.args) or helper in list(tree.ancestors(call)):
        return
    outside = _names_outside(caller, helper)
    own = [*given, *stored_names(helper)]
    is_inner = caller in list(tree.ancestors(helper))
    free = {node.id for node in ast.walk(helper) if isinstance(node, ast.Name)} - set(own)
    if not is_inner and free & (set(stored_names(caller)) | {argument.arg for argument in caller.args.args}):
        return
    passed = {name for name, value in zip(given, call.args, strict=True) if tree.code(value) == name}
    clashes = [
        name for name in dict.fromkeys(own) if name in outside and (name not in passed or name in stored_names(helper))
    ]
    if clashes:
        yield from _merge_renamed(tree, helper, clashes)
    else:
        yield from _merge_plain(tree, call, helper, given)


def _merge_renamed(tree: Tree, helper: FunctionNode, clashes: list[str]) -> Iterator[Site]:
    """Give the helper's clashing names a prefix first, then merge; one edit over the whole text."""
    edits: list[Edit] = []
    for name in clashes:
        new = fresh(tree, (f"inner_{name}", f"local_{name}"))
        edits.extend(rename(tree, helper, name, new))
        edits.extend(
            Edit(tree.span(item)[0], tree.span(item)[0] + len(name), new)
            for item in helper.args.args
            if item.arg == name
        )
    renamed = parse(Source(splice(tree.text, edits), tree.protected))
    found = [item for item in renamed.functions() if item.name == helper.name] if renamed else []
    call = _only_call(renamed, found[0]) if renamed and len(found) == 1 else None
    if renamed is None or call is None:
        return
    given = plain_arguments(found[0])
    if given is not None:
        for site in _merge_plain(renamed, call, found[0], given):
            yield (Edit(0, len(tree.text), splice(renamed.text, site)),)


def _merge_plain(tree: Tree, call: ast.Call, helper: FunctionNode, given: list[str]) -> Iterator[Site]:
    statement, body = hoist_target(tree, call), code_body(helper)
    last = body[-1]
    if statement is None or not isinstance(last, ast.Return) or last.value is None or "\n" in tree.code(call):
        return
    indent, value = tree.indent(statement), tree.code(last.value)
    pairs = [(name, tree.code(item)) for name, item in zip(given, call.args, strict=True)]
    bindings = "".join(f"{indent}{name} = {code}\n" for name, code in pairs if name != code)
    head = tree.block(body[:-1], indent) if len(body) > 1 else ""
    place, gone = tree.block_span([statement]), tree.block_span([helper])
    if head is None or place is None or gone is None or ("\n" in value and value[0] not in "[({"):
        return
    stands_alone = isinstance(last.value, ast.Name | ast.Call | ast.ListComp) or call is getattr(
        statement, "value", None
    )
    rest = tree.text[gone[1] :]
    yield (
        Edit(gone[0], gone[1] + len(rest) - len(rest.lstrip("\n")), ""),
        Edit(place[0], place[0], bindings + head),
        tree.replace(call, value if stands_alone else f"({value})"),
    )


def _names_outside(caller: FunctionNode, helper: FunctionNode) -> set[str]:
    inside = set(ast.walk(helper))
    outer = [node for node in ast.walk(caller) if node not in inside]
    named = {node.id for node in outer if isinstance(node, ast.Name)}
    return named | {node.arg for node in outer if isinstance(node, ast.arg)}


REWRITES: Mapping[str, Rewrite] = {"merged-helper": rewrite(_merged_helpers, rows=changed_rows)}
