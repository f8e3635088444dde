"""Names of a Python program: which are local and free to change, and which new ones are free to use."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterable, Iterator

from perturbation.rules.mechanical.python.tree import Edit, FunctionNode, Site, Tree, compiles, own_nodes, splice

RESERVED = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)
REFLECTION = frozenset({"locals", "globals", "vars", "eval", "exec"})


def fresh(tree: Tree, wishes: Iterable[str]) -> str:
    """The first wished name that the program does not use; the first one with a number behind it if all are used."""
    listed = list(wishes)
    for name in listed:
        if name not in tree.identifiers and name not in RESERVED:
            return name
    number = 2
    while f"{listed[0]}_{number}" in tree.identifiers:
        number += 1
    return f"{listed[0]}_{number}"


def arguments_of(function: FunctionNode | ast.Lambda) -> list[ast.arg]:
    given = function.args
    extra = [argument for argument in (given.vararg, given.kwarg) if argument is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *extra]


def plain_arguments(function: FunctionNode) -> list[str] | None:
    """Names of the parameters, in order; None where there are starred, keyword-only or positional-only ones."""
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
        return None
    return [argument.arg for argument in given.args]


def stored_names(function: FunctionNode) -> list[str]:
    """Names that a function binds in its own scope, in the order of their first binding; parameters not counted."""
    found = [(node.lineno, node.col_offset, node.id) for node in own_nodes(function) if _is_store(node)]  # type: ignore[attr-defined]
    return list(dict.fromkeys(name for _, _, name in sorted(found)))


def renameable_locals(tree: Tree, function: FunctionNode) -> list[str]:
    """Locals of a function that can be renamed wherever they stand in it without a change of meaning."""
    if names_with(tree, function, REFLECTION):
        return []
    taken = set(_bound_otherwise(tree, function)) | tree.protected | RESERVED
    return [name for name in stored_names(function) if name not in taken and _positions(tree, function, name)]


def rename(tree: Tree, function: FunctionNode, old: str, new: str) -> Site:
    """The edits that rename a local of a function everywhere in it."""
    return tuple(Edit(start, start + len(old), new) for start in _positions(tree, function, old) or ())


def names_with(tree: Tree, scope: ast.AST, names: Iterable[str]) -> list[ast.Name]:
    wanted = frozenset(names)
    return [node for node in ast.walk(scope) if isinstance(node, ast.Name) and node.id in wanted]


def enclosing_function(tree: Tree, node: ast.AST) -> FunctionNode | None:
    for ancestor in tree.ancestors(node):
        if isinstance(ancestor, ast.FunctionDef | ast.AsyncFunctionDef):
            return ancestor
    return None


def is_top_level(tree: Tree, function: FunctionNode) -> bool:
    return tree.parent(function) is tree.module


def calls_itself(function: FunctionNode) -> bool:
    return any(
        isinstance(node, ast.Name | ast.Attribute) and _last_name(node) == function.name for node in ast.walk(function)
    )


def captured_by_inner(function: FunctionNode) -> set[str]:
    """Names that functions, lambdas or classes inside this function use."""
    inner = [
        node
        for node in own_nodes(function)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef)
    ]
    return {node.id for scope in inner for node in ast.walk(scope) if isinstance(node, ast.Name)}


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _bound_otherwise(tree: Tree, function: FunctionNode) -> Iterator[str]:
    """Names bound in other ways than by assignment here: parameters, imports, global, outer scopes, the module."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            if isinstance(node, ast.ClassDef):
                yield from (child.id for child in ast.walk(node) if _is_store(child))  # type: ignore[attr-defined]
    for outer in tree.ancestors(function):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (argument.arg for argument in arguments_of(outer))
            yield from stored_names(outer)
    yield from module_names(tree)


def module_names(tree: Tree) -> Iterator[str]:
    """Names that the top level binds."""
    for node in tree.module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((item.asname or item.name).split(".")[0] for item in node.names)
        else:
            yield from (child.id for child in ast.walk(node) if _is_store(child))  # type: ignore[attr-defined]


def _positions(tree: Tree, function: FunctionNode, name: str) -> list[int] | None:
    """Character offsets of a name in a function; None if one cannot be trusted (f-strings of CPython 3.11)."""
    found = []
    for node in names_with(tree, function, [name]):
        if node.lineno > len(tree.lines):
            return None
        start = tree.offset(node.lineno, node.col_offset)
        before, after = tree.text[start - 1 : start], tree.text[start + len(name) : start + len(name) + 1]
        whole = not (before.isalnum() or before in {"_", "."} or after.isalnum() or after == "_")
        if tree.text[start : start + len(name)] != name or not whole:
            return None
        found.append(start)
    return found if len(set(found)) == len(found) and _reaches_all(tree, function, name, found) else None


def _reaches_all(tree: Tree, function: FunctionNode, name: str, starts: list[int]) -> bool:
    """Whether a rename at these offsets leaves no use behind; asked only where an f-string uses the name."""
    formatted = [node for node in ast.walk(function) if isinstance(node, ast.JoinedStr)]
    if not any(names_with(tree, node, [name]) for node in formatted):
        return True
    probe = splice(tree.text, [Edit(start, start + len(name), f"{name}_probe") for start in starts])
    if not compiles(probe):
        return False
    names = [node.id for node in ast.walk(ast.parse(probe)) if isinstance(node, ast.Name)]
    return names.count(f"{name}_probe") == len(starts)
