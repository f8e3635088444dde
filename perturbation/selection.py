"""Chooses a diverse subset of programs: farthest-first on normalised token edit distance. Pure and seeded.

The distance of two programs is the Levenshtein distance of their tokens over the length of the longer one, 0 to 1. It
is no metric: only bounds that hold for it are used, and the picks are those of the plain algorithm.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from rapidfuzz.distance import Levenshtein

from perturbation.tokens import encode_tokens, normalised_distance

MEDOID_SAMPLE = 64


@dataclass(frozen=True, slots=True)
class Pick:
    """A chosen program. `distance` is that to its nearest earlier pick of the cell, 0 to 1; None for the first."""

    program: Any
    distance: float | None
    rank: int
    target_score: int | None


@dataclass(frozen=True, slots=True)
class CellStatistics:
    """What a cell's picks look like, beside a random choice of equal size. Undefined (None) below two picks.

    min and mean distance are over all pairs of picks; nearest_mean is the mean distance to the nearest other pick.
    """

    benchmark: str
    target_score: int | None
    available: int
    picked: int
    shortfall: int
    min_distance: float | None
    mean_distance: float | None
    nearest_mean: float | None
    random_min: float | None
    random_mean: float | None
    random_nearest_mean: float | None


@dataclass(frozen=True, slots=True)
class SelectionResult:
    """The picks of all cells in the order of the cells and ranks, and the statistics of each cell."""

    picks: tuple[Pick, ...]
    cells: tuple[CellStatistics, ...]

    @property
    def programs(self) -> tuple[Any, ...]:
        """The chosen programs alone."""
        return tuple(pick.program for pick in self.picks)

    @property
    def min_distance(self) -> float | None:
        """The smallest distance of two picks of the same cell."""
        return min((cell.min_distance for cell in self.cells if cell.min_distance is not None), default=None)

    @property
    def mean_distance(self) -> float | None:
        """The mean of the cells' mean distances."""
        return _mean([cell.mean_distance for cell in self.cells if cell.mean_distance is not None])

    @property
    def random_min(self) -> float | None:
        """The smallest distance of two programs of the same cell under random choice."""
        return min((cell.random_min for cell in self.cells if cell.random_min is not None), default=None)

    @property
    def random_mean(self) -> float | None:
        """The mean of the cells' mean distances under random choice."""
        return _mean([cell.random_mean for cell in self.cells if cell.random_mean is not None])


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: str
    tokens: str
    program: Any


def select(
    *,
    programs: Iterable[Any],
    cap: int,
    seed: int | str,
    on_progress: Callable[[int], None] = lambda _picked: None,
) -> SelectionResult:
    """Pick at most `cap` programs of every benchmark x target cell, each as far as possible from those before it.

    A program has `content_key` (or `key`) and `tokens`; where the tokens are empty, `text` and `language`. Programs of
    several benchmarks or target scores are chosen cell by cell. The first pick is the medoid of a seeded sample; ties
    go to the smaller key, so neither the order of `programs` nor anything else but content and seed matters. It works
    in the thread that called it and shares nothing. Memory grows with the number of programs, not of pairs.
    `on_progress` is told after each pick how many there are by now, over all cells.
    Raises ValueError when `cap` is below 1.
    """
    if cap < 1:
        raise ValueError(f"cap is {cap}: at least 1 program a cell is needed")
    cells: defaultdict[tuple[str, int], list[_Candidate]] = defaultdict(list)
    for program in programs:
        target = getattr(program, "target_score", None)
        cells[_benchmark_of(program), -1 if target is None else target].append(_candidate(program))
    picks: list[Pick] = []
    statistics: list[CellStatistics] = []
    for (benchmark, score), members in sorted(cells.items()):
        target = None if score == -1 else score
        candidates = sorted(members, key=lambda member: (member.key, member.tokens))
        cell_seed = f"{seed}|{benchmark}|{score}"
        chosen: list[tuple[int, float | None]] = []
        for choice in _farthest_first([one.tokens for one in candidates], cap=cap, seed=cell_seed):
            chosen.append(choice)
            on_progress(len(picks) + len(chosen))
        picks += [
            Pick(candidates[index].program, distance, rank, target) for rank, (index, distance) in enumerate(chosen)
        ]
        statistics.append(_statistics(benchmark, target, candidates, [index for index, _ in chosen], cap, cell_seed))
    return SelectionResult(tuple(picks), tuple(statistics))


