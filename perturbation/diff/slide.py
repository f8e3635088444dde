"""Slides a one-sided run of lines to the edge where a reader expects it, so that whole functions and blocks show.

Weights and comparison are git's indent heuristic (xdiff/xdiffi.c), fitted there on a corpus labelled by people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_MAX_SHIFT = 100
_MAX_BLANKS = 20
_MAX_INDENT = 200
_TAB_WIDTH = 8

_START_OF_FILE = 1
_END_OF_FILE = 21
_TOTAL_BLANK = -30
_POST_BLANK = 6
_INDENT, _INDENT_WITH_BLANK = -4, 10
_OUTDENT, _OUTDENT_WITH_BLANK = 24, 17
_DEDENT, _DEDENT_WITH_BLANK = 23, 17
_INDENT_WEIGHT = 60

_BLANK = -1


@dataclass(frozen=True, slots=True)
class _Score:
    indent: int
    penalty: int

    def __add__(self, other: _Score) -> _Score:
        return _Score(self.indent + other.indent, self.penalty + other.penalty)

    def is_no_worse_than(self, other: _Score) -> bool:
        deeper = (self.indent > other.indent) - (self.indent < other.indent)
        return _INDENT_WEIGHT * deeper + self.penalty - other.penalty <= 0


def slide(matches: list[tuple[int, int]], left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """The same number of matches, with each removed or added run moved to its best equivalent place."""
    partner = [-1] * len(left)
    for i, j in matches:
        partner[i] = j
    _slide_side(partner, left, len(right))
    back = [-1] * len(right)
    for i, j in enumerate(partner):
        if j >= 0:
            back[j] = i
    _slide_side(back, right, len(left))
    return [(i, j) for j, i in enumerate(back) if i >= 0]


def _slide_side(partner: list[int], keys: Sequence[str], other_count: int) -> None:
    indents = [_indent(key) for key in keys]
    start = 0
    while start < len(keys):
        if partner[start] >= 0:
            start += 1
            continue
        end = start
        while end < len(keys) and partner[end] < 0:
            end += 1
        if _is_one_sided(partner, start, end, other_count):
            _slide_run(partner, keys, indents, start, end)
        start = end


def _is_one_sided(partner: list[int], start: int, end: int, other_count: int) -> bool:
    before = partner[start - 1] if start else -1
    after = partner[end] if end < len(partner) else other_count
    return after == before + 1


def _slide_run(partner: list[int], keys: Sequence[str], indents: list[int], start: int, end: int) -> None:
    up = 0
    while up < _MAX_SHIFT and _may_rise(partner, keys, start - up, end - up):
        up += 1
    down = 0
    while down < _MAX_SHIFT and _may_sink(partner, keys, start + down, end + down):
        down += 1
    best, best_score = 0, None
    for shift in range(-up, down + 1):
        score = _split_score(indents, start + shift) + _split_score(indents, end + shift)
        if best_score is None or score.is_no_worse_than(best_score):
            best, best_score = shift, score
    for step in range(-best):
        partner[end - 1 - step], partner[start - 1 - step] = partner[start - 1 - step], -1
    for step in range(best):
        partner[start + step], partner[end + step] = partner[end + step], -1


def _may_rise(partner: list[int], keys: Sequence[str], start: int, end: int) -> bool:
    if start == 0 or partner[start - 1] < 0 or keys[start - 1] != keys[end - 1]:
        return False
    return start == 1 or partner[start - 2] in (-1, partner[start - 1] - 1)


def _may_sink(partner: list[int], keys: Sequence[str], start: int, end: int) -> bool:
    if end == len(keys) or partner[end] < 0 or keys[start] != keys[end]:
        return False
    return end + 1 == len(keys) or partner[end + 1] in (-1, partner[end] + 1)


def _indent(key: str) -> int:
    """Columns of leading white space, or -1 for a blank line."""
    width = 0
    for char in key:
        if char == " ":
            width += 1
        elif char == "\t":
            width += _TAB_WIDTH - width % _TAB_WIDTH
        elif not char.isspace():
            return width
        if width >= _MAX_INDENT:
            return _MAX_INDENT
    return _BLANK


def _nearest(indents: list[int], order: range) -> tuple[int, int]:
    """Indent of the first line in `order` that is not blank, and the blank lines before it."""
    blanks = 0
    for index in order:
        if indents[index] != _BLANK:
            return indents[index], blanks
        blanks += 1
        if blanks == _MAX_BLANKS:
            return 0, blanks
    return _BLANK, blanks


def _split_score(indents: list[int], split: int) -> _Score:
    """How badly a hunk edge reads just before line `split`."""
    at_end = split >= len(indents)
    indent = _BLANK if at_end else indents[split]
    pre_indent, pre_blank = _nearest(indents, range(split - 1, -1, -1))
    post_indent, post_blank = _nearest(indents, range(split + 1, len(indents)))
    penalty = _START_OF_FILE if pre_indent == _BLANK and pre_blank == 0 else 0
    penalty += _END_OF_FILE if at_end else 0
    own_blanks = 1 + post_blank if indent == _BLANK else 0
    penalty += _TOTAL_BLANK * (pre_blank + own_blanks) + _POST_BLANK * own_blanks
    effective = post_indent if indent == _BLANK else indent
    penalty += _step_penalty(effective, pre_indent, post_indent, has_blank=pre_blank + own_blanks > 0)
    return _Score(effective, penalty)


def _step_penalty(indent: int, before: int, after: int, *, has_blank: bool) -> int:
    if _BLANK in (indent, before) or indent == before:
        return 0
    if indent > before:
        return _INDENT_WITH_BLANK if has_blank else _INDENT
    if after > indent:
        return _OUTDENT_WITH_BLANK if has_blank else _OUTDENT
    return _DEDENT_WITH_BLANK if has_blank else _DEDENT
