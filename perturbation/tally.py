"""What a run's units have counted so far, summed in the database: for those who watch and ask every few seconds.

`pipeline.counts` has all counts of a run; this has the few that are shown while it goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, IntegerField, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from perturbation.models import Run, RunUnit

Named = dict[str, int] | None


@dataclass(frozen=True)
class Tally:
    """Accepted and refused programs; what units wait for, and what is said about it, each with how many units."""

    accepted: int
    refused: int
    missing: Mapping[str, int]
    how_to: Mapping[str, int]


def of(run: Run) -> Tally:
    """Sum in one query; no unit is loaded, only one row for each different set of missing things."""
    accepted = refused = 0
    missing: Counter[str] = Counter()
    how_to: Counter[str] = Counter()
    for needs, hints, units, accepted_here, refused_here in _by_what_is_missing(run):
        accepted, refused = accepted + accepted_here, refused + refused_here
        for counted, named in ((missing, needs), (how_to, hints)):
            for what, times in (named or {}).items():
                counted[what] += times * units
    return Tally(accepted=accepted, refused=refused, missing=missing, how_to=how_to)


def _by_what_is_missing(run: Run) -> QuerySet[RunUnit, tuple[Named, Named, int, int, int]]:
    """(missing, how to, units, accepted, refused) for each different pair of the first two."""
    groups = run.units.order_by().values_list("outcome__missing", "outcome__how_to")
    return groups.annotate(units=Count("pk"), accepted=_sum("accepted"), refused=_sum("refused"))


def _sum(name: str) -> Sum:
    return Sum(Cast(KT(f"outcome__{name}"), IntegerField()), default=0)
