"""Tests of kind `stdin` on a program that is built: one sandbox run a case. Knows no compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from perturbation.languages.base import CaseOutcome, CaseResult, TestRun, TestRunStatus
from perturbation.languages.outputs import StdinCase, judged_output, shown
from perturbation.languages.verdict import clean, counted, how_it_ended, output_of, status_of_end
from perturbation.sandbox import Command, Outcome, probe, run

_OUTPUT_KEPT = 64 << 10
_EARLIER = "not run: an earlier case ran out of time"


def run_stdin_cases(
    cases: Sequence[StdinCase],
    command: Callable[[StdinCase], Command],
    *,
    explain: Callable[[Outcome], str] = how_it_ended,
) -> TestRun:
    """Run the command of each case and compare what it printed; after a time-out the others are not run.

    `explain` says in words why a run did not end well.
    """
    results: list[CaseResult] = []
    outcomes: list[Outcome] = []
    stopped: tuple[TestRunStatus, str] | None = None
    for case in cases:
        if stopped and stopped[0] is TestRunStatus.TIMEOUT:
            results.append(CaseResult(case.name, CaseOutcome.NOT_RUN, message=_EARLIER, input=shown(case.input)))
            continue
        outcome = run(_with_room(command(case), case))
        outcomes.append(outcome)
        results.append(replace(_result(case, outcome, explain), input=shown(case.input)))
        if outcome.killed_by and (stopped is None or outcome.killed_by in ("wall_time", "cpu_time")):
            stopped = status_of_end(outcome), f"{case.name}: {how_it_ended(outcome)}"
    status, message = stopped or counted(results)
    return TestRun(
        status=status,
        cases=tuple(results),
        output="\n".join(filter(None, map(output_of, outcomes)))[:_OUTPUT_KEPT],
        seconds=sum(outcome.wall_seconds for outcome in outcomes),
        sandbox=probe().name,
        inconclusive=any(outcome.killed_by == "wall_time" for outcome in outcomes),
        message=message,
    )


def _with_room(command: Command, case: StdinCase) -> Command:
    """A right answer must fit into what may be printed."""
    wanted = max(command.limits.output_bytes, 2 * len(case.output.encode(errors="replace")))
    return replace(command, limits=replace(command.limits, output_bytes=wanted))


def _result(case: StdinCase, outcome: Outcome, explain: Callable[[Outcome], str]) -> CaseResult:
    if outcome.exit_code == 0 and not outcome.killed_by:
        return judged_output(case, outcome.stdout.decode(errors="backslashreplace"), seconds=outcome.wall_seconds)
    timed_out = outcome.killed_by in ("wall_time", "cpu_time")
    return CaseResult(
        name=case.name,
        outcome=CaseOutcome.TIMEOUT if timed_out else CaseOutcome.ERROR,
        message=how_it_ended(outcome) if outcome.killed_by else clean(explain(outcome)),
        seconds=outcome.wall_seconds,
    )
