"""The published shape: one JSONL file per benchmark with `inst`, `code`, `lang`, `score`, final scores only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from annotation.exporting.jsonlines import as_line
from annotation.exporting.records import CONTENT_ORDER, Format, Line, Record


def benchmark_of(record: Record) -> str:
    """Return the name of the benchmark that the record's file is for."""
    return record.program.requirement.benchmark.name


def lines(
    records: Iterator[Record],
    *,
    votes: int,
    left_out: Callable[[str, str], None],
) -> Iterator[Line]:
    """Yield one line per program with a final score; a program of several batches needs the same score in each."""
    for _pk, group in groupby(records, key=lambda record: record.program.pk):
        same_program = list(group)
        record = same_program[0]
        finals = {each.final.score for each in same_program if each.final.score is not None}
        if len(finals) != 1:
            left_out(record.key, "the batches differ" if finals else record.final.provenance.value)
            continue
        row = {
            "inst": record.program.requirement.text,
            "code": record.program.text,
            "lang": record.program.language,
            "score": finals.pop(),
        }
        yield Line(benchmark_of(record), as_line(row), record.key)


FORMAT = Format(name="axiombench", suffix=".jsonl", order=CONTENT_ORDER, group_of=benchmark_of, lines=lines)
