"""What a sandboxed run's end means for a test run, in words; shared by the languages, owns none of them."""

from __future__ import annotations

from collections.abc import Sequence

from perturbation.languages.base import CaseOutcome, CaseResult, TestRun, TestRunStatus
from perturbation.sandbox import Outcome, probe

LIMIT_WORDS = {
    "wall_time": "ran out of wall-clock time; this depends on the machine's load",
    "cpu_time": "ran out of CPU time",
    "memory": "used too much memory",
    "output": "printed too much",
    "processes": "started too many processes",
    "disk": "filled its disk space",
    "file_size": "wrote too large a file",
}
_STATUS_OF_LIMIT = {
    "wall_time": TestRunStatus.TIMEOUT,
    "cpu_time": TestRunStatus.TIMEOUT,
    "memory": TestRunStatus.MEMORY,
}


def clean(text: str) -> str:
    """Text that any database takes: no lone surrogates, no NUL."""
    return text.encode(errors="backslashreplace").decode().replace("\0", "\\x00")


def how_it_ended(outcome: Outcome) -> str:
    """Say in words what ended a run that did not reach the end of its tests."""
    if outcome.killed_by:
        return f"the program {LIMIT_WORDS.get(outcome.killed_by, f'was stopped: {outcome.killed_by}')}"
    if outcome.signal is not None:
        return f"the program crashed with signal {outcome.signal}"
    return f"the program ended the process (exit status {outcome.exit_code}) before the tests were done"


def status_of_end(outcome: Outcome) -> TestRunStatus:
    """The status of a run that did not reach the end of its tests."""
    return _STATUS_OF_LIMIT.get(outcome.killed_by or "", TestRunStatus.CRASHED)


def counted(cases: Sequence[CaseResult]) -> tuple[TestRunStatus, str]:
    """Status and words for a run that reached its end, by its cases."""
    outcomes = [case.outcome for case in cases]
    passed = outcomes.count(CaseOutcome.PASSED)
    if not cases:
        return TestRunStatus.ERROR, "the tests hold no case that ran"
    if passed == len(cases):
        return TestRunStatus.PASSED, ""
    words = f"{passed} of {len(cases)} cases passed"
    return (TestRunStatus.FAILED if CaseOutcome.FAILED in outcomes else TestRunStatus.ERROR), words


def output_of(outcome: Outcome) -> str:
    """What the program printed, standard output first, cut with a note."""
    text = clean("".join(part.decode(errors="backslashreplace") for part in (outcome.stdout, outcome.stderr)))
    return text.rstrip("\n") + "\n[output cut: the limit was reached]" if outcome.truncated else text


def ran(
    outcome: Outcome, status: TestRunStatus, cases: Sequence[CaseResult], message: str, *, build_seconds: float = 0.0
) -> TestRun:
    """The test run of one sandboxed run in which the tests were started, perhaps after a build of its own."""
    return TestRun(
        status=status,
        cases=tuple(cases),
        output=output_of(outcome),
        seconds=build_seconds + outcome.wall_seconds,
        sandbox=probe().name,
        inconclusive=outcome.killed_by == "wall_time",
        message=clean(message),
    )


def nothing_ran(status: TestRunStatus, message: str, *, missing: Sequence[str] = ()) -> TestRun:
    """A test run in which no case was started."""
    return TestRun(
        status, (), "", 0.0, probe().name, inconclusive=False, message=clean(message), missing=tuple(missing)
    )
