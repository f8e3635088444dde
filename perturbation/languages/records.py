"""What a harness told through the results pipe, and the cases that follow from it. Trusts no line without the nonce."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from perturbation.languages.base import CaseOutcome, CaseResult, TestRunStatus
from perturbation.languages.verdict import clean, counted, how_it_ended, status_of_end
from perturbation.sandbox import Outcome


@dataclass(frozen=True)
class AssertSite:
    """One assert of the tests. `is_case`: it surely is a case of its own, so it counts as not run where it was not."""

    name: str
    is_case: bool


@dataclass
class Records:
    """What the harness told, by key: `#n` for the n-th assert, else the case's name. `last_word`: its end's."""

    results: dict[str, CaseResult] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)
    answers: dict[int, list[object]] = field(default_factory=dict)
    broken: tuple[str, str] | None = None
    out_of_memory: bool = False
    ended: bool = False
    last_word: str = ""


def read(results: bytes, nonce: str) -> Records:
    """Only whole lines with the nonce count; anything else on the pipe is the program's own."""
    records = Records()
    mark = f"{nonce} "
    # A cut letter must not cost the record: replaced, not escaped, for JSON knows no \\x.
    for line in results.decode(errors="replace").split("\n"):
        if line.startswith(mark):
            try:
                _take(records, json.loads(line[len(mark) :]))
            except (ValueError, TypeError, IndexError, RecursionError):
                continue
    return records


def _take(records: Records, words: list[object]) -> None:
    kind, rest = words[0], words[1:]
    if kind == "case":
        name, outcome, expected, actual, message, seconds = rest
        records.results[str(name)] = CaseResult(
            name=clean(str(name)),
            outcome=CaseOutcome(str(outcome)),
            expected=None if expected is None else clean(str(expected)),
            actual=None if actual is None else clean(str(actual)),
            message=clean(str(message)),
            seconds=float(str(seconds)),
        )
    elif kind == "start":
        records.started.append(str(rest[0]))
    elif kind == "plan":
        records.planned.append(str(rest[0]))
    elif kind == "answer":
        records.answers[int(float(str(rest[0])))] = rest[1:]
    elif kind == "broken":
        records.broken = (str(rest[0]), clean(str(rest[1])))
    elif kind == "memory":
        records.out_of_memory = True
    elif kind == "end":
        records.ended = True
        records.last_word = str(rest[0]) if rest else ""


def cases(
    records: Records, *, sites: Sequence[AssertSite], functions: Sequence[str] = (), outcome: Outcome
) -> tuple[CaseResult, ...]:
    """In the order of the tests; where the run did not end, what was running and what never ran are named too."""
    titles = {f"#{number}": site.name for number, site in enumerate(sites)}
    sure = [f"#{number}" for number, site in enumerate(sites) if site.is_case]
    missing = [] if records.ended and not records.broken else [*sure, *records.planned, *functions]
    keys = dict.fromkeys([*titles, *records.planned, *functions, *records.results, *records.started, *missing])
    wanted = {*records.results, *missing} | (set() if records.ended else set(records.started))
    culprit = records.started[-1] if records.started and not records.ended else None
    found = []
    for key in keys:
        if key in wanted:
            case = records.results.get(key) or unfinished(key, outcome, is_culprit=key == culprit)
            found.append(replace(case, name=clean(titles.get(key, case.name))))
    return tuple(found)


def unfinished(name: str, outcome: Outcome, *, is_culprit: bool) -> CaseResult:
    """A case without a result in a run that did not reach its end; the culprit is the one that was running."""
    if not is_culprit:
        return CaseResult(name=name, outcome=CaseOutcome.NOT_RUN, message="not run: the run ended before")
    timed_out = outcome.killed_by in ("wall_time", "cpu_time")
    return CaseResult(
        name=name,
        outcome=CaseOutcome.TIMEOUT if timed_out else CaseOutcome.ERROR,
        message=how_it_ended(outcome),
    )


def verdict(records: Records, found: Sequence[CaseResult], outcome: Outcome) -> tuple[TestRunStatus, str]:
    """Status and words of a run whose program could be read; see `broken` for the others.

    A harness that limits each case by itself reaches its end although one ran out of time.
    """
    if not records.ended:
        status = status_of_end(outcome)
        if status is TestRunStatus.CRASHED and records.out_of_memory:
            status = TestRunStatus.MEMORY
        return status, how_it_ended(outcome)
    if records.out_of_memory:
        return TestRunStatus.MEMORY, "the program ran out of memory"
    late = next((case for case in found if case.outcome is CaseOutcome.TIMEOUT), None)
    return (TestRunStatus.TIMEOUT, f"{late.name}: {late.message}") if late else counted(found)
