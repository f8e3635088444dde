"""The lead's pages of agreement: the list of batches, and one batch's numbers, people and disagreements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Max, Min, OuterRef, Q, QuerySet, Subquery

from annotation import agreement
from annotation.models import AgreementRun, Assignment, Batch, Item, Score

BATCHES_PER_PAGE = 30
DISAGREEMENTS_SHOWN = 50


@dataclass(frozen=True)
class AgreementListPage:
    """The list."""

    batches: Page[Batch]


@dataclass(frozen=True)
class Vote:
    """What one annotator said."""

    annotator: str
    value: int
    reason: str


@dataclass(frozen=True)
class Disagreement:
    """One item on which current scores differ, the widest spread first."""

    title: str
    external_id: str
    language: str
    target: int
    spread: int
    votes: tuple[Vote, ...]


@dataclass(frozen=True)
class Numbers:
    """Agreement at one moment; each alpha is None where it is undefined."""

    ordinal: float | None
    nominal: float | None
    interval: float | None
    undefined_reason: str
    warnings: tuple[str, ...]
    items: int
    paired_items: int
    scores: int
    agreeing_pairs: int
    pairs: int
    raw_percent: float | None
    measured_at: datetime


@dataclass(frozen=True)
class TargetNumbers:
    """Agreement among the items that aim at one score."""

    target: int
    ordinal: float | None
    undefined_reason: str
    paired_items: int
    raw_percent: float | None


@dataclass(frozen=True)
class AgreementPanel:
    """The part of the page that polls."""

    batch: Batch
    numbers: Numbers
    by_target: tuple[TargetNumbers, ...]
    people: tuple[agreement.AnnotatorProgress, ...]
    disagreements: tuple[Disagreement, ...]
    disagreement_count: int

    @property
    def assigned(self) -> int:
        """Assignments handed out."""
        return sum(person.assigned for person in self.people)

    @property
    def done(self) -> int:
        """Assignments scored or skipped."""
        return sum(person.scored + person.skipped for person in self.people)

    @property
    def is_final(self) -> bool:
        """Whether nothing can change any more, so that the page may stop asking."""
        return self.batch.state == Batch.State.CLOSED and self.done == self.assigned


def agreement_list(*, page: str | None) -> AgreementListPage:
    """Gather the list, open batches first, newest first."""
    runs = AgreementRun.objects.filter(batch=OuterRef("pk")).order_by("-measured_at", "-pk")
    assignments = (
        Assignment.objects.filter(item__batch=OuterRef("pk"))
        .exclude(state=Assignment.State.WITHDRAWN)
        .order_by()
        .values("item__batch")
    )
    done = assignments.filter(state__in=[Assignment.State.SCORED, Assignment.State.SKIPPED])
    rows: QuerySet[Batch] = Batch.objects.annotate(
        alpha=Subquery(runs.values("alpha")[:1]),
        undefined_reason=Subquery(runs.values("undefined_reason")[:1]),
        measured_at=Subquery(runs.values("measured_at")[:1]),
        assigned=Subquery(assignments.annotate(number=Count("pk")).values("number")),
        done=Subquery(done.annotate(number=Count("pk")).values("number")),
    ).order_by("-state", "-created_at", "-pk")
    return AgreementListPage(batches=Paginator(rows, BATCHES_PER_PAGE).get_page(page))


def agreement_panel(*, batch: Batch, now: datetime) -> AgreementPanel:
    """Measure `batch` if its scores changed, and gather what a lead may see."""
    run = agreement.measure(batch=batch, now=now)
    split = _split_items(batch)
    return AgreementPanel(
        batch=batch,
        numbers=_numbers(run),
        by_target=_by_target(run.content),
        people=tuple(agreement.progress_of(batch)),
        disagreements=_disagreements(split[:DISAGREEMENTS_SHOWN]),
        disagreement_count=split.count(),
    )


def _numbers(run: AgreementRun) -> Numbers:
    content = run.content
    return Numbers(
        ordinal=run.alpha,
        nominal=content.get("nominal"),
        interval=content.get("interval"),
        undefined_reason=run.undefined_reason,
        warnings=tuple(content.get("warnings", ())),
        items=content.get("items", 0),
        paired_items=content.get("paired_items", 0),
        scores=content.get("scores", 0),
        agreeing_pairs=content.get("agreeing_pairs", 0),
        pairs=content.get("pairs", 0),
        raw_percent=_percent(content.get("raw_agreement")),
        measured_at=run.measured_at,
    )


def _by_target(content: Mapping[str, Mapping[str, Mapping[str, str | float | None]]]) -> tuple[TargetNumbers, ...]:
    rows = content.get("by_target", {})
    return tuple(
        TargetNumbers(
            target=int(target),
            ordinal=_float(numbers.get("ordinal")),
            undefined_reason=str(numbers.get("undefined_reason") or ""),
            paired_items=int(numbers.get("paired_items") or 0),
            raw_percent=_percent(numbers.get("raw_agreement")),
        )
        for target, numbers in sorted(rows.items())
    )


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _percent(value: object) -> float | None:
    share = _float(value)
    return None if share is None else 100 * share


def _split_items(batch: Batch) -> QuerySet[Item]:
    """Items whose current scores differ, the widest spread first."""
    counts = Q(scores__is_current=True)
    return (
        Item.objects.filter(batch=batch)
        .annotate(
            lowest=Min("scores__value", filter=counts),
            highest=Max("scores__value", filter=counts),
        )
        .filter(highest__gt=F("lowest"))
        .select_related("program__requirement")
        .only(
            "position",
            "program__target_score",
            "program__language",
            "program__requirement__title",
            "program__requirement__external_id",
        )
        .order_by(F("lowest") - F("highest"), "position", "pk")
    )


def _disagreements(items: QuerySet[Item]) -> tuple[Disagreement, ...]:
    shown = list(items)
    votes: dict[int, list[Vote]] = {}
    rows = (
        Score.objects.current()
        .filter(item__in=[item.pk for item in shown])
        .order_by("annotator__username", "round__number", "pk")
        .values_list("item", "annotator__username", "value", "reason")
    )
    for item, annotator, value, reason in rows:
        votes.setdefault(item, []).append(Vote(annotator, value, reason))
    return tuple(_disagreement(item, votes[item.pk]) for item in shown)


def _disagreement(item: Item, votes: list[Vote]) -> Disagreement:
    values = [vote.value for vote in votes]
    requirement = item.program.requirement
    return Disagreement(
        title=requirement.title or requirement.external_id,
        external_id=requirement.external_id,
        language=item.program.language,
        target=item.program.target_score,
        spread=max(values) - min(values),
        votes=tuple(votes),
    )
