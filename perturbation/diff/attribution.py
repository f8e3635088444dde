"""Which steps of a chain made each row: the row maps of adjacent texts, composed. Needs the stored texts only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perturbation.diff.align import Match
from perturbation.diff.lines import LineText
from perturbation.diff.pair import pair_lines, similarity

Steps = tuple[int, ...]

# Lower than for strangers: the chain knows that the two are one line, and a row of both reads better than two rows.
_KNOWN_SIMILARITY = 0.25


@dataclass(frozen=True)
class Attribution:
    """Line history over a chain, indices from 0, steps from 1.

    `origin[j]` is the parent line that became child line j, or None where j was born on the way; `made_by[j]` are the
    steps that changed or bore it; `ended_by[i]` is the step that removed parent line i, or None where i lives on.
    """

    origin: tuple[int | None, ...]
    made_by: tuple[Steps, ...]
    ended_by: tuple[int | None, ...]

    def steps_of(self, left: int | None, right: int | None) -> Steps:
        """The steps behind one row; a row equal on both sides has steps where it was touched and restored."""
        found: set[int] = set()
        if right is not None:
            found.update(self.made_by[right])
        if left is not None and (right is None or self.origin[right] != left):
            found.update(self._fate(left))
        return tuple(sorted(found))

    def _fate(self, left: int) -> Steps:
        end = self.ended_by[left]
        return (end,) if end is not None else self.made_by[self.origin.index(left)]


def attribute(chain: Sequence[LineText]) -> Attribution:
    """Walk the lines of p0 forward through p1..pn."""
    first = chain[0]
    origin: list[int | None] = list(range(len(first.lines)))
    made_by: list[Steps] = [()] * len(first.lines)
    ended_by: list[int | None] = [None] * len(first.lines)
    for step, (before, after) in enumerate(zip(chain, chain[1:], strict=False), start=1):
        source = {j: i for i, j in pair_lines(before, after).pairs}
        survivors = {origin[i] for i in source.values()}
        for line in origin:
            if line is not None and line not in survivors:
                ended_by[line] = step
        made_by = [_grown(made_by, before, key, source.get(j), step) for j, key in enumerate(after.keys)]
        origin = [None if (i := source.get(j)) is None else origin[i] for j in range(len(after.keys))]
    return Attribution(tuple(origin), tuple(made_by), tuple(ended_by))


def _grown(made_by: list[Steps], before: LineText, key: str, source: int | None, step: int) -> Steps:
    if source is None:
        return (step,)
    changed = before.keys[source] != key
    return (*made_by[source], step) if changed else made_by[source]


def seeds(history: Attribution, parent: LineText, child: LineText) -> list[Match]:
    """Pairs that the chain vouches for and that still look alike; the net diff is built around them."""
    return [
        (i, j)
        for j, i in enumerate(history.origin)
        if i is not None
        and (parent.keys[i] == child.keys[j] or similarity(parent.lines[i], child.lines[j]) >= _KNOWN_SIMILARITY)
    ]


def binding_step(ceilings: Sequence[int]) -> int:
    """The step whose ceiling sets the target, from 1: the first with the smallest ceiling. ValueError when empty."""
    return list(ceilings).index(min(ceilings)) + 1
