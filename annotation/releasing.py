"""Releases: the scores of one or more batches as files, with the hash of each and a count of what is in and out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.exporting import FORMATS
from annotation.exporting.files import FileSet, Written
from annotation.exporting.records import Format, Record, most_votes, read_records
from annotation.models import Batch, Release, Score
from annotation.settling import Provenance

NAMED_AT_MOST = 1000


class ReleaseRefused(Exception):
    """Base of the refusals here; a directory that cannot be used raises `files.DirectoryUnusable`."""


class FormatUnavailable(ReleaseRefused):
    """Nothing here writes this format."""


class NothingToRelease(ReleaseRefused):
    """No batch was named."""


@dataclass
class _Tally:
    """What is counted while the records pass by."""

    items: int = 0
    by_status: Counter[str] = field(default_factory=Counter)
    by_score: Counter[int] = field(default_factory=Counter)
    unresolved: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    left_out_count: int = 0

    def count(self, record: Record) -> None:
        self.items += 1
        self.by_status[record.final.provenance.value] += 1
        if record.final.score is not None:
            self.by_score[record.final.score] += 1
        if record.final.provenance == Provenance.UNRESOLVED and len(self.unresolved) < NAMED_AT_MOST:
            self.unresolved.append(record.key)

    def leave_out(self, key: str, reason: str) -> None:
        self.left_out_count += 1
        if len(self.left_out) < NAMED_AT_MOST:
            self.left_out[key] = reason


def release(*, batches: Sequence[Batch], format: str, directory: Path, now: datetime) -> Release:
    """Write the files of `format` to `directory` and note them as a Release.

    Items are read in pieces; the files appear together when all are complete, replacing older ones of the same name.
    The same scores give the same bytes. Open batches may be released: `counts` says how many scores are missing, which
    items are unresolved and which were left out (the first 1,000 by name), and which rows needed an escape.

    Raises FormatUnavailable, NothingToRelease or files.DirectoryUnusable; no file is left then.
    """
    chosen = list({batch.pk: batch for batch in batches}.values())
    if not chosen:
        raise NothingToRelease("Name at least one batch.")
    writer = format_named(format)
    tally = _Tally()
    with ExitStack() as stack:
        files = stack.enter_context(FileSet(directory, suffix=writer.suffix))
        _write(files, writer, batches=chosen, tally=tally)
        stack.enter_context(transaction.atomic())
        row = Release.objects.create(format=format, counts=_counts(tally, files, chosen), created_at=now)
        row.batches.set(chosen)
        row.files = [_as_json(file) for file in files.publish()]
        row.save(update_fields=["files"])
    return row


def format_named(name: str) -> Format:
    """Return the format, or raise FormatUnavailable with those there are."""
    if name not in FORMATS:
        why = " (Parquet needs pyarrow, which is not among the dependencies)" if name == "parquet" else ""
        raise FormatUnavailable(f"The format {name!r} is not available{why}. Use one of: {', '.join(FORMATS)}.")
    return FORMATS[name]


def _write(files: FileSet, writer: Format, *, batches: list[Batch], tally: _Tally) -> None:
    def passing() -> Iterator[Record]:
        for record in read_records(batches=batches, order=writer.order):
            tally.count(record)
            files.start(writer.group_of(record))
            yield record

    for line in writer.lines(passing(), votes=most_votes(batches), left_out=tally.leave_out):
        files.write(line)


def _counts(tally: _Tally, files: FileSet, batches: list[Batch]) -> dict[str, Any]:
    return {
        "items": tally.items,
        "by_status": {status.value: tally.by_status[status.value] for status in Provenance},
        "by_score": {str(score): count for score, count in sorted(tally.by_score.items())},
        "missing_scores": sum(_missing(batch) for batch in batches),
        "open_batches": sorted(batch.name for batch in batches if batch.state == Batch.State.OPEN),
        "unresolved": tally.unresolved,
        "left_out": tally.left_out,
        "left_out_count": tally.left_out_count,
        "escaped": files.escaped[:NAMED_AT_MOST],
    }


def _missing(batch: Batch) -> int:
    """How many scores the newest round still waits for."""
    newest = batch.rounds.order_by("-number")[0]
    given = Score.objects.current().in_batch(batch).filter(round=newest).count()
    return max(0, batch.items.count() * newest.overlap - given)


def _as_json(file: Written) -> dict[str, Any]:
    return {"path": str(file.path.resolve()), "rows": file.rows, "sha256": file.sha256}
