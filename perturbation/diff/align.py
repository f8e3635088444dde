"""Which lines of two texts are the same line: a longest common subsequence, with one-sided runs slid to readable edges.

Lines without a letter or digit (blank lines, lone brackets) never anchor on their own: they only extend real matches.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from perturbation.diff.slide import slide

Match = tuple[int, int]

# The bit matrix of the subsequence takes an eighth of a byte a cell: 25 MB at most.
_MAX_CELLS = 200_000_000
# A lone match is given up only where the blocks around it are small enough to be paired by similarity.
_ISLAND_LINES = 3
_ISLAND_REACH = 40


def match_lines(left: Sequence[str], right: Sequence[str]) -> list[Match]:
    """Matched (left, right) indices of equal keys, strictly increasing on both sides."""
    codes: dict[str, int] = {}
    left_codes = [codes.setdefault(key, len(codes)) for key in left]
    right_codes = [codes.setdefault(key, len(codes)) for key in right]
    strong_left = [i for i, key in enumerate(left) if is_strong(key)]
    strong_right = [j for j, key in enumerate(right) if is_strong(key)]
    strong = _common([left_codes[i] for i in strong_left], [right_codes[j] for j in strong_right])
    matches = [(strong_left[a], strong_right[b]) for a, b in strong]
    return slide(list(_extended(matches, left, right)), left, right)


def gaps(matches: Sequence[Match], left_count: int, right_count: int) -> Iterator[tuple[range, range]]:
    """The unmatched stretch before each match and after the last one, as (left, right) index ranges."""
    edges = [(-1, -1), *matches, (left_count, right_count)]
    for (i, j), (next_i, next_j) in pairwise(edges):
        yield range(i + 1, next_i), range(j + 1, next_j)


def is_strong(key: str) -> bool:
    """Whether a line says enough to anchor a match: it holds a letter or a digit."""
    return any(char.isalnum() for char in key)


def without_islands(matches: Sequence[Match], left: Sequence[str], right: Sequence[str]) -> list[Match]:
    """The matches without single lines, such as a `try:`, that stand alone between two changed blocks.

    Such a line may be equal by chance and part what belongs together; similarity over the joined block decides better.
    """
    runs = _runs(matches)
    edges = [[(-1, -1)], *runs, [(len(left), len(right))]]
    kept: list[Match] = []
    for before, run, after in zip(edges, runs, edges[2:], strict=False):
        if not _is_island(before[-1], run, after[0], left):
            kept += run
    return kept


def _runs(matches: Sequence[Match]) -> list[list[Match]]:
    """Matches in unbroken runs: each next on both sides."""
    runs: list[list[Match]] = []
    for i, j in matches:
        if runs and runs[-1][-1] == (i - 1, j - 1):
            runs[-1].append((i, j))
        else:
            runs.append([(i, j)])
    return runs


def _is_island(before: Match, run: list[Match], after: Match, left: Sequence[str]) -> bool:
    (i, j), (last_i, last_j) = run[0], run[-1]
    if len(run) > _ISLAND_LINES or sum(is_strong(left[line]) for line, _ in run) > 1:
        return False
    removed = (i - before[0] - 1, after[0] - last_i - 1)
    added = (j - before[1] - 1, after[1] - last_j - 1)
    has_choice = removed[0] + added[0] > 0 and removed[1] + added[1] > 0 and sum(removed) > 0 and sum(added) > 0
    return has_choice and max(*removed, *added) <= _ISLAND_REACH


def _extended(matches: list[Match], left: Sequence[str], right: Sequence[str]) -> Iterator[Match]:
    """The matches, each grown over the equal weak lines that touch it or an end of the text."""
    closing: list[Match | None] = [*matches, None]
    for (lefts, rights), match in zip(gaps(matches, len(left), len(right)), closing, strict=True):
        shorter = min(len(lefts), len(rights))
        head = 0
        while head < shorter and left[lefts[head]] == right[rights[head]]:
            head += 1
        tail = 0
        while tail < shorter - head and left[lefts[-1 - tail]] == right[rights[-1 - tail]]:
            tail += 1
        yield from zip(lefts[:head], rights[:head], strict=True)
        yield from zip(lefts[len(lefts) - tail :], rights[len(rights) - tail :], strict=True)
        if match is not None:
            yield match


def _common(left: list[int], right: list[int]) -> list[Match]:
    """Index pairs of a longest common subsequence of two code lists."""
    head = 0
    while head < min(len(left), len(right)) and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < min(len(left), len(right)) - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    middle_left, middle_right = left[head : len(left) - tail], right[head : len(right) - tail]
    matches = [(index, index) for index in range(head)]
    matches += [(head + a, head + b) for a, b in _middle(middle_left, middle_right)]
    starts = len(left) - tail, len(right) - tail
    return matches + [(starts[0] + index, starts[1] + index) for index in range(tail)]


def _middle(left: list[int], right: list[int]) -> list[Match]:
    if len(left) * len(right) > _MAX_CELLS:
        return _around_unique_lines(left, right)
    found: list[Match] = []
    for block in LCSseq.opcodes(left, right):
        if block.tag == "equal":
            found += zip(
                range(block.src_start, block.src_end),
                range(block.dest_start, block.dest_end),
                strict=True,
            )
    return found


def _around_unique_lines(left: list[int], right: list[int]) -> list[Match]:
    """Texts too large for one matrix: match the lines unique to both sides first, then what lies between."""
    once_left = {code for code, count in Counter(left).items() if count == 1}
    once_right = {code for code, count in Counter(right).items() if count == 1}
    place = {code: index for index, code in enumerate(right) if code in once_right}
    both = once_left & place.keys()
    anchors = [(i, place[code]) for i, code in enumerate(left) if code in both]
    kept = _increasing(anchors)
    if not kept:
        return []
    found: list[Match] = []
    closing: list[Match | None] = [*kept, None]
    for (lefts, rights), anchor in zip(gaps(kept, len(left), len(right)), closing, strict=True):
        inner = _common([left[i] for i in lefts], [right[j] for j in rights])
        found += [(lefts[a], rights[b]) for a, b in inner]
        if anchor is not None:
            found.append(anchor)
    return found


def _increasing(anchors: list[Match]) -> list[Match]:
    """The longest run of anchors that rises on the right side (patience sorting)."""
    tops: list[int] = []
    top_index: list[int] = []
    before: list[int] = []
    for index, (_, j) in enumerate(anchors):
        pile = bisect_left(tops, j)
        before.append(top_index[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            top_index.append(index)
        else:
            tops[pile], top_index[pile] = j, index
    chain: list[Match] = []
    index = top_index[-1] if top_index else -1
    while index >= 0:
        chain.append(anchors[index])
        index = before[index]
    return chain[::-1]
