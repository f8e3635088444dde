"""Runs programs that a compiler made: once for tests of their own, or once per case of standard input."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from perturbation.languages.base import CaseOutcome, CaseResult, TestRun, TestRunStatus
from perturbation.languages.outputs import CasesUnreadable, StdinCase, judged_output, read_stdin_cases
from perturbation.languages.verdict import clean, counted, how_it_ended, nothing_ran, output_of, status_of_end
from perturbation.sandbox import Command, Limits, Outcome, probe, run

_ELF, _PT_INTERP = b"\x7fELF\x02\x01", 3
# A program that ends like this would do so in the cases that follow too, each at the full price.
_HOPELESS = (TestRunStatus.TIMEOUT, TestRunStatus.MEMORY)


@dataclass(frozen=True)
class Native:
    """A built program and what it needs at run time."""

    program: bytes
    environment: Mapping[str, str]
    readable: tuple[str, ...] = ()

    def run(self, *, limits: Limits, arguments: Sequence[str] = (), stdin: bytes = b"") -> Outcome:
        """Run it through its loader: files of a sandbox carry no right to be executed."""
        return run(
            Command(
                argv=(*loader_of(self.program), "./program", *arguments),
                files={"program": self.program},
                stdin=stdin,
                limits=limits,
                environment=self.environment,
                readable=self.readable,
            )
        )


def run_stdin_cases(program: Native, *, tests: str, limits: Limits, build_seconds: float) -> TestRun:
    """Run the program once for each case of tests of kind `stdin`; the cases after a time-out are not run."""
    try:
        cases = read_stdin_cases(tests)
    except CasesUnreadable as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    results: list[CaseResult] = []
    seconds, printed, ending, inconclusive = build_seconds, "", None, False
    for case in cases:
        if ending is not None and status_of_end(ending) in _HOPELESS:
            results.append(CaseResult(case.name, CaseOutcome.NOT_RUN, message="not run: a case before ran too long"))
            continue
        outcome = program.run(limits=_with_room(limits, case), stdin=case.input.encode(errors="surrogateescape"))
        seconds += outcome.wall_seconds
        inconclusive = inconclusive or outcome.killed_by == "wall_time"
        ending = outcome if ended_badly(outcome) and (ending is None or not ending.killed_by) else ending
        results.append(_judged(case, outcome))
        printed = printed or output_of(outcome)
    status, message = counted(results)
    if ending is not None and ending.killed_by:
        status, message = status_of_end(ending), how_it_ended(ending)
    return TestRun(status, tuple(results), printed, seconds, probe().name, inconclusive, message)


def ended_badly(outcome: Outcome) -> bool:
    """Whether a program did not come to its own good end."""
    return bool(outcome.killed_by) or outcome.signal is not None or outcome.exit_code != 0


def loader_of(program: bytes) -> tuple[str, ...]:
    """The loader that a 64-bit little-endian ELF program asks for; nothing where it asks for none."""
    if not program.startswith(_ELF):
        return ()
    try:
        start, size, count = struct.unpack_from("<32xQ14xHH", program)
        for number in range(count):
            kind, offset, length = struct.unpack_from("<I4xQ16xQ", program, start + number * size)
            if kind == _PT_INTERP:
                return (program[offset : offset + length].rstrip(b"\0").decode(),)
    except (struct.error, UnicodeDecodeError):
        return ()
    return ()


def _judged(case: StdinCase, outcome: Outcome) -> CaseResult:
    if not ended_badly(outcome):
        return judged_output(case, outcome.stdout.decode(errors="backslashreplace"), seconds=outcome.wall_seconds)
    timed_out = outcome.killed_by in ("wall_time", "cpu_time")
    words = how_it_ended(outcome)
    if outcome.exit_code is not None and not outcome.killed_by:
        words = f"the program ended with exit status {outcome.exit_code}"
    return CaseResult(
        name=case.name,
        outcome=CaseOutcome.TIMEOUT if timed_out else CaseOutcome.ERROR,
        message=clean(words),
        seconds=outcome.wall_seconds,
    )


def _with_room(limits: Limits, case: StdinCase) -> Limits:
    """Room for an output much longer than the expected one, so that it can be shown to be wrong."""
    return replace(limits, output_bytes=max(limits.output_bytes, 2 * len(case.output.encode(errors="replace"))))
