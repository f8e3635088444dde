"""Which score of an item is final, from what was said about it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Provenance(StrEnum):
    """Where a final score comes from, or why there is none."""

    SINGLE = "single"
    UNANIMOUS = "unanimous"
    ADJUDICATED = "adjudicated"
    UNRESOLVED = "unresolved"
    UNSCORED = "unscored"


@dataclass(frozen=True)
class Final:
    """The final score, None while unresolved or unscored."""

    score: int | None
    provenance: Provenance


def final_of(votes: Sequence[int], *, adjudicated: int | None) -> Final:
    """Return the adjudication if there is one, else the one vote, else the value that all votes share."""
    if adjudicated is not None:
        return Final(adjudicated, Provenance.ADJUDICATED)
    if not votes:
        return Final(None, Provenance.UNSCORED)
    if len(set(votes)) > 1:
        return Final(None, Provenance.UNRESOLVED)
    return Final(votes[0], Provenance.SINGLE if len(votes) == 1 else Provenance.UNANIMOUS)
