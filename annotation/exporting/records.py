"""What every export format is made from: one record per item, read in small pieces, in an order of content."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Prefetch, QuerySet
from django.utils.crypto import salted_hmac

from annotation.models import Adjudication, Batch, Item, Score
from annotation.settling import Final, final_of
from perturbation.models import Chain, Program, Report, Step

# Programs, requirements and reasons of one piece are in memory at once: at 100 kB an item, 20 MB.
PIECE = 200
CONTENT_ORDER = (
    "program__requirement__benchmark__name",
    "program__requirement__position",
    "program__requirement__external_id",
    "program__target_score",
    "program__kind",
    "program__draw_number",
    "batch__name",
    "pk",
)
BATCH_ORDER = ("batch__name", *CONTENT_ORDER)
UNUSED_COLUMNS = (
    "program__tokens",
    "program__refusal_detail",
    "program__requirement__tests",
    "program__requirement__metadata",
    "program__parent__text",
    "program__parent__tokens",
    "program__parent__refusal_detail",
    "program__parent__requirement__text",
    "program__parent__requirement__tests",
    "program__parent__requirement__metadata",
)


@dataclass(frozen=True)
class Vote:
    """What one annotator said last, under a name that holds for one release."""

    annotator: str
    value: int
    reason: str
    revisions: int
    round: int


@dataclass(frozen=True)
class Record:
    """One item with everything that is exported about it."""

    item: Item
    program: Program
    chain: Chain | None
    steps: tuple[Step, ...]
    reports: tuple[Report, ...]
    votes: tuple[Vote, ...]
    adjudication: Adjudication | None
    final: Final

    @property
    def key(self) -> str:
        """The program's content key."""
        return self.program.content_key


@dataclass(frozen=True)
class Line:
    """One line of the file of `group`; `key` names the item in messages, empty for a header."""

    group: str
    text: str
    key: str = ""


class LinesOf(Protocol):
    """Turns records into lines; `left_out` is told the key of every item that gets none, and why."""

    def __call__(
        self, records: Iterator[Record], *, votes: int, left_out: Callable[[str, str], None]
    ) -> Iterator[Line]: ...


@dataclass(frozen=True)
class Format:
    """How a release is written: `order` of the records, `lines`, and how a group's file ends."""

    name: str
    suffix: str
    order: tuple[str, ...]
    group_of: Callable[[Record], str]
    lines: LinesOf


def read_records(*, batches: Sequence[Batch], order: tuple[str, ...]) -> Iterator[Record]:
    """Yield one record per item of the batches, a piece in memory at a time."""
    pseudonyms = pseudonyms_of(batches)
    # Sorted here, since databases differ in how they order text. Both orders end in the primary key.
    keys = [row[-1] for row in sorted(Item.objects.filter(batch__in=batches).values_list(*order))]
    for start in range(0, len(keys), PIECE):
        piece = keys[start : start + PIECE]
        found = _loaded().in_bulk(piece)
        for key in piece:
            yield _record(found[key], pseudonyms)


def most_votes(batches: Sequence[Batch]) -> int:
    """Return the largest number of annotators of any item: the overlap, or more where it was larger once."""
    pairs = Score.objects.current().filter(item__batch__in=batches).values_list("item_id", "annotator_id").distinct()
    per_item: dict[int, int] = {}
    for item, _annotator in pairs.iterator():
        per_item[item] = per_item.get(item, 0) + 1
    return max(per_item.values(), default=0)


def pseudonyms_of(batches: Sequence[Batch]) -> dict[int, str]:
    """Name the annotators of a release: the same for the same batches while the installation keeps its secret key.

    Ordered by an HMAC under that key, so that who knows all user names still cannot tell who is who.
    """
    rows = Score.objects.filter(item__batch__in=batches).values_list("annotator__username", "annotator_id").distinct()
    release = sorted(batch.name for batch in batches)

    def rank(row: tuple[str, int]) -> str:
        told = json.dumps([*release, row[0]])
        return salted_hmac("annotation.exporting.pseudonyms", told, algorithm="sha256").hexdigest()

    return {pk: f"annotator-{number}" for number, (_username, pk) in enumerate(sorted(rows, key=rank), start=1)}


def _loaded() -> QuerySet[Item]:
    return (
        Item.objects.select_related(
            "batch",
            "adjudication",
            "program__chain",
            "program__requirement__benchmark",
            "program__parent__requirement__benchmark",
        )
        .defer(*UNUSED_COLUMNS)
        .prefetch_related(
            Prefetch("scores", Score.objects.current().select_related("round").order_by("round__number", "pk")),
            Prefetch("program__chain__steps", Step.objects.defer("text").order_by("number")),
            Prefetch("program__reports", Report.objects.filter(is_current=True).defer("content").order_by("kind")),
        )
    )


def _record(item: Item, pseudonyms: dict[int, str]) -> Record:
    newest = {score.annotator_id: score for score in item.scores.all()}
    votes = [
        Vote(pseudonyms[annotator], score.value, score.reason, score.revision, score.round.number)
        for annotator, score in newest.items()
    ]
    votes.sort(key=lambda vote: int(vote.annotator.rpartition("-")[2]))
    adjudication: Adjudication | None = getattr(item, "adjudication", None)
    chain: Chain | None = getattr(item.program, "chain", None)
    return Record(
        item=item,
        program=item.program,
        chain=chain,
        steps=tuple(chain.steps.all()) if chain else (),
        reports=tuple(item.program.reports.all()),
        votes=tuple(votes),
        adjudication=adjudication,
        final=final_of(
            [vote.value for vote in votes], adjudicated=adjudication.value if adjudication is not None else None
        ),
    )
