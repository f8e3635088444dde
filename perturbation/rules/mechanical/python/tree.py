"""A Python syntax tree with exact character spans, and edits that leave all other characters as they are.

Positions come from the compiler's own tree. Inside f-strings CPython 3.11 reports some of them wrongly,
so nothing inside an f-string is ever a site (renames check every position first).
"""

from __future__ import annotations

import ast
import io
import random
import tokenize
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from perturbation.rules.rows import RowCount, is_far_enough
from perturbation.rules.source import Rewrite, Source

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Placed = ast.expr | ast.stmt | ast.arg
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
STEP = "    "
A = TypeVar("A", bound=ast.AST)
B = TypeVar("B", bound=ast.AST)
C = TypeVar("C", bound=ast.AST)


@dataclass(frozen=True)
class Edit:
    """Replace the characters start..end (end exclusive) by text."""

    start: int
    end: int
    text: str


Site = tuple[Edit, ...]
"""The edits that carry out a rule at one place."""

Sites = Callable[["Tree", random.Random], Iterable[Site]]


class Tree:
    """A parsed program: nodes, parents, spans and lines."""

    def __init__(self, *, text: str, module: ast.Module, protected: frozenset[str]) -> None:
        self.text = text
        self.module = module
        self.protected = protected
        self.lines = text.splitlines(keepends=True)
        self._starts = _line_starts(self.lines)
        self._parents = {child: node for node in ast.walk(module) for child in ast.iter_child_nodes(node)}
        self._frozen = _lines_inside_strings(text)
        self.identifiers = frozenset(_identifiers(module)) | protected

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        current = self._parents.get(node)
        while current is not None:
            yield current
            current = self._parents.get(current)

    @overload
    def nodes(self, first: type[A], /, *, within: ast.AST | None = None) -> list[A]: ...
    @overload
    def nodes(self, first: type[A], second: type[B], /, *, within: ast.AST | None = None) -> list[A | B]: ...
    @overload
    def nodes(
        self, first: type[A], second: type[B], third: type[C], /, *, within: ast.AST | None = None
    ) -> list[A | B | C]: ...
    def nodes(self, *kinds: type[ast.AST], within: ast.AST | None = None) -> Any:
        """Nodes of these kinds outside f-strings and annotations, in source order."""
        found = [node for node in _walk_code(within or self.module) if isinstance(node, kinds)]
        return sorted(found, key=_position)

    def functions(self) -> list[FunctionNode]:
        """Every function with a body to work on, nested ones and methods too, in source order."""
        return self.nodes(ast.FunctionDef, ast.AsyncFunctionDef)

    def offset(self, line: int, column: int) -> int:
        """Character offset of a line (from 1) and a column in UTF-8 bytes (from 0)."""
        text = self.lines[line - 1]
        return self._starts[line - 1] + len(text.encode()[:column].decode(errors="ignore"))

    def span(self, node: Placed) -> tuple[int, int]:
        """Character span of an expression or statement, decorators not counted."""
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno or 0, node.end_col_offset or 0)

    def code(self, node: Placed) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def replace(self, node: Placed, text: str) -> Edit:
        start, end = self.span(node)
        return Edit(start, end, text)

    def rows(self, statement: ast.stmt) -> tuple[int, int] | None:
        """First and last row (from 1) of a statement that shares its rows with no other, else None."""
        first = min([statement.lineno, *(item.lineno for item in getattr(statement, "decorator_list", []))])
        last = statement.end_lineno or first
        before = self.lines[statement.lineno - 1].encode()[: statement.col_offset].decode()
        _, end = self.span(statement)
        after = self.text[end : self._starts[last - 1] + len(self.lines[last - 1])].strip()
        return None if before.strip() or (after and not after.startswith("#")) else (first, last)

    def indent(self, statement: ast.stmt) -> str:
        line = self.lines[statement.lineno - 1]
        return line[: len(line) - len(line.lstrip())]

    def row_span(self, first: int, last: int) -> tuple[int, int]:
        """Character span of whole rows, line end included."""
        return self._starts[first - 1], self._starts[last - 1] + len(self.lines[last - 1])

    def block_span(self, statements: Sequence[ast.stmt]) -> tuple[int, int] | None:
        """Character span of the whole rows that these adjacent statements fill, else None."""
        rows = [self.rows(statement) for statement in statements]
        if not rows or any(row is None for row in rows):
            return None
        return self.row_span(rows[0][0], rows[-1][1])  # type: ignore[index]

    def block(self, statements: Sequence[ast.stmt], indent: str, *, comments: bool = True) -> str | None:
        """The rows of these adjacent statements at another indentation, text inside strings untouched.

        comments: with the rows of comments right above the first statement.
        """
        rows = [self.rows(statement) for statement in statements]
        if not rows or any(row is None for row in rows):
            return None
        first, last = rows[0][0], rows[-1][1]  # type: ignore[index]
        old = self.indent(statements[0])
        first = self.first_comment_row(first) if comments else first
        return "".join(self._reindented(number, old, indent) for number in range(first, last + 1))

    def first_comment_row(self, row: int) -> int:
        """The first of the rows of comments right above a row that are indented like it; the row itself if none is."""
        margin = self.lines[row - 1][: len(self.lines[row - 1]) - len(self.lines[row - 1].lstrip())]
        while row > 1 and self.lines[row - 2].startswith(f"{margin}#") and row - 1 not in self._frozen:
            row -= 1
        return row

    def gap(self, statement: ast.stmt) -> Edit | None:
        """The edit that removes a statement with the comments right above it, and its blank rows at one side."""
        rows = self.rows(statement)
        if rows is None:
            return None
        start, end = self.row_span(self.first_comment_row(rows[0]), rows[1])
        rest = self.text[end:]
        blank = len(rest) - len(rest.lstrip("\n")) if self.text[:start].endswith("\n\n") or start == 0 else 0
        return Edit(start, end + blank, "")

    def _reindented(self, number: int, old: str, new: str) -> str:
        line = self.lines[number - 1]
        if number in self._frozen or not line.strip():
            return line
        body = line if line.endswith("\n") else line + "\n"
        return new + (body[len(old) :] if body.startswith(old) else body.lstrip())


