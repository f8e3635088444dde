"""The admin's pages of batches: the list, a new one from a selection, and one batch with its progress. No scores."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery

from annotation import agreement, scale
from annotation.models import Assignment, Batch, Item, Round
from axiom_site import roles
from perturbation.models import Selection, SelectionPick

BATCHES_PER_PAGE = 30


@dataclass(frozen=True)
class BatchesPage:
    """The list."""

    batches: Page[Batch]
    has_selections: bool


@dataclass(frozen=True)
class TargetCount:
    """How many items of a batch or selection aim at one score."""

    grade: scale.Grade
    count: int


@dataclass(frozen=True)
class SelectionLine:
    """A selection that can become a batch."""

    pk: int
    name: str
    benchmark: str
    total: int
    targets: tuple[TargetCount, ...]


@dataclass(frozen=True)
class BatchPage:
    """One batch."""

    batch: Batch
    overlap: int
    items: int
    targets: tuple[TargetCount, ...]
    people: tuple[agreement.AnnotatorProgress, ...]
    unassigned_slots: int

    @property
    def assigned(self) -> int:
        """Assignments handed out."""
        return sum(person.assigned for person in self.people)

    @property
    def done(self) -> int:
        """Assignments that are scored or skipped."""
        return sum(person.scored + person.skipped for person in self.people)


def batches(*, page: str | None) -> BatchesPage:
    """Gather the list, newest first."""
    rows: QuerySet[Batch] = (
        Batch.objects.select_related("selection")
        .annotate(
            item_count=_count(Item.objects.filter(batch=OuterRef("pk")), "batch"),
            assigned=_count(_assignments(), "item__batch"),
            done=_count(
                _assignments().filter(state__in=[Assignment.State.SCORED, Assignment.State.SKIPPED]), "item__batch"
            ),
        )
        .order_by("-created_at", "-pk")
    )
    return BatchesPage(
        batches=Paginator(rows, BATCHES_PER_PAGE).get_page(page), has_selections=Selection.objects.exists()
    )


def selections() -> tuple[SelectionLine, ...]:
    """All selections, newest first, with their counts per target score."""
    counts: dict[int, dict[int, int]] = {}
    for row in SelectionPick.objects.values("selection", "target_score").annotate(number=Count("pk")).order_by():
        counts.setdefault(row["selection"], {})[row["target_score"]] = row["number"]
    return tuple(
        SelectionLine(
            pk=selection.pk,
            name=selection.name,
            benchmark=selection.benchmark.name,
            total=sum(counts.get(selection.pk, {}).values()),
            targets=_targets(counts.get(selection.pk, {})),
        )
        for selection in Selection.objects.select_related("benchmark").order_by("-created_at", "-pk")
    )


def batch_page(*, batch: Batch) -> BatchPage:
    """Gather one batch in three queries."""
    overlap = Round.objects.filter(batch=batch).aggregate(overlap=Max("overlap"))["overlap"] or 0
    by_target = Item.objects.filter(batch=batch).values("program__target_score").annotate(number=Count("pk")).order_by()
    counts = {row["program__target_score"]: row["number"] for row in by_target}
    people = tuple(agreement.progress_of(batch))
    items = sum(counts.values())
    taken = sum(person.assigned - person.skipped for person in people)
    return BatchPage(
        batch=batch,
        overlap=overlap,
        items=items,
        targets=_targets(counts),
        people=people,
        unassigned_slots=max(0, items * overlap - taken),
    )


def annotators() -> QuerySet[User]:
    """Active people who may be given work."""
    return User.objects.filter(is_active=True, groups__name=roles.ANNOTATOR).order_by("username", "pk")


def _assignments() -> QuerySet[Assignment]:
    return Assignment.objects.filter(item__batch=OuterRef("pk")).exclude(state=Assignment.State.WITHDRAWN)


def _count(rows: QuerySet[Item] | QuerySet[Assignment], key: str) -> Subquery:
    """The number of `rows` per outer batch, as a subquery: joins would multiply the counts with each other."""
    return Subquery(rows.order_by().values(key).annotate(number=Count("pk")).values("number"))


def _targets(counts: dict[int, int]) -> tuple[TargetCount, ...]:
    return tuple(TargetCount(grade, counts.get(grade.value, 0)) for grade in scale.GRADES)
