"""Agreement and progress of a batch: loads the scores, leaves the arithmetic to `reliability`, saves what came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, Q

from annotation.models import AgreementRun, Assignment, Batch, Score
from annotation.reliability import (
    RatingsUnusable,
    krippendorff_alpha,
    pair_agreement,
    paired_units,
    undefined_reason,
    warnings_of,
)
from perturbation.models import content_hash

__all__ = ["AnnotatorProgress", "RatingsUnusable", "krippendorff_alpha", "measure", "progress_of", "undefined_reason"]

METHOD = "agreement 1"  # part of the scores' hash: a change of what is measured measures again


@dataclass(frozen=True)
class AnnotatorProgress:
    """Where one annotator stands in a batch; `assigned` is the sum of the other three."""

    annotator_id: int
    username: str
    assigned: int
    scored: int
    skipped: int
    open: int
    last_finished_at: datetime | None


@dataclass(frozen=True)
class _Given:
    """The scores that count: annotator -> item -> value; `revisions` counts every row ever added, so it only grows."""

    by_annotator: Mapping[str, Mapping[int, int]]
    target_of: Mapping[int, int]
    revisions: int
    hash: str

    def ratings(self, *, target: int | None = None) -> list[list[float | None]]:
        items = [item for item, its_target in self.target_of.items() if target in (None, its_target)]
        return [[values.get(item) for item in items] for values in self.by_annotator.values()]


def measure(*, batch: Batch, now: datetime) -> AgreementRun:
    """Return the agreement of the scores that count now, measured only if they changed since the newest run.

    Units are the items, raters the annotators; where somebody scored an item in several rounds, the newest counts.
    The run's content holds nominal and interval alpha, pairs, raw agreement, warnings, and the same per target score.
    """
    given = _load(batch)
    newest = _newest(batch)
    if newest is not None and newest.scores_hash == given.hash:
        return newest
    ratings = given.ratings()
    run = AgreementRun(
        batch=batch,
        alpha=krippendorff_alpha(ratings),
        undefined_reason=undefined_reason(ratings),
        content=_content(given),
        scores_hash=given.hash,
        measured_at=now,
    )
    return _save(run)


def progress_of(batch: Batch) -> list[AnnotatorProgress]:
    """Return one row per annotator of the batch, by name, in one query; withdrawn assignments do not count."""
    states = Assignment.State
    rows = (
        Assignment.objects.filter(item__batch=batch)
        .exclude(state=states.WITHDRAWN)
        .values("annotator_id", "annotator__username")
        .annotate(
            assigned=Count("pk"),
            scored=Count("pk", filter=Q(state=states.SCORED)),
            skipped=Count("pk", filter=Q(state=states.SKIPPED)),
            left=Count("pk", filter=Q(state=states.OPEN)),
            last=Max("finished_at"),
        )
        .order_by("annotator__username")
    )
    return [
        AnnotatorProgress(
            annotator_id=row["annotator_id"],
            username=row["annotator__username"],
            assigned=row["assigned"],
            scored=row["scored"],
            skipped=row["skipped"],
            open=row["left"],
            last_finished_at=row["last"],
        )
        for row in rows
    ]


def _newest(batch: Batch) -> AgreementRun | None:
    return batch.agreement_runs.order_by("-measured_at", "-pk").first()


def _load(batch: Batch) -> _Given:
    rows = (
        Score.objects.current()
        .in_batch(batch)
        .order_by("item__position", "annotator__username", "round__number", "pk")
        .values_list("item__position", "item__program__target_score", "annotator__username", "value", "revision")
    )
    by_annotator: dict[str, dict[int, int]] = {}
    target_of: dict[int, int] = {}
    revisions = 0
    for position, target, annotator, value, revision in rows:
        by_annotator.setdefault(annotator, {})[position] = value
        target_of[position] = target
        revisions += revision
    parts = (
        f"{position} {annotator} {values[position]}"
        for annotator, values in sorted(by_annotator.items())
        for position in values
    )
    return _Given(dict(sorted(by_annotator.items())), target_of, revisions, content_hash(METHOD, *parts))


def _content(given: _Given) -> dict[str, Any]:
    targets = sorted(set(given.target_of.values()))
    return {
        **_numbers(given.ratings()),
        "warnings": warnings_of(given.ratings()),
        "annotators": len(given.by_annotator),
        "revisions": given.revisions,
        "by_target": {str(target): _numbers(given.ratings(target=target)) for target in targets},
        "package": f"krippendorff {version('krippendorff')}",
    }


def _numbers(ratings: list[list[float | None]]) -> dict[str, Any]:
    pairs = pair_agreement(ratings)
    return {
        **{level: krippendorff_alpha(ratings, level) for level in ("ordinal", "nominal", "interval")},
        "undefined_reason": undefined_reason(ratings),
        "items": len(ratings[0]) if ratings else 0,
        "paired_items": paired_units(ratings),
        "scores": sum(value is not None for row in ratings for value in row),
        "agreeing_pairs": pairs.agreeing,
        "pairs": pairs.pairs,
        "raw_agreement": pairs.share,
    }


@transaction.atomic
def _save(run: AgreementRun) -> AgreementRun:
    """Save `run`, unless another worker saved one from newer scores meanwhile; then return that one."""
    Batch.objects.select_for_update(no_key=True).get(pk=run.batch_id)
    newest = _newest(run.batch)
    if newest is not None:
        is_newer = newest.content["revisions"] > run.content["revisions"]
        if is_newer or newest.scores_hash == run.scores_hash:
            return newest
    run.save()
    return run
