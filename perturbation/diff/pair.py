"""Which removed line became which added line: pairs inside a changed block, by similarity and in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from perturbation.diff.align import Match, gaps, is_strong, match_lines, without_islands
from perturbation.diff.intraline import tokenize
from perturbation.diff.lines import LineText

MIN_SIMILARITY = 0.45
# Enough where a lone line stands in the place of another: there is no other candidate.
MIN_REPLACED = 0.25
MAX_CELLS = 40_000

# Equal lines without a letter or digit say little about where a block belongs.
_BLANK_WEIGHT = 0.1
_BRACKET_WEIGHT = 0.5
# A line longer than this is compared by its two ends.
_COMPARED = 2_000
# A line that is a word and its punctuation has no likeness to measure: `break` and `continue`, 255 and 260.
_SHORT = 2
_SHORT_CHARACTERS = 40
_SHORT_WEIGHT = 0.2
_EXACT_BONUS = 0.05
_FIRST_CODE = 0xF0000


@dataclass(frozen=True, slots=True)
class LinePairs:
    """Pairs of (left, right) indices, rising on both sides; coarse where a block was too large for similarity."""

    pairs: tuple[Match, ...]
    is_coarse: bool = False


def pair_lines(left: LineText, right: LineText, *, seeds: Sequence[Match] = ()) -> LinePairs:
    """All pairs of two texts: equal lines, then similar ones between them. `seeds` are pairs known beforehand."""
    pairs: list[Match] = []
    is_coarse = False
    closing: list[Match | None] = [*seeds, None]
    regions = gaps(seeds, len(left.lines), len(right.lines))
    for (lefts, rights), seed in zip(regions, closing, strict=True):
        if lefts and rights:
            found = _pair_region([left.keys[i] for i in lefts], [right.keys[j] for j in rights])
            pairs += [(lefts[a], rights[b]) for a, b in found.pairs]
            is_coarse = is_coarse or found.is_coarse
        if seed is not None:
            pairs.append(seed)
    return LinePairs(tuple(pairs), is_coarse)


def pair_block(left: Sequence[str], right: Sequence[str]) -> LinePairs:
    """Pairs inside one changed block: the order-keeping choice with the largest sum of similarities."""
    if len(left) * len(right) > MAX_CELLS:
        shorter = min(len(left), len(right))
        return LinePairs(tuple((index, index) for index in range(shorter)), is_coarse=True)
    path = _best_path(_weights(left, right))
    return LinePairs(tuple(_with_replaced(path, left, right)))


def similarity(left: str, right: str) -> float:
    """Half token-sequence similarity, half character similarity, of the stripped lines; 0 to 1."""
    return float(_similarities([left.strip()], [right.strip()])[0, 0])


def _pair_region(left: Sequence[str], right: Sequence[str]) -> LinePairs:
    matches = without_islands(match_lines(left, right), left, right)
    pairs: list[Match] = []
    is_coarse = False
    closing: list[Match | None] = [*matches, None]
    for (lefts, rights), match in zip(gaps(matches, len(left), len(right)), closing, strict=True):
        if lefts and rights:
            block = pair_block([left[i] for i in lefts], [right[j] for j in rights])
            pairs += [(lefts[a], rights[b]) for a, b in block.pairs]
            is_coarse = is_coarse or block.is_coarse
        if match is not None:
            pairs.append(match)
    return LinePairs(tuple(pairs), is_coarse)


def _with_replaced(path: Sequence[Match], left: Sequence[str], right: Sequence[str]) -> Iterator[Match]:
    """The path, and between its pairs the lone line that took the place of another lone line."""
    closing: list[Match | None] = [*path, None]
    for (lefts, rights), pair in zip(gaps(path, len(left), len(right)), closing, strict=True):
        ours, theirs = ([i for i in lefts if left[i].strip()], [j for j in rights if right[j].strip()])
        if len(ours) == len(theirs) == 1 and _is_replaced(left[ours[0]], right[theirs[0]]):
            yield ours[0], theirs[0]
        if pair is not None:
            yield pair


def _is_replaced(left: str, right: str) -> bool:
    """Same indentation, and either some likeness or lines too short to have any, such as `break` and `continue`."""
    if _indent(left) != _indent(right):
        return False
    return _are_short(left.strip(), right.strip()) or similarity(left, right) >= MIN_REPLACED


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _are_short(left: str, right: str) -> bool:
    if max(len(left), len(right)) > _SHORT_CHARACTERS:
        return False
    return max(len(tokenize(left)), len(tokenize(right))) <= _SHORT


def _weights(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """What each pair is worth; 0 means refused."""
    ours, theirs = [line.strip() for line in left], [line.strip() for line in right]
    worth = _similarities(ours, theirs)
    worth[worth < MIN_SIMILARITY] = 0.0
    for i, line in enumerate(ours):
        for j, other in enumerate(theirs):
            if line == other:
                weak = _BRACKET_WEIGHT if line else _BLANK_WEIGHT
                worth[i, j] = (1.0 if is_strong(line) else weak) + _EXACT_BONUS * (left[i] == right[j])
            elif not line or not other:
                worth[i, j] = 0.0
            elif worth[i, j] == 0.0 and _are_short(line, other) and _indent(left[i]) == _indent(right[j]):
                worth[i, j] = _SHORT_WEIGHT
    return worth


def _similarities(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    codes: dict[str, int] = {}
    ours, theirs = [_ends(line) for line in left], [_ends(line) for line in right]
    characters = cdist(ours, theirs, scorer=Indel.normalized_similarity, dtype=np.float64)
    tokens = cdist(
        [_encoded(line, codes) for line in ours],
        [_encoded(line, codes) for line in theirs],
        scorer=Indel.normalized_similarity,
        dtype=np.float64,
    )
    halves: NDArray[np.float64] = (characters + tokens) / 2
    return halves


def _ends(line: str) -> str:
    return line if len(line) <= _COMPARED else line[: _COMPARED // 2] + line[-_COMPARED // 2 :]


def _encoded(line: str, codes: dict[str, int]) -> str:
    """The tokens of a line as one character each, white space left out."""
    tokens = (token for token in tokenize(line) if not token.isspace())
    return "".join(chr(_FIRST_CODE + codes.setdefault(t, len(codes)) % 0x1FFFE) for t in tokens)


def _best_path(worth: NDArray[np.float64]) -> list[Match]:
    rows, columns = worth.shape
    cells: list[list[float]] = worth.tolist()
    total = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        below, here, row = total[i + 1], total[i], cells[i]
        for j in range(columns - 1, -1, -1):
            skipped = below[j] if below[j] >= here[j + 1] else here[j + 1]
            paired = below[j + 1] + row[j] if row[j] else 0.0
            here[j] = paired if paired > skipped else skipped
    path: list[Match] = []
    i = j = 0
    while i < rows and j < columns:
        if cells[i][j] and total[i][j] == total[i + 1][j + 1] + cells[i][j]:
            path.append((i, j))
            i, j = i + 1, j + 1
        elif total[i][j] == total[i + 1][j]:
            i += 1
        else:
            j += 1
    return path
