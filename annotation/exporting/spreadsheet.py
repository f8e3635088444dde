"""CSV after RFC 4180: one row per item, one group of columns per vote. Exact values, nothing is changed for programs
that take a cell for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

from annotation.exporting.full import batch_of
from annotation.exporting.records import BATCH_ORDER, Format, Line, Record

COLUMNS = (
    "id",
    "batch",
    "position",
    "benchmark",
    "external_id",
    "language",
    "kind",
    "target",
    "final_score",
    "final_status",
    "requirement",
    "program",
    "program_hash",
    "parent_id",
    "parent_hash",
    "chain",
    "reports",
)
VOTE_COLUMNS = ("annotator", "value", "reason", "revisions")


def lines(
    records: Iterator[Record],
    *,
    votes: int,
    left_out: Callable[[str, str], None],
) -> Iterator[Line]:
    """Yield a header per batch and one row per item; `votes` decides how many groups of vote columns there are."""
    header = [*COLUMNS, *(f"vote_{number}_{name}" for number in range(1, votes + 1) for name in VOTE_COLUMNS)]
    current = None
    for record in records:
        group = batch_of(record)
        if group != current:
            current = group
            yield Line(group, _as_text(header))
        yield Line(group, _as_text(_cells(record, votes)), record.key)


def _cells(record: Record, votes: int) -> list[object]:
    program, requirement = record.program, record.program.requirement
    cells: list[object] = [
        record.key,
        record.item.batch.name,
        record.item.position,
        requirement.benchmark.name,
        requirement.external_id,
        program.language,
        program.kind,
        program.target_score,
        record.final.score,
        record.final.provenance.value,
        requirement.text,
        program.text,
        program.text_hash,
        program.parent.content_key if program.parent else None,
        program.parent.text_hash if program.parent else None,
        " > ".join(f"{step.rule_id}@{step.rule_version} ({step.ceiling})" for step in record.steps),
        "; ".join(f"{report.kind}: {report.status}, {report.tool_version}" for report in record.reports),
    ]
    for vote in record.votes:
        cells += [vote.annotator, vote.value, vote.reason, vote.revisions]
    return cells + [None] * (len(VOTE_COLUMNS) * (votes - len(record.votes)))


def _as_text(cells: list[str] | list[object]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(cells)
    return text.getvalue()


FORMAT = Format(name="csv", suffix=".csv", order=BATCH_ORDER, group_of=batch_of, lines=lines)
