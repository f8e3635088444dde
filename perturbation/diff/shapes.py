"""What a diff is made of: rows, hunks and the frozen DiffView, with its stored form. Holds no algorithm."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from perturbation.diff.facts import Facts
from perturbation.diff.hazards import Hazard, HazardKind
from perturbation.diff.outlining import OutlineNode
from perturbation.diff.segments import Segment

# Raise when the same texts may give another view or another form of it.
DIFF_VERSION = 1


class RowKind(StrEnum):
    SAME = "same"
    EDITED = "edited"
    ADDED = "added"
    REMOVED = "removed"


class StaleDiff(ValueError):
    """A stored diff was made by another version of this package; build it again."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table. Line numbers from 1, None on an empty side; `hunk` from 1, 0 outside; `steps` from 1.

    A `same` row with steps was touched and restored. `outline` is the id of the node that the row belongs to.
    """

    kind: RowKind
    left_no: int | None
    right_no: int | None
    left: tuple[Segment, ...]
    right: tuple[Segment, ...]
    steps: tuple[int, ...]
    hunk: int
    outline: int
    left_hazards: tuple[Hazard, ...] = ()
    right_hazards: tuple[Hazard, ...] = ()

    @property
    def left_text(self) -> str:
        return "".join(piece.text for piece in self.left)

    @property
    def right_text(self) -> str:
        return "".join(piece.text for piece in self.right)

    @property
    def is_changed(self) -> bool:
        return self.kind is not RowKind.SAME

    @property
    def is_restored(self) -> bool:
        return self.kind is RowKind.SAME and bool(self.steps)

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        return self.left_hazards + self.right_hazards


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of changed rows: index of the first row and one past the last; steps with the rows each made."""

    number: int
    start: int
    end: int
    steps: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DiffView:
    """Everything a page needs to show one program beside its parent, or alone (`is_plain`)."""

    language: str
    rows: tuple[Row, ...]
    hunks: tuple[Hunk, ...]
    outline: tuple[OutlineNode, ...]
    facts: Facts
    step_count: int = 0
    is_coarse: bool = False
    is_coloured: bool = True
    is_plain: bool = False
    version: int = DIFF_VERSION

    @property
    def counts(self) -> dict[str, int]:
        """Rows of each kind, kinds in their fixed order."""
        found = Counter(row.kind for row in self.rows)
        return {kind.value: found[kind] for kind in RowKind}

    @property
    def hazard_count(self) -> int:
        return sum(len(row.hazards) for row in self.rows)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, the same for the same inputs; `from_dict` takes them back."""
        return asdict(self)

    def to_json(self) -> str:
        """ASCII JSON with sorted keys, the same bytes for the same inputs."""
        return json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> DiffView:
        """The view behind `as_dict` or parsed `to_json`. Raises StaleDiff for another version."""
        if stored.get("version") != DIFF_VERSION:
            raise StaleDiff(f"stored diff has version {stored.get('version')}, this is {DIFF_VERSION}")
        return cls(
            language=stored["language"],
            rows=tuple(_row_from(row) for row in stored["rows"]),
            hunks=tuple(_hunk_from(hunk) for hunk in stored["hunks"]),
            outline=tuple(OutlineNode(**node) for node in stored["outline"]),
            facts=Facts(**stored["facts"]),
            step_count=stored["step_count"],
            is_coarse=stored["is_coarse"],
            is_coloured=stored["is_coloured"],
            is_plain=stored["is_plain"],
        )


def _row_from(stored: dict[str, Any]) -> Row:
    return Row(
        kind=RowKind(stored["kind"]),
        left_no=stored["left_no"],
        right_no=stored["right_no"],
        left=tuple(Segment(*piece) for piece in stored["left"]),
        right=tuple(Segment(*piece) for piece in stored["right"]),
        steps=tuple(stored["steps"]),
        hunk=stored["hunk"],
        outline=stored["outline"],
        left_hazards=tuple(_hazard_from(found) for found in stored["left_hazards"]),
        right_hazards=tuple(_hazard_from(found) for found in stored["right_hazards"]),
    )


def _hazard_from(stored: Sequence[Any]) -> Hazard:
    column, code_point, name, kind = stored
    return Hazard(column, code_point, name, HazardKind(kind))


def _hunk_from(stored: dict[str, Any]) -> Hunk:
    steps = tuple((step, count) for step, count in stored["steps"])
    return Hunk(stored["number"], stored["start"], stored["end"], steps)
