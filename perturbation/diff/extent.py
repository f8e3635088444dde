"""How far one step reaches into a diff: rows and functions, to be compared with the effort its rule claims."""

from __future__ import annotations

from dataclasses import dataclass

from perturbation.diff.view import DiffView


@dataclass(frozen=True, slots=True)
class Extent:
    """Changed rows of the net diff that a step made, the hunks they lie in and the definitions they touch, in order."""

    step: int
    rows: int
    hunks: tuple[int, ...]
    functions: tuple[str, ...]

    @property
    def survives(self) -> bool:
        """Whether anything of the step is left in the net diff."""
        return self.rows > 0


def extent(view: DiffView, step: int) -> Extent:
    """The extent of `step` (from 1). Rows touched and restored do not count: the reader sees no change there."""
    rows = [row for row in view.rows if row.is_changed and step in row.steps]
    # A blank line between two definitions touches neither.
    written = [row for row in rows if (row.left_text + row.right_text).strip()] or rows
    names = {node.id: node.name for node in view.outline}
    return Extent(
        step=step,
        rows=len(rows),
        hunks=tuple(sorted({row.hunk for row in rows})),
        functions=tuple(names[number] for number in sorted({row.outline for row in written})),
    )
