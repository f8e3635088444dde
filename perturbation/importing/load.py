"""Stores rows as requirements with their reference programs: all or nothing, and nothing twice.

Knows no source format. A row counts as known by its external id and compared by the hash of its content.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction

from perturbation.importing import FieldRefused, Place, Refusal, Row
from perturbation.importing.values import check_row
from perturbation.models import Benchmark, Program, Requirement, TestKind, content_hash
from perturbation.tokens import encode_tokens

CHUNK = 200
NO_REFERENCE = "no reference program"
NO_TESTS = "no tests"
BARE = f"{NO_REFERENCE}; {NO_TESTS}"
MAX_NAME = 100


class BenchmarkRefused(Exception):
    """The benchmark cannot take these rows whatever they hold; the message says why and what to do."""


class NothingToUse(Exception):
    """No row of a source has a reference or tests, as where it was read in another format than it is written in."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `not_usable` counts created and unchanged requirements that have a problem, by problem.

    `by_language` counts created and unchanged requirements by language id. `notices` name what the reader changed or
    left out, and keys that a lenient import kept in the metadata. `stored` is False when a strict import refused
    a row, or a lenient one all of them: then nothing was written, and `created` is 0.
    """

    created: int
    unchanged: int
    refused: tuple[Refusal, ...]
    not_usable: int
    problems: dict[str, int]
    by_language: dict[str, int]
    notices: tuple[str, ...]
    stored: bool

    @property
    def is_bare(self) -> bool:
        """Whether there are new requirements, and no row has a reference or tests."""
        return bool(self.created) and self.problems.get(BARE) == self.created + self.unchanged


@transaction.atomic
def import_requirements(
    *,
    rows: Iterable[Row | Refusal],
    benchmark: str,
    source_format: str,
    lenient: bool = False,
    may_be_bare: bool = True,
    on_progress: Callable[[int], None] = lambda _count: None,
) -> ImportReport:
    """Store the rows of one source in one transaction; rows are consumed as a stream.

    Strict: any refusal means that nothing is stored, but all rows are still checked, so that the report is complete.
    Lenient: good rows are stored and the others reported. A row that is already there is left alone when it is equal
    and refused as a conflict when it differs. Raises BenchmarkRefused, NothingToUse where not `may_be_bare` and new
    rows are neither refused nor of any use, and what the reader raises.
    """
    loading = _Loading(_locked_benchmark(benchmark, source_format), lenient=lenient)
    for count, row in enumerate(rows, start=1):
        loading.take(row)
        on_progress(count)
    loading.flush()
    report = loading.report()
    if not may_be_bare and report.is_bare:
        raise NothingToUse(f"None of {report.created + report.unchanged:,} rows has a reference or tests")
    if not report.stored:
        transaction.set_rollback(True)
    return report


def _locked_benchmark(name: str, source_format: str) -> Benchmark:
    """Return the benchmark, made if needed, locked so that two imports into it go one after the other."""
    if not name.strip() or name != name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise BenchmarkRefused(f"{name[:120]!r} is no benchmark name: use 1 to {MAX_NAME} printable characters.")
    Benchmark.objects.get_or_create(name=name, defaults={"source_format": source_format})
    benchmark = Benchmark.objects.select_for_update().get(name=name)
    if benchmark.source_format != source_format:
        raise BenchmarkRefused(
            f"Benchmark {name!r} holds requirements of format {benchmark.source_format}, not {source_format}: "
            "choose another --benchmark name."
        )
    return benchmark


class _Loading:
    """The state of one import: what is known, what waits to be written, what was found."""

    def __init__(self, benchmark: Benchmark, *, lenient: bool) -> None:
        known = Requirement.objects.filter(benchmark=benchmark).values_list("external_id", "source_hash")
        self.known = dict(known.iterator())
        self.position = itertools.count(len(self.known))
        self.benchmark = benchmark
        self.lenient = lenient
        self.places: dict[str, Place] = {}
        self.waiting: list[tuple[Requirement, Row]] = []
        self.refused: list[Refusal] = []
        self.notices: list[str] = []
        self.notes: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.created = self.unchanged = 0

    def take(self, row: Row | Refusal) -> None:
        """Check one row and queue it, count it as unchanged, or note why it is refused."""
        if isinstance(row, Refusal):
            self.refused.append(row)
            return
        try:
            self._take(row)
        except FieldRefused as refused:
            self.refused.append(Refusal(row.place, refused.field, refused.message))

    def _take(self, row: Row) -> None:
        check_row(row)
        if row.external_id in self.places:
            earlier = self.places[row.external_id]
            raise FieldRefused(
                "external_id", f"{row.external_id!r} stands at {earlier} already: give each row its own."
            )
        self.places[row.external_id] = row.place
        self._judge_unknown_keys(row)
        digest = source_hash(row)
        known = self.known.get(row.external_id)
        if known is not None and known != digest:
            raise self._conflict(row)
        problem = problem_of(row)
        self.problems.update([problem] if problem else [])
        self.languages[row.language] += 1
        self.notes.update(dict(row.notes))
        if known is not None:
            self.unchanged += 1
            return
        self.created += 1
        self._queue(row, digest, problem)

    def _judge_unknown_keys(self, row: Row) -> None:
        if not row.unknown_keys:
            return
        names = ", ".join(row.unknown_keys)
        if not self.lenient:
            raise FieldRefused(
                row.unknown_keys[0],
                f"unknown here ({names}): correct the name, move it into metadata, or use --lenient.",
            )
        self.notices.append(f"{row.place}: unknown {names}, kept in metadata")

    def _conflict(self, row: Row) -> FieldRefused:
        """Name what differs between the row and the requirement that is stored under its id."""
        stored = Requirement.objects.get(benchmark=self.benchmark, external_id=row.external_id)
        references = stored.programs.filter(kind=Program.Kind.REFERENCE).order_by("draw_number")
        names = [
            name
            for name in ("language", "text", "entry_point", "tests", "test_kind", "title", "metadata")
            if getattr(row, name) != getattr(stored, name)
        ]
        names += ["reference"] if row.references != tuple(references.values_list("text", flat=True)) else []
        return FieldRefused(
            "external_id",
            f"conflict: {row.external_id!r} is stored in benchmark {self.benchmark.name!r} with a different "
            f"{', '.join(names) or 'content'}. Give the changed row a new external id, or use another benchmark.",
        )

    def _queue(self, row: Row, digest: str, problem: str) -> None:
        if self.refused and not self.lenient:
            return  # nothing of this import will stay; the rest is only checked
        requirement = Requirement(
            benchmark=self.benchmark,
            external_id=row.external_id,
            position=next(self.position),
            title=row.title,
            language=row.language,
            text=row.text,
            entry_point=row.entry_point,
            tests=row.tests,
            test_kind=row.test_kind,
            metadata=dict(row.metadata),
            problem=problem,
            source_hash=digest,
        )
        self.waiting.append((requirement, row))
        if len(self.waiting) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        Requirement.objects.bulk_create(requirement for requirement, _ in self.waiting)
        Program.objects.bulk_create(
            _reference(requirement, text, draw)
            for requirement, row in self.waiting
            for draw, text in enumerate(row.references)
        )
        self.waiting.clear()

    def report(self) -> ImportReport:
        """Sum up."""
        stored = not self.refused or (self.lenient and self.created + self.unchanged > 0)
        return ImportReport(
            created=self.created if stored else 0,
            unchanged=self.unchanged,
            refused=tuple(self.refused),
            not_usable=sum(self.problems.values()) if stored else 0,
            problems=dict(self.problems) if stored else {},
            by_language=dict(sorted(self.languages.items())) if stored else {},
            notices=(*(f"{phrase}: {count:,}" for phrase, count in sorted(self.notes.items())), *self.notices),
            stored=stored,
        )


def _reference(requirement: Requirement, text: str, draw_number: int) -> Program:
    return Program(
        requirement=requirement,
        kind=Program.Kind.REFERENCE,
        language=requirement.language,
        text=text,
        text_hash=content_hash(text),
        tokens=encode_tokens(text, requirement.language),
        target_score=5,
        draw_number=draw_number,
    )


def source_hash(row: Row) -> str:
    """Return the hash of all that a row says, but for where it stands."""
    metadata = json.dumps(row.metadata, sort_keys=True, ensure_ascii=False)
    parts = (row.external_id, row.language, row.text, row.entry_point, row.reference, row.tests, row.title, metadata)
    # What most rows do not have adds nothing, so that they keep the hash that is stored already.
    further = (row.test_kind, *row.alternatives) if row.alternatives or row.test_kind != TestKind.CODE else ()
    return content_hash(*parts, *further)


def problem_of(row: Row) -> str:
    """Return why a row's requirement cannot be used yet, "" when it can. Facts about this machine are none of it."""
    problems = [] if row.reference else [NO_REFERENCE]
    problems += [] if row.tests else [NO_TESTS]
    return "; ".join(problems)


def sampled(*, rows: Iterable[Row | Refusal], size: int, seed: str) -> Iterator[Row | Refusal]:
    """Yield every refusal, and a seeded sample of `size` rows in their order.

    A row is in by its external id and the seed alone, so the order of the file does not matter.
    """
    kept: list[tuple[str, int, Row]] = []
    for number, row in enumerate(rows):
        if isinstance(row, Refusal):
            yield row
            continue
        kept.append((content_hash(seed, row.external_id), number, row))
        if len(kept) >= 2 * size + CHUNK:
            kept = sorted(kept, key=lambda entry: entry[:2])[:size]
    chosen = sorted(kept, key=lambda entry: entry[:2])[:size]
    yield from (row for _, _, row in sorted(chosen, key=lambda entry: entry[1]))
