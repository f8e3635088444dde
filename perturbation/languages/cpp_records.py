"""What the C++ harness's records mean: the cases in the order of the tests, and a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from perturbation.languages.base import CaseResult, TestRunStatus
from perturbation.languages.records import Records, unfinished
from perturbation.languages.verdict import clean, counted, how_it_ended, status_of_end
from perturbation.sandbox import Outcome

OUT_OF_MEMORY = "the program ran out of memory"


def exit_code_of(records: Records) -> int | None:
    """What main returned or the process was left with; None where the harness did not tell the end."""
    return int(records.last_word) if records.ended else None


def cases_of(
    records: Records, *, titles: Mapping[str, str], sure: Sequence[str], outcome: Outcome
) -> tuple[CaseResult, ...]:
    """In the order of the tests; where the run did not end, what was running and what never ran are named too.

    `titles` names the keys in the order of the tests, `sure` are the keys that every whole run reaches.
    """
    missing = sure if not records.ended or "main" in records.results else ()
    culprit = records.started[-1] if records.started and not records.ended else None
    keys = dict.fromkeys([*titles, *records.started, *records.results])
    wanted = {*records.results, *missing, *([culprit] if culprit else records.started)}
    found = []
    for key in keys:
        if key in wanted:
            case = records.results.get(key) or unfinished(key, outcome, is_culprit=key == culprit)
            found.append(replace(case, name=clean(titles.get(key, key))))
    return tuple(found)


def verdict_of(records: Records, cases: Sequence[CaseResult], outcome: Outcome) -> tuple[TestRunStatus, str]:
    """Passed only where the harness told the end, main and the process returned 0, and every case passed."""
    exit_code = exit_code_of(records)
    if exit_code is None:
        status = status_of_end(outcome)
        if status is TestRunStatus.CRASHED and records.out_of_memory:
            return TestRunStatus.MEMORY, OUT_OF_MEMORY
        return status, how_it_ended(outcome)
    if records.out_of_memory:
        return TestRunStatus.MEMORY, OUT_OF_MEMORY
    status, words = counted(cases)
    if status is TestRunStatus.PASSED and (exit_code, outcome.exit_code) != (0, 0):
        return TestRunStatus.FAILED, f"every case passed, but main returned {exit_code}"
    return status, words
