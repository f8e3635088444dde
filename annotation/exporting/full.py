"""Everything about every item, scored or not: one JSONL file per batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from annotation.exporting.jsonlines import as_line
from annotation.exporting.records import BATCH_ORDER, Format, Line, Record


def batch_of(record: Record) -> str:
    """Return the name of the batch that the record's file is for."""
    return record.item.batch.name


def as_row(record: Record) -> dict[str, object]:
    """Return the record as nested JSON values, in a fixed order of keys."""
    program, requirement = record.program, record.program.requirement
    return {
        "id": record.key,
        "batch": record.item.batch.name,
        "position": record.item.position,
        "benchmark": requirement.benchmark.name,
        "external_id": requirement.external_id,
        "requirement": requirement.text,
        "language": program.language,
        "kind": program.kind,
        "program": program.text,
        "program_hash": program.text_hash,
        "parent": {"id": program.parent.content_key, "hash": program.parent.text_hash} if program.parent else None,
        "chain": _chain(record),
        "similarity": program.similarity,
        "target": program.target_score,
        "votes": [
            {
                "annotator": vote.annotator,
                "value": vote.value,
                "reason": vote.reason,
                "revisions": vote.revisions,
                "round": vote.round,
            }
            for vote in record.votes
        ],
        "final": {
            "score": record.final.score,
            "status": record.final.provenance.value,
            "reason": record.adjudication.reason if record.adjudication else "",
        },
        "reports": [
            {"kind": report.kind, "status": report.status, "version": report.tool_version} for report in record.reports
        ],
    }


def lines(
    records: Iterator[Record],
    *,
    votes: int,
    left_out: Callable[[str, str], None],
) -> Iterator[Line]:
    """Yield one line per item; none is left out."""
    for record in records:
        yield Line(batch_of(record), as_line(as_row(record)), record.key)


def _chain(record: Record) -> dict[str, object] | None:
    if record.chain is None:
        return None
    return {
        "seed": record.chain.seed,
        "rewriter": record.chain.rewriter,
        "steps": [
            {"rule": step.rule_id, "version": step.rule_version, "ceiling": step.ceiling, "effort": step.effort}
            for step in record.steps
        ],
    }


FORMAT = Format(name="jsonl", suffix=".full.jsonl", order=BATCH_ORDER, group_of=batch_of, lines=lines)
