"""Rewrites that wrap working code in needless layers, modes and shared state (ceiling 3)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.scopes import (
    REFLECTION,
    calls_itself,
    captured_by_inner,
    fresh,
    is_top_level,
    names_with,
    plain_arguments,
    rename,
    renameable_locals,
)
from perturbation.rules.mechanical.python.tree import (
    COMPREHENSIONS,
    STEP,
    Edit,
    FunctionNode,
    Site,
    Tree,
    code_body,
    is_generator,
    own_nodes,
    own_returns,
    rewrite,
)
from perturbation.rules.rows import changed_rows
from perturbation.rules.source import Rewrite


def _strategy_classes(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The body of a function moves into the only subclass of an abstract base that nothing else uses."""
    for function, given, body in _movable_bodies(tree, STEP * 2):
        words = "".join(word.capitalize() for word in function.name.strip("_").split("_"))
        base, derived = fresh(tree, (f"Base{words}Strategy",)), fresh(tree, (f"Default{words}Strategy",))
        method = rng.choice(("execute", "run", "apply", "perform"))
        listed = ", ".join(["self", *given])
        classes = (
            f"class {base}:\n{STEP}def {method}({listed}):\n{STEP * 2}raise NotImplementedError\n\n\n"
            f"class {derived}({base}):\n{STEP}def {method}({listed}):\n{body}\n\n"
        )
        name = fresh(tree, ("strategy", "chosen_strategy"))
        call = f"{STEP}{name} = {derived}()\n{STEP}return {name}.{method}({', '.join(given)})\n"
        yield from _moved(tree, function, classes, call)


