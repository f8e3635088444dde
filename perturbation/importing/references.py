"""Chooses the reference programs of a row among several right ones, and makes programs of contests whole.

Knows no format. Nothing is run here: which of them are right, verification finds out.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perturbation.importing import MAX_REFERENCES
from perturbation.importing.values import crlf_note, ended, plain_lines
from perturbation.languages import registry

LEFT_OUT = f"right programs left out, because {MAX_REFERENCES} are kept for a row"
IMPORTS_ADDED = "programs that got the imports which their judge supplies"
# What the judges of contests import before a program, so that many programs do not. By module: the module itself
# under its name, and names of it.
SUPPLIED = {
    "typing": ("Any", "Callable", "Deque", "Dict", "Generator", "Iterable", "Iterator", "List", "Optional", "Set")
    + ("Tuple", "Union"),
    "collections": ("ChainMap", "Counter", "OrderedDict", "defaultdict", "deque"),
    "itertools": ("accumulate", "chain", "combinations", "count", "groupby", "permutations", "product"),
    "functools": ("cache", "cmp_to_key", "lru_cache", "reduce"),
    "heapq": ("heapify", "heappop", "heappush", "heappushpop", "heapreplace", "nlargest", "nsmallest"),
    "bisect": ("bisect", "bisect_left", "bisect_right", "insort", "insort_left"),
    "math": ("ceil", "comb", "factorial", "floor", "gcd", "inf", "isqrt", "log", "log2", "pi", "sqrt"),
    "string": ("ascii_letters", "ascii_lowercase", "ascii_uppercase"),
    "sys": (),
    "re": (),
    "random": (),
    "operator": (),
    "copy": (),
}


@dataclass(frozen=True, slots=True)
class References:
    """The first right program, the others that are kept, and what was changed or left out."""

    reference: str = ""
    alternatives: tuple[str, ...] = ()
    notes: tuple[tuple[str, int], ...] = ()


def choose(texts: Iterable[str], *, language: str) -> References:
    """Keep the first MAX_REFERENCES different programs; those that the language reads come before those it does not.

    (Collections of old contests have programs in Python 2.) Python programs get the imports that they leave to the
    judge: see SUPPLIED.
    """
    given = [text for text in texts if text.strip()]
    once = list(dict.fromkeys(plain_lines(ended(text)) for text in given))
    kept = list(itertools.islice(_readable_first(once, language), MAX_REFERENCES))
    whole = [with_supplied_imports(text) for text in kept] if language == "python" else kept
    notes = list(crlf_note(*given))
    changed = sum(before != after for before, after in zip(kept, whole, strict=True))
    notes += [(IMPORTS_ADDED, changed)] if changed else []
    notes += [(LEFT_OUT, len(once) - len(kept))] if len(once) > len(kept) else []
    return References(whole[0] if whole else "", tuple(whole[1:]), tuple(notes))


def _readable_first(texts: list[str], language: str) -> Iterator[str]:
    parses = registry.get(language).parses
    broken = []
    for text in texts:
        if parses(text):
            yield text
        else:
            broken.append(text)
    yield from broken


def with_supplied_imports(text: str) -> str:
    """Return a Python program with imports before it for the names of SUPPLIED that it uses and binds nowhere."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body):
        return text  # such an import must stay the first, and a program that has one imports what it needs
    free = _free_names(tree)
    lines = [f"import {module}\n" for module, names in SUPPLIED.items() if module in free and module not in names]
    for module, names in SUPPLIED.items():
        if used := [name for name in names if name in free]:
            lines.append(f"from {module} import {', '.join(used)}\n")
    return "".join(lines) + ("\n" if lines else "") + text


def _free_names(tree: ast.Module) -> set[str]:
    """Names that are read and bound in no scope of the program."""
    read: set[str] = set()
    bound = set(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                read.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.AsyncFunctionDef(name=name):
                bound.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                bound.update((alias.asname or alias.name).partition(".")[0] for alias in aliases)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound.add(name)
    return read - bound
