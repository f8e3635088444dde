"""JavaScript: running tests of every kind by node in the sandbox. Reads the harness's records, trusts none of its
process.
"""

from __future__ import annotations

import re
import secrets
import shutil
import subprocess
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from perturbation.files import split
from perturbation.languages import calls, records
from perturbation.languages.base import CaseOutcome, CaseResult, Language, TestRun, TestRunStatus, Toolchain
from perturbation.languages.javascript_order import HARNESS_FOLDER, Order, order_for_calls, order_for_code
from perturbation.languages.javascript_tests import first_error_line, grammar, text_is_module
from perturbation.languages.outputs import CallCase, CasesUnreadable, StdinCase, read_call_cases, read_stdin_cases
from perturbation.languages.records import Records
from perturbation.languages.stdin_runs import run_stdin_cases
from perturbation.languages.verdict import how_it_ended, nothing_ran, ran
from perturbation.sandbox import Command, FileNameRefused, Limits, Outcome, SandboxUnavailable, run

# CPU time, which does not depend on the machine's load, is to end an endless loop well before the wall clock does.
JAVASCRIPT_LIMITS = Limits(wall_seconds=30.0, cpu_seconds=6)
# The heap's own bound comes before the sandbox's, so that node says what happened. Math.random is the same every time.
_FLAGS = ("--no-warnings", "--max-old-space-size=256", "--v8-pool-size=1", "--random-seed=1")
# Where /etc cannot be read, node would not start for want of its configuration of OpenSSL.
_ENVIRONMENT = {"UV_THREADPOOL_SIZE": "1", "NO_COLOR": "1", "OPENSSL_CONF": "/dev/null"}
_LOWEST = 18
_NO_MEMORY = b"heap out of memory"
_MISSING = re.compile(r"Cannot find (?:module|package) '(?P<name>[^'./][^']*)'")


def run_tests(
    *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
) -> TestRun:
    """Run a script whose console.assert and node:assert calls are the cases, jest's tests in one or several files,
    or the cases of kinds stdin and calls.

    Never raises for what program or tests do; UNAVAILABLE where no sandbox can run them.
    """
    bounds = limits or JAVASCRIPT_LIMITS
    try:
        if kind == "stdin":
            return _run_stdin(program, read_stdin_cases(tests), bounds)
        if kind == "calls":
            return _run_calls(program, read_call_cases(tests), entry_point, bounds)
        return _run_code(program, tests, bounds)
    except (CasesUnreadable, FileNameRefused) as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    except SandboxUnavailable as error:
        return nothing_ran(TestRunStatus.UNAVAILABLE, str(error))


def _run_code(program: str, tests: str, limits: Limits) -> TestRun:
    order = order_for_code(program, tests, nonce=secrets.token_hex(16))
    outcome = run(_harness_command(order, limits))
    found = _with_line(records.read(outcome.results, order.nonce), program)
    return _test_run(found, records.cases(found, sites=order.sites, outcome=outcome), outcome)


def _run_calls(program: str, cases: list[CallCase], entry_point: str, limits: Limits) -> TestRun:
    if not entry_point.isidentifier():
        return nothing_ran(TestRunStatus.ERROR, "the tests need the name of the entry point")
    order = order_for_calls(program, cases, entry_point, nonce=secrets.token_hex(16))
    outcome = run(_harness_command(order, limits))
    found = _with_line(records.read(outcome.results, order.nonce), program)
    return _test_run(found, calls.judged(cases, found, outcome), outcome)


def _run_stdin(program: str, cases: list[StdinCase], limits: Limits) -> TestRun:
    files = split(program)
    main = files[0].path or ("solution.mjs" if text_is_module(program) else "solution.js")
    named = {file.path or main: _encoded(file.text) for file in files}
    package = b'{"type": "module"}' if text_is_module(files[0].text) else b"{}"

    def command(case: StdinCase) -> Command:
        return _command((main,), {"package.json": package, **named}, _encoded(case.input), limits)

    test_run = run_stdin_cases(cases, command, explain=_explained)
    trouble = next((case.message for case in test_run.cases if "SyntaxError" in case.message), "")
    if trouble and not LANGUAGE.parses(program):
        return nothing_ran(TestRunStatus.BUILD, f"does not parse: {trouble}")
    return test_run


