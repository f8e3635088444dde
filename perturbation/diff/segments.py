"""Lines cut into pieces that share one colour and one mark. Escaping is the markup's task, and its alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from pygments.token import Token, _TokenType

from perturbation.diff.grammars import MAX_CHARACTERS, lexer
from perturbation.diff.hazards import Hazard
from perturbation.diff.intraline import Span

MAX_COLOURED_LINES = 5_000

# One class a family, named after Pygments' short classes. What is not listed keeps the colour of plain text:
# error tokens too, because a syntax error must not look like a change.
FAMILIES: tuple[tuple[_TokenType, str], ...] = (
    (Token.Comment.Preproc, "cp"),
    (Token.Comment, "c"),
    (Token.Literal.String.Doc, "sd"),
    (Token.Literal.String.Escape, "se"),
    (Token.Literal.String.Interpol, "se"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "m"),
    (Token.Operator.Word, "k"),
    (Token.Keyword.Type, "kt"),
    (Token.Keyword, "k"),
    (Token.Name.Function, "nf"),
    (Token.Name.Class, "nc"),
    (Token.Name.Decorator, "nd"),
    (Token.Name.Builtin, "nb"),
    (Token.Name.Exception, "nb"),
)
COLOUR_CLASSES = tuple(sorted({name for _, name in FAMILIES}))


class Coloured(NamedTuple):
    start: int
    end: int
    css: str


class Segment(NamedTuple):
    """A piece of one line. `hazard` is a code point such as U+202E where the piece is one suspicious character."""

    text: str
    css: str = ""
    marked: bool = False
    hazard: str = ""


def colour_lines(lines: Sequence[str], language: str) -> tuple[tuple[Coloured, ...], ...] | None:
    """Coloured spans of every line, lexed over the whole text so that docstrings hold; None for no colour."""
    text = "\n".join(lines)
    found = lexer(language)
    if found is None or len(lines) > MAX_COLOURED_LINES or len(text) > MAX_CHARACTERS:
        return None
    rows: list[list[Coloured]] = [[]]
    end, column, is_in_order = 0, 0, True
    for start, kind, value in found.get_tokens_unprocessed(text):
        is_in_order = is_in_order and start == end
        end += len(value)
        css = _family(kind)
        for number, piece in enumerate(value.split("\n")):
            if number:
                rows.append([])
                column = 0
            if piece and css:
                _extend(rows[-1], Coloured(column, column + len(piece), css))
            column += len(piece)
    is_complete = is_in_order and end == len(text)
    return tuple(tuple(row) for row in rows[: len(lines)]) if is_complete else None


def cut(
    line: str,
    *,
    colours: Sequence[Coloured] = (),
    marks: Sequence[Span] = (),
    hazards: Sequence[Hazard] = (),
) -> tuple[Segment, ...]:
    """Pieces that join to `line`, cut wherever colour, mark or a hazard begins or ends."""
    edges = {0, len(line)}
    edges.update(edge for span in colours for edge in span[:2])
    edges.update(edge for span in marks for edge in span)
    edges.update(edge for hazard in hazards for edge in (hazard.column, hazard.column + 1))
    boxed = {hazard.column: hazard.code_point for hazard in hazards}
    ordered = sorted(edges)
    pieces: list[Segment] = []
    colour = mark = 0
    for start, end in zip(ordered, ordered[1:], strict=False):
        while colour < len(colours) and colours[colour].end <= start:
            colour += 1
        while mark < len(marks) and marks[mark][1] <= start:
            mark += 1
        css = colours[colour].css if colour < len(colours) and colours[colour].start <= start else ""
        marked = mark < len(marks) and marks[mark][0] <= start
        pieces.append(Segment(line[start:end], css, marked, boxed.get(start, "")))
    return tuple(pieces)


def _extend(row: list[Coloured], span: Coloured) -> None:
    if row and row[-1].end == span.start and row[-1].css == span.css:
        row[-1] = Coloured(row[-1].start, span.end, span.css)
    else:
        row.append(span)


@cache
def _family(kind: _TokenType) -> str:
    return next((css for parent, css in FAMILIES if kind[: len(parent)] == parent), "")
