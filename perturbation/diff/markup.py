"""DiffView to HTML: one table that speaks, made of escaped pieces; no template, because rows come by the thousand.

Classes (css/diff.css draws them): table.df, with .df-one for a plain program; tr.e edited, .a added, .d removed, .r
touched and restored; td.g gap, td.st steps; i.<colour> token colours (segments.COLOUR_CLASSES); ins and del marks, .w
where a mark is only white space; span.hz a suspicious character, its code point in data-u; span.nn no final newline;
.vh words for the ear. Hooks for scripts: tbody#hunk-N[data-steps][data-outline]; tbody#context-N[data-collapsible]
after its hidden tbody.x with button[data-expand]. Numbers and code points are drawn from data attributes, so that no
copy holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from unicodedata import bidirectional

from perturbation.diff.hazards import Hazard
from perturbation.diff.intraline import tokenize
from perturbation.diff.segments import Segment
from perturbation.diff.view import DiffView, Row, RowKind

# Context kept open around a hunk; a shorter hidden run than this is not worth a click.
CONTEXT_ROWS = 3
MIN_HIDDEN_ROWS = 4

_ROW_CLASS = {RowKind.EDITED: "e", RowKind.ADDED: "a", RowKind.REMOVED: "d"}
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
# No HTML document can hold these: the box still names them, copying gives U+FFFD.
_UNWRITABLE = {"\0": "\ufffd"}


class Html(str):
    """Text that is HTML already; template engines take it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


@dataclass(frozen=True, slots=True)
class Words:
    """Every word the table says, so that a page can pass translated ones. Braces are filled by str.format."""

    caption: str = "{edited} edited, {added} added, {removed} removed lines in {hunks} changes"
    plain_caption: str = "{lines} lines"
    left_number: str = "Parent line"
    right_number: str = "Line"
    steps: str = "Steps"
    step: str = "Step {number}"
    edited: str = "edited"
    added: str = "added"
    removed: str = "removed"
    restored: str = "touched and restored"
    gap: str = "no line"
    contains: str = "contains {names}"
    expand: str = "{count} unchanged lines"
    expand_in: str = "{count} unchanged lines, then {name}"
    no_final_newline: str = "no newline at end of file"
    line_endings: str = "Line endings differ: {left} in the parent, {right} here."
    final_newline: str = "Only one of the two files ends with a newline."
    coarse: str = "Coarse pairing: a changed block is too large to pair lines by similarity."
    colourless: str = "Shown without syntax colours: the file is too large for them."
    same_syntax_tree: str = "Same syntax tree."
    comments_only: str = "Only comments differ; the syntax tree is the same."
    white_space_only: str = "Only white space differs; the syntax tree is the same."
    hazards: str = "{count} invisible or look-alike characters, shown in boxes."


ENGLISH = Words()


def notes(view: DiffView, *, words: Words = ENGLISH) -> tuple[str, ...]:
    """Facts worth a line above the table, plain text."""
    known = view.facts
    endings = words.line_endings.format(left=known.left_endings, right=known.right_endings)
    tree = (
        words.comments_only
        if known.comments_only
        else words.white_space_only
        if known.white_space_only
        else words.same_syntax_tree
    )
    found = [
        (endings, known.line_endings_differ),
        (words.final_newline, known.left_final_newline != known.right_final_newline),
        (words.hazards.format(count=view.hazard_count), view.hazard_count),
        (tree, known.same_syntax_tree and any(row.is_changed for row in view.rows)),
        (words.coarse, view.is_coarse),
        (words.colourless, not view.is_coloured),
    ]
    return tuple(text for text, holds in found if holds)


def render(
    view: DiffView,
    *,
    left_title: str,
    right_title: str,
    steps: Sequence[str] | None = (),
    id_prefix: str = "",
    words: Words = ENGLISH,
) -> Html:
    """The side-by-side table. `steps` names step 1..n for the badges; None leaves the column of steps out."""
    table = _Table(view, steps if view.step_count else None, id_prefix, words)
    head = table.head(left_title, right_title)
    return Html(f'<table class="df" translate="no">{head}{"".join(table.bodies())}</table>')


