"""Which modules a Python text needs that neither it nor the standard library has. Pure: imports nothing of them."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache

_GUARDS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
_NOT_FOUND = re.compile(r"ModuleNotFoundError: No module named '(?P<name>[^'.]+)")


def missing(*, texts: Iterable[str], own: Iterable[str] = (), words: str) -> tuple[str, ...]:
    """The top-level modules, sorted, that the texts import and that are not here; empty unless a run's `words` say
    that an import of one of them failed.

    `own` names the modules that the files bring along. Imports that the text itself guards against ImportError do
    not count, so that one failed import tells the whole list at once.
    """
    failed = {match["name"] for match in _NOT_FOUND.finditer(words)}
    if not failed:
        return ()
    here = {*own, *sys.stdlib_module_names}
    needed = {name for text in texts for name in _imported(text)} - here
    return tuple(sorted(needed)) if failed & needed else ()


@lru_cache(maxsize=512)
def _imported(text: str) -> frozenset[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        return frozenset(_names(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def _names(tree: ast.AST) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Try) and any(_guards(handler) for handler in node.handlers):
            waiting += [*node.handlers, *node.orelse, *node.finalbody]
        else:
            waiting += ast.iter_child_nodes(node)


def _guards(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in _GUARDS for node in ast.walk(handler.type))