def _indirection(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A function that only calls a second one, which prepares arguments for a third one that does the work."""
    for function, given, body in _movable_bodies(tree, STEP):
        stem = function.name.strip("_").lower()
        outer, inner = fresh(tree, (f"_{stem}_impl", f"_do_{stem}")), fresh(tree, (f"_{stem}_core", f"_really_{stem}"))
        listed, pack = ", ".join(given), fresh(tree, ("arguments", "packed"))
        layers = (
            f"def {inner}({listed}):\n{body}\n\n"
            + f"def {outer}({pack}):\n"
            + "".join(f'{STEP}{name} = {pack}["{name}"]\n' for name in given)
            + f"{STEP}return {inner}({listed})\n\n\n"
        )
        packed = ", ".join(f'"{name}": {name}' for name in given)
        call = f"{STEP}{pack} = {{{packed}}}\n{STEP}return {outer}({pack})\n"
        yield from _moved(tree, function, layers, call)


def _mode_parameters(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """One function with a mode that does several jobs; the job that is wanted is one of its branches."""
    for function, given, body in _movable_bodies(tree, STEP * 2):
        stem = function.name.strip("_").lower()
        name, mode = fresh(tree, (f"_handle_{stem}", f"_dispatch_{stem}")), fresh(tree, ("mode", "action"))
        known = f"({given[0]},)" if len(given) == 1 else f"({', '.join(given)})"
        worker = (
            f"def {name}({', '.join([mode, *given])}):\n"
            f'{STEP}if {mode} == "check":\n{STEP * 2}return all(value is not None for value in {known})\n'
            f'{STEP}elif {mode} == "describe":\n{STEP * 2}return "{function.name}" + repr({known})\n'
            f'{STEP}elif {mode} == "compute":\n{body}{STEP}else:\n{STEP * 2}raise ValueError({mode})\n\n\n'
        )
        yield from _moved(
            tree, function, worker, f"{STEP}return {name}({', '.join([chr(34) + 'compute' + chr(34), *given])})\n"
        )


def _movable_bodies(tree: Tree, indent: str) -> Iterator[tuple[FunctionNode, list[str], str]]:
    """Top-level functions whose body can stand in another function: their parameters and the body's rows."""
    for function in tree.functions():
        given, body = plain_arguments(function), code_body(function)
        inner = (ast.Global, ast.Nonlocal, ast.ClassDef)
        plain = isinstance(function, ast.FunctionDef) and not function.decorator_list and not is_generator(function)
        closed = not any(isinstance(node, inner) for node in own_nodes(function)) and not names_with(
            tree, function, REFLECTION
        )
        rows = tree.block(body, indent, comments=False) if body and tree.indent(body[0]) else None
        movable = plain and closed and is_top_level(tree, function) and bool(own_returns(function))
        if given is not None and rows and movable:
            yield function, given, rows


def _moved(tree: Tree, function: FunctionNode, before: str, call: str) -> Iterator[Site]:
    """Put new definitions above a function and a short body in place of its own."""
    place, body = tree.block_span([function]), tree.block_span(code_body(function))
    own = tree.indent(code_body(function)[0])
    if place and body:
        call = call.replace(STEP, own) if own != STEP else call
        yield Edit(place[0], place[0], before), Edit(*body, call)


def _global_state(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A local of a function becomes a variable of the module that the function declares global."""
    for function in tree.functions():
        if not is_top_level(tree, function) or calls_itself(function) or is_generator(function):
            continue
        if not code_body(function):
            continue
        inner = captured_by_inner(function)
        allowed = [
            name for name in renameable_locals(tree, function) if name not in inner and _is_assigned(function, name)
        ]
        first = code_body(function)[0]
        place, rows = tree.block_span([function]), tree.rows(first)
        for name in allowed:
            shared = fresh(tree, (f"_current_{name}", f"_shared_{name}"))
            if place and rows and not isinstance(first, ast.Global):
                start = tree.row_span(rows[0], rows[0])[0]
                yield (
                    Edit(place[0], place[0], f"{shared} = None\n\n\n"),
                    Edit(start, start, f"{tree.indent(first)}global {shared}\n"),
                    *rename(tree, function, name, shared),
                )


def _is_assigned(function: FunctionNode, name: str) -> bool:
    """Whether a name is bound by a statement, and in no comprehension (which has a scope of its own)."""
    inner = [node for node in own_nodes(function) if isinstance(node, COMPREHENSIONS)]
    in_comprehension = any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for part in inner
        for node in ast.walk(part)
    )
    annotated = any(
        isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name
        for node in own_nodes(function)
    )
    return not in_comprehension and not annotated


def _state_dictionaries(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The locals of a function become entries of one dictionary."""
    for function in tree.functions():
        body = code_body(function)
        names = [
            name
            for name in renameable_locals(tree, function)
            if _is_assigned(function, name)
            and not _bound_by_loop(function, name)
            and name not in captured_by_inner(function)
        ]
        rows = tree.rows(body[0]) if body else None
        formatted = [node for node in ast.walk(function) if isinstance(node, ast.JoinedStr)]
        names = [name for name in names if not any(names_with(tree, node, [name]) for node in formatted)]
        if len(names) >= 2 and rows:
            state = fresh(tree, ("state", "context", "env"))
            start = tree.row_span(rows[0], rows[0])[0]
            edits = [edit for name in names for edit in rename(tree, function, name, f'{state}["{name}"]')]
            yield Edit(start, start, f"{tree.indent(body[0])}{state} = {{}}\n"), *edits


def _bound_by_loop(function: FunctionNode, name: str) -> bool:
    """Whether a loop, a walrus or a del binds or unbinds a name."""
    for node in own_nodes(function):
        part = (
            node.target if isinstance(node, ast.For | ast.NamedExpr) else node if isinstance(node, ast.Delete) else None
        )
        if part and any(
            isinstance(item, ast.Name) and item.id == name and not isinstance(item.ctx, ast.Load)
            for item in ast.walk(part)
        ):
            return True
    return False


REWRITES: Mapping[str, Rewrite] = {
    "speculative-generality": rewrite(_strategy_classes, rows=changed_rows),
    "needless-indirection": rewrite(_indirection, rows=changed_rows),
    "mode-parameter": rewrite(_mode_parameters, rows=changed_rows),
    "mutable-global-state": rewrite(_global_state, rows=changed_rows),
    "state-dictionary": rewrite(_state_dictionaries, rows=changed_rows),
}
