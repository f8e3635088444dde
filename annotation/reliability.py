"""Arithmetic of agreement between raters: values in, numbers out. No Django, no clock, no database.

Ratings are raters x units (one row a rater, one column a unit), None or NaN where a rater has not rated the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import krippendorff
import numpy as np
import numpy.typing as npt

Level = Literal["nominal", "ordinal", "interval", "ratio"]
Ratings = Sequence[Sequence[float | None]] | npt.NDArray[np.float64]

FEW_PAIRED_UNITS = 10
LOW_VARIATION = 0.9


class RatingsUnusable(ValueError):
    """The ratings are no table of numbers: rows differ in length, or hold something else."""


@dataclass(frozen=True)
class PairAgreement:
    """How many pairs of ratings of the same unit are equal, of how many."""

    agreeing: int
    pairs: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None without pairs."""
        return self.agreeing / self.pairs if self.pairs else None


@dataclass(frozen=True)
class _Counts:
    values: npt.NDArray[np.float64]
    per_unit: npt.NDArray[np.int_]  # units x values, paired units only
    raters: int


def krippendorff_alpha(ratings: Ratings, level: Level = "ordinal") -> float | None:
    """Return Krippendorff's alpha of `ratings`, at most 1; None where it is not defined (see `undefined_reason`).

    Values may be any numbers; their order counts for "ordinal", their distance for "interval" and "ratio". Units with
    fewer than two ratings are left out. Alpha is 1 - Do / De, Krippendorff, Content Analysis, 4th edition, chapter 12.
    Raises RatingsUnusable.
    """
    counts = _count(ratings)
    if _reason(counts):
        return None
    # The domain holds the values that occur in pairs, in order: ordinal distances add up how often each occurs.
    return float(
        krippendorff.alpha(value_counts=counts.per_unit, value_domain=counts.values, level_of_measurement=level)
    )


def undefined_reason(ratings: Ratings) -> str:
    """Say in plain words why alpha of `ratings` is not defined; empty where it is."""
    return _reason(_count(ratings))


def warnings_of(ratings: Ratings) -> list[str]:
    """Say in plain words what makes a defined alpha of `ratings` easy to misread; empty where nothing does."""
    counts = _count(ratings)
    if _reason(counts):
        return []
    found = []
    units = len(counts.per_unit)
    if units < FEW_PAIRED_UNITS:
        found.append(f"Only {units} paired item{'s' if units > 1 else ''}: one more score can change alpha a lot.")
    per_value = counts.per_unit.sum(axis=0)
    share = per_value.max() / per_value.sum()
    if share >= LOW_VARIATION:
        value = f"{counts.values[per_value.argmax()]:g}"
        found.append(
            f"Low variation: {share:.0%} of the paired scores are {value}, so a single dissent moves alpha a lot. "
            "Look at the raw agreement beside it."
        )
    return found


def pair_agreement(ratings: Ratings) -> PairAgreement:
    """Count the pairs of ratings of the same unit, and those that are equal."""
    per_unit = _count(ratings).per_unit
    raters = per_unit.sum(axis=1)
    return PairAgreement(
        agreeing=int((per_unit * (per_unit - 1) // 2).sum()), pairs=int((raters * (raters - 1) // 2).sum())
    )


def paired_units(ratings: Ratings) -> int:
    """Count the units with at least two ratings."""
    return len(_count(ratings).per_unit)


def _count(ratings: Ratings) -> _Counts:
    try:
        table = np.asarray(ratings, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise RatingsUnusable("Ratings are rows of equal length, one a rater, of numbers and None.") from error
    if table.ndim == 1 and table.size == 0:
        table = table.reshape(0, 0)
    if table.ndim != 2:
        raise RatingsUnusable(f"Ratings are a table of raters x units; this has {table.ndim} dimension(s).")
    is_given = ~np.isnan(table)
    paired = table[:, is_given.sum(axis=0) >= 2]
    values = np.unique(paired[~np.isnan(paired)])
    per_unit = np.stack([(paired == value).sum(axis=0) for value in values], axis=1) if values.size else None
    return _Counts(
        values=values,
        per_unit=np.zeros((0, 0), dtype=np.int_) if per_unit is None else per_unit,
        raters=int(is_given.any(axis=1).sum()),
    )


def _reason(counts: _Counts) -> str:
    if counts.raters < 2:
        given = "no scores yet" if counts.raters == 0 else "scores of one annotator only"
        return f"Not defined: {given}; agreement needs at least two."
    if len(counts.per_unit) == 0:
        return "Not defined: 0 paired items, no item has scores of two annotators."
    if len(counts.values) < 2:
        paired = len(counts.per_unit)
        return f"Not defined: no variation, all scores of the {paired} paired item(s) are {counts.values[0]:g}."
    return ""
