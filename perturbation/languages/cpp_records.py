"""Reads what the C++ harness tells through the results pipe, and turns it into cases and a verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from perturbation.languages.base import CaseOutcome, CaseResult, TestRunStatus
from perturbation.languages.verdict import clean, counted, how_it_ended, status_of_end
from perturbation.sandbox import Outcome

OUT_OF_MEMORY = "the program ran out of memory"


@dataclass
class Records:
    """What was told, by key: `#n` for the n-th assert of the tests, else the name of the case."""

    results: dict[str, CaseResult] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    out_of_memory: bool = False
    exit_code: int | None = None


def read_records(results: bytes, nonce: str) -> Records:
    """Only whole lines with the nonce count; anything else on the pipe is the program's own."""
    records = Records()
    mark = f"{nonce} ["
    # A cut letter must not cost the record: replaced, not escaped, for JSON knows no \\x.
    for line in results.decode(errors="replace").split("\n"):
        if line.startswith(mark):
            try:
                _take(records, json.loads(line[len(mark) - 1 :]))
            except (ValueError, TypeError, IndexError, RecursionError):
                continue
    return records


def cases_of(
    records: Records, *, titles: Mapping[str, str], sure: Sequence[str], outcome: Outcome
) -> tuple[CaseResult, ...]:
    """In the order of the tests; where the run did not end, what was running and what never ran are named too.

    `titles` names the keys in the order of the tests, `sure` are the keys that every whole run reaches.
    """
    missing = sure if records.exit_code is None or "main" in records.results else ()
    culprit = records.started[-1] if records.started and records.exit_code is None else None
    keys = dict.fromkeys([*titles, *records.started, *records.results])
    wanted = {*records.results, *missing, *([culprit] if culprit else records.started)}
    found = []
    for key in keys:
        if key in wanted:
            case = records.results.get(key) or _unfinished(key, outcome, is_culprit=key == culprit)
            found.append(replace(case, name=clean(titles.get(key, key))))
    return tuple(found)


def verdict_of(records: Records, cases: Sequence[CaseResult], outcome: Outcome) -> tuple[TestRunStatus, str]:
    """Passed only where the harness told the end, main and the process returned 0, and every case passed."""
    if records.exit_code is None:
        status = status_of_end(outcome)
        if status is TestRunStatus.CRASHED and records.out_of_memory:
            return TestRunStatus.MEMORY, OUT_OF_MEMORY
        return status, how_it_ended(outcome)
    if records.out_of_memory:
        return TestRunStatus.MEMORY, OUT_OF_MEMORY
    status, words = counted(cases)
    if status is TestRunStatus.PASSED and (records.exit_code, outcome.exit_code) != (0, 0):
        return TestRunStatus.FAILED, f"every case passed, but main returned {records.exit_code}"
    return status, words


def _take(records: Records, words: list[object]) -> None:
    kind, rest = words[0], words[1:]
    if kind == "case":
        key, outcome, expected, actual, message, seconds = rest
        records.results[str(key)] = CaseResult(
            name=str(key),
            outcome=CaseOutcome(str(outcome)),
            expected=None if expected is None else clean(str(expected)),
            actual=None if actual is None else clean(str(actual)),
            message=clean(str(message)),
            seconds=float(str(seconds)),
        )
    elif kind == "start":
        records.started.append(str(rest[0]))
    elif kind == "memory":
        records.out_of_memory = True
    elif kind == "end":
        records.exit_code = int(str(rest[0]))


def _unfinished(key: str, outcome: Outcome, *, is_culprit: bool) -> CaseResult:
    if not is_culprit:
        return CaseResult(name=key, outcome=CaseOutcome.NOT_RUN, message="not run: the run ended before")
    timed_out = outcome.killed_by in ("wall_time", "cpu_time")
    return CaseResult(
        name=key,
        outcome=CaseOutcome.TIMEOUT if timed_out else CaseOutcome.ERROR,
        message=how_it_ended(outcome),
    )
