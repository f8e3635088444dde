"""Runs programs that a compiler made: once for tests of their own, or once per case of standard input."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from perturbation.languages import stdin_runs
from perturbation.languages.base import TestRun, TestRunStatus
from perturbation.languages.outputs import CasesUnreadable, StdinCase, read_stdin_cases
from perturbation.languages.verdict import how_it_ended, nothing_ran
from perturbation.sandbox import Command, Limits, Outcome, run

_ELF, _PT_INTERP = b"\x7fELF\x02\x01", 3


@dataclass(frozen=True)
class Native:
    """A built program and what it needs at run time."""

    program: bytes
    environment: Mapping[str, str]
    readable: tuple[str, ...] = ()

    def command(self, *, limits: Limits, arguments: Sequence[str] = (), stdin: bytes = b"") -> Command:
        """What runs it, through its loader: files of a sandbox carry no right to be executed."""
        return Command(
            argv=(*loader_of(self.program), "./program", *arguments),
            files={"program": self.program},
            stdin=stdin,
            limits=limits,
            environment=self.environment,
            readable=self.readable,
        )

    def run(self, *, limits: Limits, arguments: Sequence[str] = (), stdin: bytes = b"") -> Outcome:
        """Run it once."""
        return run(self.command(limits=limits, arguments=arguments, stdin=stdin))


def run_stdin_cases(program: Native, *, tests: str, limits: Limits, build_seconds: float) -> TestRun:
    """Run the program once for each case of tests of kind `stdin`."""
    try:
        cases = read_stdin_cases(tests)
    except CasesUnreadable as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))

    def command(case: StdinCase) -> Command:
        return program.command(limits=limits, stdin=case.input.encode(errors="backslashreplace"))

    test_run = stdin_runs.run_stdin_cases(cases, command, explain=_explained)
    return replace(test_run, seconds=test_run.seconds + build_seconds)


def _explained(outcome: Outcome) -> str:
    if outcome.signal is not None:
        return how_it_ended(outcome)
    return f"the program ended with exit status {outcome.exit_code}"


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
