"""Python: parsing, and running tests of every common form in one sandbox run. Reads the harness's records, trusts
none of its process.
"""

from __future__ import annotations

import json
import marshal
import platform
import secrets
import warnings
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import tree_sitter_python
from tree_sitter import Language as Grammar

from perturbation.languages.base import CaseOutcome, CaseResult, Language, TestRun, TestRunStatus, Toolchain
from perturbation.languages.python_tests import PreparedTests, TestsUnreadable, prepare
from perturbation.languages.verdict import clean, counted, how_it_ended, nothing_ran, output_of, status_of_end
from perturbation.sandbox import Command, Limits, Outcome, SandboxBroken, SandboxUnavailable, probe, run
from perturbation.sandbox.host import python_executable

# CPU time, which does not depend on the machine's load, is to end an endless loop well before the wall clock does.
PYTHON_LIMITS = Limits(wall_seconds=30.0, cpu_seconds=6)
_HARNESS = Path(__file__).parent / "harness" / "python_harness.py"
_START = "import marshal; exec(marshal.loads(open('harness.bin', 'rb').read()))"
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run_tests(
    *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
) -> TestRun:
    """Run unittest classes, test functions without arguments and assert scripts (every assert a case) on the program.

    `entry_point` is the function that HumanEval's check(candidate) is called with. Never raises for what program
    or tests do;
    UNAVAILABLE where no sandbox can run them.
    """
    try:
        prepared = prepare(tests)
        nonce = secrets.token_hex(16)
        outcome = run(_command(program, prepared, entry_point, nonce, limits or PYTHON_LIMITS))
    except TestsUnreadable as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    except (SandboxUnavailable, SandboxBroken) as error:
        return nothing_ran(TestRunStatus.UNAVAILABLE, str(error))
    records = _read(outcome.results, nonce)
    cases = _cases(records, prepared, outcome)
    status, message = _verdict(records, cases, outcome)
    return TestRun(
        status=status,
        cases=cases,
        output=output_of(outcome),
        seconds=outcome.wall_seconds,
        sandbox=probe().name,
        inconclusive=outcome.killed_by == "wall_time",
        message=message,
    )


def parses(text: str) -> bool:
    """Whether Python compiles the text; nothing of it runs."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "program.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_python.language())


@lru_cache(maxsize=1)
def _harness() -> bytes:
    """The harness compiled once: compiling it anew in each run would cost as much as the sandbox's set-up."""
    return marshal.dumps(compile(_HARNESS.read_bytes(), _HARNESS.name, "exec", dont_inherit=True))


def _command(program: str, prepared: PreparedTests, entry_point: str, nonce: str, limits: Limits) -> Command:
    order = {
        "nonce": nonce,
        "program": program,
        "code": prepared.code,
        "functions": prepared.functions,
        "fixtures": prepared.fixtures,
        "has_classes": prepared.has_classes,
        "needs_check": prepared.needs_check,
        "can_fail": prepared.can_fail,
        "entry_point": entry_point,
    }
    return Command(
        # Not -I, which would ignore PYTHONHASHSEED: the environment is ours alone, so -P -s -S isolate as much.
        argv=(python_executable(), "-P", "-s", "-S", "-c", _START),
        files={"harness.bin": _harness(), "solution.py": program.encode(errors="backslashreplace")},
        stdin=marshal.dumps(order),
        limits=limits,
        environment=_ENVIRONMENT,
    )


@dataclass
class _Records:
    """What the harness told, by key: `#n` for the n-th assert, else the case's name."""

    results: dict[str, CaseResult] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)
    broken: tuple[str, str] | None = None
    out_of_memory: bool = False
    ended: bool = False


def _read(results: bytes, nonce: str) -> _Records:
    """Only whole lines with the nonce count; anything else on the pipe is the program's own."""
    records = _Records()
    mark = nonce.encode() + b" "
    for line in results.split(b"\n"):
        if line.startswith(mark):
            try:
                _take(records, json.loads(line[len(mark) :]))
            except (ValueError, TypeError, IndexError, RecursionError):
                continue
    return records


def _take(records: _Records, words: list[object]) -> None:
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
    elif kind == "broken":
        records.broken = (str(rest[0]), clean(str(rest[1])))
    elif kind == "memory":
        records.out_of_memory = True
    elif kind == "end":
        records.ended = True


def _cases(records: _Records, prepared: PreparedTests, outcome: Outcome) -> tuple[CaseResult, ...]:
    """In the order of the tests; where the run did not end, what was running and what never ran are named too."""
    titles = {f"#{number}": site.name for number, site in enumerate(prepared.sites)}
    sure = [f"#{number}" for number, site in enumerate(prepared.sites) if site.is_case]
    missing = [] if records.ended and not records.broken else [*sure, *records.planned, *prepared.functions]
    keys = dict.fromkeys([*titles, *records.planned, *prepared.functions, *records.results, *records.started, *missing])
    wanted = {*records.results, *missing} | (set() if records.ended else set(records.started))
    culprit = records.started[-1] if records.started and not records.ended else None
    found = []
    for key in keys:
        if key in wanted:
            case = records.results.get(key) or _unfinished(key, outcome, is_culprit=key == culprit)
            found.append(replace(case, name=clean(titles.get(key, case.name))))
    return tuple(found)


def _unfinished(key: str, outcome: Outcome, *, is_culprit: bool) -> CaseResult:
    if not is_culprit:
        return CaseResult(name=key, outcome=CaseOutcome.NOT_RUN, message="not run: the run ended before")
    timed_out = outcome.killed_by in ("wall_time", "cpu_time")
    return CaseResult(
        name=key,
        outcome=CaseOutcome.TIMEOUT if timed_out else CaseOutcome.ERROR,
        message=how_it_ended(outcome),
    )


def _verdict(records: _Records, cases: tuple[CaseResult, ...], outcome: Outcome) -> tuple[TestRunStatus, str]:
    if not records.ended:
        status = status_of_end(outcome)
        if status is TestRunStatus.CRASHED and records.out_of_memory:
            status = TestRunStatus.MEMORY
        return status, how_it_ended(outcome)
    if records.out_of_memory:
        return TestRunStatus.MEMORY, "the program ran out of memory"
    if records.broken:
        stage, words = records.broken
        return TestRunStatus.ERROR, f"syntax error: {words}" if stage == "syntax" else f"failed on import: {words}"
    return counted(cases)


def _toolchain() -> Toolchain:
    return Toolchain(is_there=True, version=platform.python_version())


LANGUAGE = Language(
    id="python",
    label="Python",
    pygments_alias="python",
    grammar=grammar,
    comment="#",
    parser=parses,
    runner=run_tests,
    toolchain=_toolchain,
)
