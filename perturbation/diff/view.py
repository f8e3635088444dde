"""Assembles the diff: one frozen DiffView from two texts and, where given, the chain between them.

A pure function of its arguments: no clock, no environment, no order of sets. Build once, store, show many times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from perturbation.diff import attribution, facts, hazards, intraline, segments
from perturbation.diff.align import Match, gaps
from perturbation.diff.hazards import Hazard
from perturbation.diff.lines import LineText, split
from perturbation.diff.outlining import outline
from perturbation.diff.pair import pair_lines
from perturbation.diff.segments import Segment
from perturbation.diff.shapes import DIFF_VERSION, DiffView, Hunk, Row, RowKind, StaleDiff

__all__ = ["DIFF_VERSION", "ChainDoesNotFit", "DiffView", "Hunk", "Row", "RowKind", "StaleDiff", "build", "build_plain"]

Place = tuple[int | None, int | None]


class ChainDoesNotFit(ValueError):
    """The chain does not begin with the parent or does not end with the child."""


def build(*, parent: str, child: str, language: str, chain: Sequence[str] = ()) -> DiffView:
    """The diff of `parent` and `child`. `chain` holds the texts p0..pn and names the steps behind each row.

    Raises ChainDoesNotFit when p0 is not the parent or pn not the child; no text makes it raise anything else.
    """
    left, right = split(parent), split(child)
    history = _history(left, right, chain)
    known = attribution.seeds(history, left, right) if history else ()
    paired = pair_lines(left, right, seeds=known)
    places = list(_places(paired.pairs, len(left.lines), len(right.lines)))
    kinds = [_kind(left, right, place) for place in places]
    nodes, owners = outline(left, right, language, places, [kind.value for kind in kinds])
    sides = _Side.of(left, language), _Side.of(right, language)
    numbers = _hunk_numbers(kinds)
    rows = tuple(
        _row(sides, place, kind, hunk, owner, history.steps_of(*place) if history else ())
        for place, kind, hunk, owner in zip(places, kinds, numbers, owners, strict=True)
    )
    return DiffView(
        language=language,
        rows=rows,
        hunks=tuple(_hunks(rows)),
        outline=nodes,
        facts=facts.compare(left, right, language),
        step_count=len(chain) - 1 if history else 0,
        is_coarse=paired.is_coarse,
        is_coloured=all(side.colours is not None for side in sides),
    )


def build_plain(*, text: str, language: str) -> DiffView:
    """One program alone, on the right side of every row: for programs without a true parent."""
    content = split(text)
    side = _Side.of(content, language)
    places: list[Place] = [(None, index) for index in range(len(content.lines))]
    nodes, owners = outline(split(""), content, language, places, ["same"] * len(places))
    rows = tuple(
        _row((side, side), place, RowKind.SAME, 0, owner, ()) for place, owner in zip(places, owners, strict=True)
    )
    return DiffView(
        language=language,
        rows=rows,
        hunks=(),
        outline=nodes,
        facts=facts.compare(content, content, language),
        is_coloured=side.colours is not None,
        is_plain=True,
    )


@dataclass(frozen=True)
class _Side:
    text: LineText
    colours: tuple[tuple[segments.Coloured, ...], ...] | None

    @classmethod
    def of(cls, text: LineText, language: str) -> _Side:
        return cls(text, segments.colour_lines(text.lines, language))

    def cell(
        self, index: int | None, marks: Sequence[intraline.Span] = ()
    ) -> tuple[tuple[Segment, ...], tuple[Hazard, ...]]:
        if index is None:
            return (), ()
        line = self.text.lines[index]
        colours = self.colours[index] if self.colours else ()
        found = hazards.find(line, colours=colours)
        return segments.cut(line, colours=colours, marks=marks, hazards=found), found


def _history(parent: LineText, child: LineText, chain: Sequence[str]) -> attribution.Attribution | None:
    if len(chain) < 2:
        return None
    texts = [split(text) for text in chain]
    if texts[0].keys != parent.keys or texts[-1].keys != child.keys:
        end = "begin with the parent" if texts[0].keys != parent.keys else "end with the child"
        raise ChainDoesNotFit(f"a chain of {len(chain)} texts must {end}; pass the texts p0..pn in order")
    return attribution.attribute(texts)


def _places(pairs: Sequence[Match], left_count: int, right_count: int) -> Iterator[Place]:
    """Every line of both sides once: pairs in order, between them first what is removed, then what is added."""
    closing: list[Match | None] = [*pairs, None]
    for (lefts, rights), pair in zip(gaps(pairs, left_count, right_count), closing, strict=True):
        yield from ((i, None) for i in lefts)
        yield from ((None, j) for j in rights)
        if pair is not None:
            yield pair


def _kind(left: LineText, right: LineText, place: Place) -> RowKind:
    i, j = place
    if i is None:
        return RowKind.ADDED
    if j is None:
        return RowKind.REMOVED
    return RowKind.SAME if left.keys[i] == right.keys[j] else RowKind.EDITED


def _hunk_numbers(kinds: Sequence[RowKind]) -> list[int]:
    numbers: list[int] = []
    hunk = 0
    for is_changed, run in groupby(kind is not RowKind.SAME for kind in kinds):
        hunk += is_changed
        numbers += [hunk if is_changed else 0 for _ in run]
    return numbers


def _row(
    sides: tuple[_Side, _Side],
    place: Place,
    kind: RowKind,
    hunk: int,
    owner: int,
    steps: tuple[int, ...],
) -> Row:
    (i, j), (ours, theirs) = place, sides
    left_marks: tuple[intraline.Span, ...] = ()
    right_marks: tuple[intraline.Span, ...] = ()
    if kind is RowKind.EDITED and i is not None and j is not None:
        left_marks, right_marks = intraline.mark(ours.text.lines[i], theirs.text.lines[j])
    left, left_hazards = ours.cell(i, left_marks)
    right, right_hazards = theirs.cell(j, right_marks)
    return Row(
        kind=kind,
        left_no=None if i is None else i + 1,
        right_no=None if j is None else j + 1,
        left=left,
        right=right,
        steps=steps,
        hunk=hunk,
        outline=owner,
        left_hazards=left_hazards,
        right_hazards=right_hazards,
    )


def _hunks(rows: Sequence[Row]) -> Iterator[Hunk]:
    start = 0
    for number, run in groupby(rows, key=lambda row: row.hunk):
        members = list(run)
        if number:
            made = Counter(step for row in members for step in row.steps)
            yield Hunk(number, start, start + len(members), tuple(sorted(made.items())))
        start += len(members)