def rewrite(sites: Sites, *, rows: RowCount | None = None) -> Rewrite:
    """Make a rewrite out of a function that lists the sites of a rule in source order.

    `rows` counts those that must be at least 3 (effort: refactor: fewer would be a tweak); None: any edit will do.
    """

    def run(source: Source, rng: random.Random) -> str | None:
        ended = source.text if source.text.endswith("\n") else source.text + "\n"
        tree = parse(Source(ended, source.protected))
        if tree is None:
            return None
        candidates = list(dict.fromkeys(site for site in sites(tree, rng) if site))
        for site in rng.sample(candidates, len(candidates)):
            text = splice(ended, site)
            if text != ended and compiles(text) and is_far_enough(ended, text, rows, "python"):
                return text if ended == source.text else text.removesuffix("\n")
        return None

    return run


def splice(text: str, edits: Iterable[Edit]) -> str:
    """Carry out edits that do not overlap."""
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def parse(source: Source) -> Tree | None:
    """Parse a program; None where it is no Python that the compiler accepts or uses form feeds or lone CRs."""
    text = source.text
    if not compiles(text) or len(text.splitlines()) != text.count("\n") + (not text.endswith("\n")):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = ast.parse(source.text)
    return Tree(text=source.text, module=module, protected=source.protected)


def compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<program>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return False
    return True


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a function's own scope, depth first in source order: not those of functions or classes in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, SCOPES):
            yield from own_nodes(child)


def blocks(scope: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every statement list of a function's own scope, its body first."""
    for node in [scope, *own_nodes(scope)]:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if (
                isinstance(block, list)
                and block
                and isinstance(block[0], ast.stmt)
                and (node is scope or not isinstance(node, SCOPES))
            ):
                yield block


def docstring(node: ast.AST) -> ast.Expr | None:
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def code_body(function: FunctionNode) -> list[ast.stmt]:
    """The statements of a function after its docstring."""
    return function.body[1:] if docstring(function) else function.body


def own_returns(function: FunctionNode) -> list[ast.Return]:
    return [node for node in own_nodes(function) if isinstance(node, ast.Return)]


def is_generator(function: FunctionNode) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) for node in own_nodes(function))


def _walk_code(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _walk_code(child)


def _position(node: ast.AST) -> tuple[int, int, int, int]:
    place = (getattr(node, name, 0) or 0 for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
    return tuple(place)  # type: ignore[return-value]


def _line_starts(lines: Sequence[str]) -> list[int]:
    starts, total = [], 0
    for line in lines:
        starts.append(total)
        total += len(line)
    return starts


def _lines_inside_strings(text: str) -> frozenset[int]:
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    return frozenset(inside)


def _identifiers(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        for field in ("id", "arg", "name", "asname", "attr"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield value
        yield from getattr(node, "names", []) if isinstance(node, ast.Global | ast.Nonlocal) else []