def _benchmark_of(program: Any) -> str:
    requirement = getattr(program, "requirement", None)
    benchmark = getattr(requirement, "benchmark", None)
    return str(getattr(benchmark, "name", ""))


def _candidate(program: Any) -> _Candidate:
    tokens = getattr(program, "tokens", "")
    if not tokens and (text := getattr(program, "text", "")):
        tokens = encode_tokens(text, program.language)
    key = getattr(program, "content_key", None) or getattr(program, "key", None)
    # Without a key only the content can decide: programs that are equal in it are interchangeable.
    return _Candidate(str(key) if key else sha256(tokens.encode("utf-8", "surrogatepass")).hexdigest(), tokens, program)


def _medoid(texts: Sequence[str], seed: str) -> int:
    """Return the index with the smallest sum of distances within a seeded sample; the first of equals."""
    size = min(len(texts), MEDOID_SAMPLE)
    sample = sorted(random.Random(f"{seed}|medoid").sample(range(len(texts)), size))
    sums = {one: math.fsum(normalised_distance(texts[one], texts[other]) for other in sample) for one in sample}
    return min(sample, key=lambda index: (sums[index], index))


def _farthest_first(texts: Sequence[str], *, cap: int, seed: str) -> Iterator[tuple[int, float | None]]:
    """Yield (index, distance to the nearest earlier pick) of each pick.

    The distance to the nearest pick only falls as picks are added, so an old value is an upper bound. The candidate
    with the largest bound is brought up to date; if it then still leads, no other can beat it. Most candidates near a
    pick are never looked at again. This holds for any distance, metric or not.
    """
    picked = [_medoid(texts, seed)]
    yield picked[0], None
    # (minus the bound, index, number of picks that the bound takes into account); the bound of nothing is 2, above all
    waiting = [(-2.0, index, 0) for index in range(len(texts)) if index != picked[0]]
    while waiting and len(picked) < cap:
        bound, index, known = waiting[0]
        if known == len(picked):
            heapq.heappop(waiting)
            picked.append(index)
            yield index, -bound
            continue
        nearest = -bound
        for pick in itertools.islice(picked, known, None):
            nearest = _nearer(texts[index], texts[pick], nearest)
        heapq.heapreplace(waiting, (-nearest, index, len(picked)))


def _nearer(text: str, pick: str, nearest: float) -> float:
    """Return min(nearest, distance of the two texts), and compute no more of the distance than that needs."""
    longer = max(len(text), len(pick))
    if not longer:
        return 0.0
    if abs(len(text) - len(pick)) / longer >= nearest:
        return nearest
    # The largest whole number of edits that is still nearer, in the same floating point as the comparison.
    cutoff = int(nearest * longer)
    while cutoff >= 0 and cutoff / longer >= nearest:
        cutoff -= 1
    edits = Levenshtein.distance(text, pick, score_cutoff=max(cutoff, 0))
    return min(nearest, edits / longer)


def _statistics(
    benchmark: str, target: int | None, candidates: Sequence[_Candidate], chosen: list[int], cap: int, seed: str
) -> CellStatistics:
    lottery = random.Random(f"{seed}|random").sample(range(len(candidates)), len(chosen))
    ours, theirs = (_spread([candidates[index].tokens for index in indexes]) for indexes in (chosen, lottery))
    return CellStatistics(benchmark, target, len(candidates), len(chosen), max(0, cap - len(chosen)), *ours, *theirs)


def _spread(texts: Sequence[str]) -> tuple[float | None, float | None, float | None]:
    """Return the minimum and mean distance over all pairs, and the mean distance to the nearest other text."""
    if len(texts) < 2:
        return None, None, None
    nearest = [math.inf] * len(texts)
    everything: list[float] = []
    for one, other in itertools.combinations(range(len(texts)), 2):
        value = normalised_distance(texts[one], texts[other])
        everything.append(value)
        nearest[one] = min(nearest[one], value)
        nearest[other] = min(nearest[other], value)
    return min(everything), _mean(everything), _mean(nearest)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