def render_plain(view: DiffView, *, title: str, words: Words = ENGLISH) -> Html:
    """The table of one program alone."""
    caption = escape(words.plain_caption.format(lines=len(view.rows)))
    head = (
        f'<caption class="vh">{caption}</caption><colgroup><col class="dn"><col></colgroup>'
        f'<thead><tr><th scope="col"><span class="vh">{escape(words.right_number)}</span></th>'
        f'<th scope="col">{escape(title)}</th></tr></thead>'
    )
    rows = "".join(
        f'<tr><td data-n="{row.right_no}"></td><td>{_code(row.right, "ins", row.right_hazards)}</td></tr>'
        for row in view.rows
    )
    return Html(f'<table class="df df-one" translate="no">{head}<tbody>{rows}</tbody></table>')


@dataclass(frozen=True, slots=True)
class _Table:
    view: DiffView
    steps: Sequence[str] | None
    prefix: str
    words: Words

    def head(self, left_title: str, right_title: str) -> str:
        caption = self.words.caption.format(hunks=len(self.view.hunks), **self.view.counts)
        has_steps = self.steps is not None
        columns = '<col class="dn"><col><col class="dn"><col>' + '<col class="ds">' * has_steps
        titles = "".join(
            f'<th scope="col"><span class="vh">{escape(number)}</span></th><th scope="col">{escape(title)}</th>'
            for number, title in (
                (self.words.left_number, left_title),
                (self.words.right_number, right_title),
            )
        )
        last = f'<th scope="col"><span class="vh">{escape(self.words.steps)}</span></th>' * has_steps
        return (
            f'<caption class="vh">{escape(caption)}</caption><colgroup>{columns}</colgroup>'
            f"<thead><tr>{titles}{last}</tr></thead>"
        )

    def bodies(self) -> Iterator[str]:
        runs = [(hunk, list(run)) for hunk, run in groupby(self.view.rows, key=lambda r: r.hunk)]
        for index, (hunk, rows) in enumerate(runs):
            if hunk:
                yield self._hunk(hunk, rows)
            else:
                following = runs[index + 1][1][0] if index + 1 < len(runs) else None
                yield from self._context(index, rows, following)

    def _hunk(self, number: int, rows: Sequence[Row]) -> str:
        made_by = " ".join(str(step) for step, _ in self.view.hunks[number - 1].steps)
        steps = f' data-steps="{made_by}"' if self.steps is not None else ""
        return (
            f'<tbody id="{escape(self.prefix)}hunk-{number}" data-outline="{rows[0].outline}"{steps}>'
            f"{''.join(map(self._row, rows))}</tbody>"
        )

    def _context(self, index: int, rows: Sequence[Row], following: Row | None) -> Iterator[str]:
        """Unchanged rows: a few stay at each hunk, the middle may be collapsed by the page's script."""
        head = CONTEXT_ROWS if index else 0
        tail = CONTEXT_ROWS if following else 0
        hidden = rows[head : len(rows) - tail]
        if len(hidden) < MIN_HIDDEN_ROWS or any(row.steps or row.hazards for row in hidden):
            yield self._body(rows)
            return
        name = f"{self.prefix}context-{index + 1}"
        if head:
            yield self._body(rows[:head])
        yield self._expander(name, len(hidden), following)
        yield f'<tbody id="{escape(name)}" data-collapsible>{"".join(map(self._row, hidden))}</tbody>'
        if tail:
            yield self._body(rows[len(rows) - tail :])

    def _body(self, rows: Sequence[Row]) -> str:
        return f"<tbody>{''.join(map(self._row, rows))}</tbody>"

    def _expander(self, name: str, count: int, following: Row | None) -> str:
        label = self.words.expand.format(count=count)
        if following and following.outline:
            scope = self.view.outline[following.outline].name
            label = self.words.expand_in.format(count=count, name=scope)
        columns = 4 + (self.steps is not None)
        return (
            f'<tbody class="x" hidden><tr><td colspan="{columns}">'
            f'<button type="button" data-expand="{escape(name)}">{escape(label)}</button></td></tr></tbody>'
        )

    def _row(self, row: Row) -> str:
        css = _ROW_CLASS.get(row.kind) or ("r" if row.is_restored else "")
        cells = (
            self._left_number(row),
            self._cell(row.left_no, row.left, "del", row.left_hazards, self._unended(row, 0)),
            f'<td data-n="{row.right_no}"></td>' if row.right_no else '<td class="g"></td>',
            self._cell(row.right_no, row.right, "ins", row.right_hazards, self._unended(row, 1)),
            self._badges(row) if self.steps is not None else "",
        )
        return f"<tr{_class(css)}>{''.join(cells)}</tr>"

    def _left_number(self, row: Row) -> str:
        number = f' data-n="{row.left_no}"' if row.left_no else ' class="g"'
        said = self._said(row)
        if not said:
            return f"<td{number}></td>"
        return f'<th scope="row"{number}><span class="vh">{escape(said)}</span></th>'

    def _said(self, row: Row) -> str:
        kind = {
            RowKind.EDITED: self.words.edited,
            RowKind.ADDED: self.words.added,
            RowKind.REMOVED: self.words.removed,
        }.get(row.kind, self.words.restored if row.is_restored and self.steps is not None else "")
        names = dict.fromkeys(f"{found.code_point} {found.name}" for found in row.hazards)
        contains = self.words.contains.format(names=", ".join(names)) if names else ""
        return ", ".join(word for word in (kind, contains) if word)

    def _unended(self, row: Row, side: int) -> bool:
        """Whether this cell shows a last line without its newline where the other file has one."""
        known = self.view.facts
        if row.kind is RowKind.SAME or known.left_final_newline == known.right_final_newline:
            return False
        last = self.view.outline[0].right_last if side else self.view.outline[0].left_last
        number = row.right_no if side else row.left_no
        has_newline = known.right_final_newline if side else known.left_final_newline
        return number == last and not has_newline

    def _cell(
        self,
        number: int | None,
        pieces: Sequence[Segment],
        tag: str,
        hazards: Sequence[Hazard],
        is_unended: bool,  # noqa: FBT001
    ) -> str:
        if number is None:
            return f'<td class="g"><span class="vh">{escape(self.words.gap)}</span></td>'
        end = f'<span class="nn">{escape(self.words.no_final_newline)}</span>' if is_unended else ""
        return f"<td>{_code(pieces, tag, hazards)}{end}</td>"

    def _badges(self, row: Row) -> str:
        if not row.steps:
            return "<td></td>"
        badges = " ".join(f'<b data-step="{step}" title="{escape(self._title(step))}">{step}</b>' for step in row.steps)
        return f'<td class="st">{badges}</td>'

    def _title(self, step: int) -> str:
        label = self.words.step.format(number=step)
        named = self.steps is not None and len(self.steps) >= step
        return f"{label}: {self.steps[step - 1]}" if named and self.steps else label