def _explained(outcome: Outcome) -> str:
    """Node's own line that names the error, else how the run ended."""
    if _NO_MEMORY in outcome.stderr:
        return "the program ran out of memory"
    lines = [line for line in outcome.stderr.decode(errors="backslashreplace").splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"(?:\w+ )?\[?\w*Error\b", line)]
    return (named or [how_it_ended(outcome)])[0][:500]


def _test_run(found: Records, cases: tuple[CaseResult, ...], outcome: Outcome) -> TestRun:
    status, message = _verdict(found, cases, outcome)
    words = "\n".join([message, *(case.message for case in cases if case.outcome is CaseOutcome.ERROR)])
    missing = tuple(sorted({_package(match["name"]) for match in _MISSING.finditer(words)}))
    if missing:
        status, message = TestRunStatus.ERROR, f"needs {', '.join(missing)}"
    return replace(ran(outcome, status, cases, message), missing=missing)


def _verdict(found: Records, cases: tuple[CaseResult, ...], outcome: Outcome) -> tuple[TestRunStatus, str]:
    if found.broken and found.ended:
        stage, words = found.broken
        if stage == "syntax":
            return TestRunStatus.BUILD, f"does not parse: {words}"
        return TestRunStatus.ERROR, words if stage == "entry" else f"failed on import: {words}"
    if not found.ended and not outcome.killed_by and _NO_MEMORY in outcome.stderr:
        return TestRunStatus.MEMORY, "the program ran out of memory"
    return records.verdict(found, cases, outcome)


def _with_line(found: Records, program: str) -> Records:
    """Node does not say where a module does not parse; the grammar does, of the first such file."""
    if found.broken and found.broken[0] == "syntax" and "(line" not in found.broken[1]:
        for file in split(program):
            if line := first_error_line(file.text):
                place = f"line {line} of {file.path}" if file.path else f"line {line}"
                found.broken = ("syntax", f"{found.broken[1]} ({place})")
                break
    return found


def _package(name: str) -> str:
    """The package of an import: `lodash` of `lodash/fp`, `@scope/name` of `@scope/name/part`."""
    return "/".join(name.split("/")[: 2 if name.startswith("@") else 1])


def _harness_command(order: Order, limits: Limits) -> Command:
    argv = ("--experimental-vm-modules", f"{HARNESS_FOLDER}/javascript_harness.cjs")
    return _command(argv, order.files, order.stdin, limits)


def _command(arguments: tuple[str, ...], files: dict[str, bytes], stdin: bytes, limits: Limits) -> Command:
    node = _node()
    inside = () if node.startswith("/usr/") else (str(Path(node).parents[1]),)
    return Command(
        argv=(node, *_FLAGS, *arguments),
        files=files,
        stdin=stdin,
        limits=limits,
        environment=_ENVIRONMENT,
        readable=inside,
    )


def _encoded(text: str) -> bytes:
    return text.encode(errors="backslashreplace")


def _node() -> str:
    found = shutil.which("node") or shutil.which("nodejs")
    return str(Path(found).resolve()) if found else ""


@lru_cache(maxsize=1)
def _toolchain() -> Toolchain:
    how_to = f"install node {_LOWEST} or newer, for example Debian's package nodejs"
    node = _node()
    if not node:
        return Toolchain(is_there=False, how_to=how_to)
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout.strip()
    major = re.match(r"v(\d+)\.", said)
    if major is None or int(major[1]) < _LOWEST:
        return Toolchain(is_there=False, version=said, how_to=f"{how_to} ({node} is {said or 'no node'})")
    return Toolchain(is_there=True, version=f"node {said}")


LANGUAGE = Language(
    id="javascript",
    label="JavaScript",
    pygments_alias="javascript",
    ending="js",
    grammar=grammar,
    runner=run_tests,
    toolchain=_toolchain,
)
