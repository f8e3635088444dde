"""Python: parsing, and running tests of every common form in one sandbox run. Reads the harness's records, trusts
none of its process.
"""

from __future__ import annotations

import marshal
import platform
import secrets
import warnings
from functools import lru_cache
from pathlib import Path

import tree_sitter_python
from tree_sitter import Language as Grammar

from perturbation.languages import records
from perturbation.languages.base import CaseResult, Language, TestRun, TestRunStatus, Toolchain
from perturbation.languages.python_tests import PreparedTests, TestsUnreadable, prepare
from perturbation.languages.records import Records
from perturbation.languages.verdict import nothing_ran, output_of
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
    found = records.read(outcome.results, nonce)
    cases = records.cases(found, sites=prepared.sites, functions=prepared.functions, outcome=outcome)
    status, message = _verdict(found, cases, outcome)
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


def _verdict(found: Records, cases: tuple[CaseResult, ...], outcome: Outcome) -> tuple[TestRunStatus, str]:
    if found.ended and not found.out_of_memory and found.broken:
        stage, words = found.broken
        return TestRunStatus.ERROR, f"syntax error: {words}" if stage == "syntax" else f"failed on import: {words}"
    return records.verdict(found, cases, outcome)


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
