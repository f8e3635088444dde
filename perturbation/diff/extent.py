"""How far one step reaches into a diff: rows and functions, to be compared with the effort its rule claims."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perturbation.diff.view import DiffView

WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Extent:
    """Changed rows of the net diff that a step made, the hunks they lie in and the definitions they touch, in order.

    rows: all with a word in them. rewritten: those of them in which more than white space differs; a definition is
    touched by these alone.
    """

    step: int
    rows: int
    rewritten: int
    hunks: tuple[int, ...]
    functions: tuple[str, ...]

    @property
    def survives(self) -> bool:
        """Whether anything of the step is left in the net diff."""
        return self.rows > 0


def extent(view: DiffView, step: int) -> Extent:
    """The extent of `step` (from 1). Rows touched and restored do not count: the reader sees no change there."""
    # A row of brackets or a blank one follows from the others and says nothing by itself.
    rows = [
        row for row in view.rows if row.is_changed and step in row.steps and WORD.search(row.left_text + row.right_text)
    ]
    rewritten = [row for row in rows if row.left_text.strip() != row.right_text.strip()]
    names = {node.id: node.name for node in view.outline}
    return Extent(
        step=step,
        rows=len(rows),
        rewritten=len(rewritten),
        hunks=tuple(sorted({row.hunk for row in rows})),
        functions=tuple(names[number] for number in sorted({row.outline for row in rewritten})),
    )