def _class(css: str) -> str:
    return f' class="{css}"' if css else ""


def _code(pieces: Sequence[Segment], tag: str, hazards: Sequence[Hazard]) -> str:
    names = {found.code_point: found.name for found in hazards}
    parts: list[str] = []
    for marked, run in groupby(pieces, key=lambda piece: piece.marked):
        group = list(run)
        inner = "".join(_piece(piece, names) for piece in group)
        if marked:
            blank = all(piece.text.isspace() and not piece.hazard for piece in group)
            inner = f"<{tag}{_class('w' if blank else '')}>{inner}</{tag}>"
        parts.append(inner)
    return "".join(parts)


def _piece(piece: Segment, names: dict[str, str]) -> str:
    if piece.hazard:
        text = escape(_UNWRITABLE.get(piece.text, piece.text).encode(errors="replace").decode())
        shown, title = escape(piece.hazard), escape(names.get(piece.hazard, ""))
        return f'<span class="hz" data-u="{shown}" title="{title}">{text}</span>'
    if piece.css:
        return f'<i class="{piece.css}">{escape(piece.text, quote=False)}</i>'
    return escape(piece.text, quote=False) if piece.text.isascii() else _isolated(piece.text)


def _isolated(text: str) -> str:
    """Plain text whose right-to-left words cannot move their neighbours."""
    return "".join(
        f"<bdi>{token}</bdi>" if any(bidirectional(char) in _RIGHT_TO_LEFT for char in token) else token
        for token in (escape(token, quote=False) for token in tokenize(text))
    )
