"""Python: parsing, and running tests of every common form in one sandbox run. Reads the harness's records.

Records count only with the run's nonce. Test code shares its process with the program, which could find the nonce in
memory; calls and standard input are judged out here, where the program cannot reach.
"""

from __future__ import annotations

import platform
import secrets
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import tree_sitter_python
from tree_sitter import Language as Grammar

from perturbation.files import split
from perturbation.languages import calls, python_imports, records
from perturbation.languages.base import CaseResult, Language, TestRun, TestRunStatus, Toolchain
from perturbation.languages.outputs import CallCase, CasesUnreadable, StdinCase, read_call_cases, read_stdin_cases
from perturbation.languages.python_order import Order, order_for_calls, order_for_code
from perturbation.languages.python_tests import TestsUnreadable
from perturbation.languages.records import Records
from perturbation.languages.stdin_runs import run_stdin_cases
from perturbation.languages.verdict import how_it_ended, nothing_ran, ran
from perturbation.sandbox import Command, FileNameRefused, Limits, Outcome, SandboxUnavailable, run
from perturbation.sandbox.host import python_executable

# CPU time, which does not depend on the machine's load, is to end an endless loop well before the wall clock does.
PYTHON_LIMITS = Limits(wall_seconds=30.0, cpu_seconds=6)
# Calls run one after another, each within the CPU time of one run; the first that takes more is the last.
_WHOLE_OF_CALLS = 4
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run_tests(
    *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
) -> TestRun:
    """Run unittest classes, test functions without arguments and assert scripts (every assert a case) on the program,
    in one or several files, or the cases of kinds stdin and calls.

    `entry_point` is the function that HumanEval's check(candidate) is called with. Never raises for what program
    or tests do;
    UNAVAILABLE where no sandbox can run them.
    """
    bounds = limits or PYTHON_LIMITS
    try:
        if kind == "stdin":
            return _run_stdin(program, read_stdin_cases(tests), bounds)
        if kind == "calls":
            return _run_calls(program, read_call_cases(tests), entry_point, bounds)
        return _run_code(program, tests, entry_point, bounds)
    except (TestsUnreadable, CasesUnreadable, FileNameRefused) as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    except SandboxUnavailable as error:
        return nothing_ran(TestRunStatus.UNAVAILABLE, str(error))


def _run_code(program: str, tests: str, entry_point: str, limits: Limits) -> TestRun:
    nonce = secrets.token_hex(16)
    order = order_for_code(program, tests, entry_point, nonce=nonce)
    outcome = run(_command(order, limits))
    found = records.read(outcome.results, nonce)
    cases = records.cases(found, sites=order.sites, functions=order.functions, outcome=outcome)
    return _test_run(order, found, cases, outcome)


def _run_calls(program: str, cases: list[CallCase], entry_point: str, limits: Limits) -> TestRun:
    nonce, cpu = secrets.token_hex(16), limits.cpu_seconds
    order = order_for_calls(program, cases, entry_point, nonce=nonce, cpu_seconds=cpu)
    whole = replace(limits, cpu_seconds=cpu * _WHOLE_OF_CALLS, wall_seconds=limits.wall_seconds * _WHOLE_OF_CALLS)
    outcome = run(_command(order, whole))
    found = records.read(outcome.results, nonce)
    return _test_run(order, found, calls.judged(cases, found, outcome), outcome)


def _run_stdin(program: str, cases: list[StdinCase], limits: Limits) -> TestRun:
    files = split(program)
    named = {file.path or "solution.py": file.text.encode(errors="backslashreplace") for file in files}
    script = next(iter(named))

    def command(case: StdinCase) -> Command:
        return Command(
            argv=(python_executable(), "-s", "-S", script),
            files=named,
            stdin=case.input.encode(errors="backslashreplace"),
            limits=limits,
            environment=_ENVIRONMENT,
        )

    test_run = run_stdin_cases(cases, command, explain=_last_words)
    own = [name.split("/")[0].removesuffix(".py") for name in named]
    return _with_missing(test_run, texts=[file.text for file in files], own=own)


def _last_words(outcome: Outcome) -> str:
    """The last line that a script wrote to standard error: the error's name and words."""
    lines = outcome.stderr.decode(errors="backslashreplace").rstrip().splitlines()
    return lines[-1][:500] if lines else how_it_ended(outcome)


def _test_run(order: Order, found: Records, cases: tuple[CaseResult, ...], outcome: Outcome) -> TestRun:
    status, message = _verdict(found, cases, outcome)
    return _with_missing(ran(outcome, status, cases, message), texts=order.texts, own=order.own)


def _with_missing(test_run: TestRun, *, texts: Sequence[str], own: Sequence[str]) -> TestRun:
    """Say what the texts need, all of it, where an import failed for want of it."""
    words = "\n".join([test_run.message, *(case.message for case in test_run.cases)])
    missing = python_imports.missing(texts=texts, own=own, words=words)
    if not missing or test_run.status is TestRunStatus.PASSED:
        return test_run
    return replace(
        test_run, status=TestRunStatus.ERROR, message=f"needs {', '.join(missing)}", missing=missing, inconclusive=False
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


def _command(order: Order, limits: Limits) -> Command:
    return Command(
        # Not -I, which would ignore PYTHONHASHSEED: the environment is ours alone, so -P -s -S isolate as much.
        argv=(python_executable(), "-P", "-s", "-S", "-c", order.start),
        files=order.files,
        stdin=order.stdin,
        limits=limits,
        environment=_ENVIRONMENT,
    )


def _verdict(found: Records, cases: tuple[CaseResult, ...], outcome: Outcome) -> tuple[TestRunStatus, str]:
    if found.ended and not found.out_of_memory and found.broken:
        stage, words = found.broken
        before = {"syntax": "syntax error: ", "import": "failed on import: "}
        return TestRunStatus.ERROR, before.get(stage, "") + words
    return records.verdict(found, cases, outcome)


def _toolchain() -> Toolchain:
    return Toolchain(is_there=True, version=platform.python_version())


LANGUAGE = Language(
    id="python",
    label="Python",
    pygments_alias="python",
    ending="py",
    grammar=grammar,
    comment="#",
    parser=parses,
    runner=run_tests,
    toolchain=_toolchain,
)
