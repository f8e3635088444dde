"""The page of one annotator's own work: batches with progress, the next item, and what can be reopened."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery

from annotation.models import Assignment, Batch, Score

DONE_PER_PAGE = 20


@dataclass(frozen=True)
class BatchLine:
    """One batch as its annotator sees it; no counts of anybody else."""

    pk: int
    name: str
    is_pilot: bool
    is_closed: bool
    total: int
    scored: int
    skipped: int

    @property
    def done(self) -> int:
        """Items that need nothing more."""
        return self.scored + self.skipped

    @property
    def left(self) -> int:
        """Items that still wait."""
        return self.total - self.done


@dataclass(frozen=True)
class QueuePage:
    """All of the page."""

    batches: tuple[BatchLine, ...]
    finished: Page[Assignment]

    @property
    def left(self) -> int:
        """Open items over all batches that still take scores."""
        return sum(line.left for line in self.batches if not line.is_closed)

    @property
    def has_started(self) -> bool:
        """Whether anything was scored or skipped yet."""
        return any(line.done for line in self.batches)


def queue(*, person: User, page: str | None) -> QueuePage:
    """Gather the page: two queries for the batches and the finished items, one for the number of pages."""
    return QueuePage(
        batches=_batches(person),
        finished=Paginator(_finished(person), DONE_PER_PAGE).get_page(page),
    )


def _batches(person: User) -> tuple[BatchLine, ...]:
    rows = (
        Assignment.objects.of(person)
        .exclude(state=Assignment.State.WITHDRAWN)
        .values("item__batch")
        .annotate(
            name=Min("item__batch__name"),
            batch_state=Min("item__batch__state"),
            pilots=Count("pk", filter=Q(item__batch__is_pilot=True)),
            total=Count("pk"),
            scored=Count("pk", filter=Q(state=Assignment.State.SCORED)),
            skipped=Count("pk", filter=Q(state=Assignment.State.SKIPPED)),
            newest=Max("pk"),
        )
        .order_by("-batch_state", "item__batch")
    )
    return tuple(
        BatchLine(
            pk=row["item__batch"],
            name=row["name"],
            is_pilot=bool(row["pilots"]),
            is_closed=row["batch_state"] == Batch.State.CLOSED,
            total=row["total"],
            scored=row["scored"],
            skipped=row["skipped"],
        )
        for row in rows
    )


def _finished(person: User) -> QuerySet[Assignment]:
    """Scored and skipped items, newest first, each with the person's own score."""
    own = Score.objects.current().filter(annotator=person, item=OuterRef("item"), round=OuterRef("round"))
    return (
        Assignment.objects.of(person)
        .filter(state__in=[Assignment.State.SCORED, Assignment.State.SKIPPED])
        .select_related("item__batch", "item__program__requirement")
        .only(
            "state",
            "skip_reason",
            "finished_at",
            "item__position",
            "item__batch__name",
            "item__program__language",
            "item__program__requirement__title",
            "item__program__requirement__external_id",
        )
        .annotate(own_value=Subquery(own.values("value")[:1]), own_reason=Subquery(own.values("reason")[:1]))
        .order_by("-finished_at", "-pk")
    )
