"""Go: grammar and lexer, and running its tests: functions of package testing, or cases of standard input."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from perturbation.languages import go_report
from perturbation.languages.base import CaseOutcome, CaseResult, Language, TestRun, TestRunStatus
from perturbation.languages.building import Built, build, not_built
from perturbation.languages.go_source import GoPackage, grammar, program_package, tested_package
from perturbation.languages.go_toolchain import (
    EXTERNAL_PATH,
    HARNESS_PATH,
    PREPARE,
    PROGRAM_PATH,
    Go,
    available,
    found,
    prepare,
    prepared,
    toolchain,
)
from perturbation.languages.outputs import CasesUnreadable, read_stdin_cases
from perturbation.languages.stdin_runs import run_stdin_cases
from perturbation.languages.verdict import clean, counted, how_it_ended, nothing_ran, ran, status_of_end
from perturbation.sandbox import Command, FileNameRefused, Limits, Outcome, SandboxUnavailable, run

GO_LIMITS = Limits(wall_seconds=40.0, cpu_seconds=6, processes=256)
_WORK = "/box"
# Files come into a sandbox without the right to be executed, and it may forbid to change rights: a copy keeps them.
_START = 'cp /bin/true "$TMPDIR/run" && cat program >"$TMPDIR/run" && exec "$TMPDIR/run"'
_COMPILER_LINE = re.compile(r"^(?P<file>[^\s:]+\.go):(?P<line>\d+)(?::\d+)?: (?P<words>.*)$", re.MULTILINE)
_ENDED = re.compile(rb"^(?:panic|fatal error): .*$", re.MULTILINE)
_AT = re.compile(
    rb"^\t(?!go_harness|axiom_main)(?P<file>[\w.-]+\.go):(?P<line>\d+)", re.MULTILINE
)  # files of Go itself have a folder
_TESTING_SAYS = re.compile(r"^\x16(?:FAIL|PASS)\n?\Z", re.MULTILINE)  # its last word goes to standard output
# Go says it in several ways, by what it wanted the memory for.
_OUT_OF_MEMORY = re.compile(rb"^fatal error: .*(?:out of memory|cannot allocate memory)", re.MULTILINE)


def run_tests(
    *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
) -> TestRun:
    """Run test functions (each of them and each subtest a case), or a case of standard input each, on the program.

    Program and tests are one file (HumanEval-X) or the files of one package (Exercism). Never raises for what they
    do; UNAVAILABLE where no sandbox can run them or the libraries are not prepared.
    """
    go, place = found(), prepared()
    if go is None or place is None:
        return nothing_ran(TestRunStatus.UNAVAILABLE, f"Go's libraries are not compiled yet: {PREPARE}")
    limits = limits or GO_LIMITS
    try:
        if kind == "stdin":
            return _run_stdin(_Bench(go, place), program, tests, limits)
        if kind == "code":
            return _run_code(_Bench(go, place), program, tests, limits)
    except (CasesUnreadable, FileNameRefused) as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    except SandboxUnavailable as error:
        return nothing_ran(TestRunStatus.UNAVAILABLE, str(error))
    return nothing_ran(TestRunStatus.ERROR, f"tests of kind {kind!r} cannot be run on Go programs")


class _Bench:
    """The compiler's and the linker's command lines for one package."""

    def __init__(self, go: Go, place: Path) -> None:
        self.tools, self.version, self.place = str(go.tools), go.version, place

    def missing(self, package: GoPackage) -> tuple[str, ...]:
        """Imported packages that are not on this machine."""
        known = available(self.place) | ({package.module} if package.module else set())
        return tuple(path for path in package.imports() if path not in known)

    def compile(
        self, output: str, path: str, files: Sequence[str], *, version: str = "", imports: str = ""
    ) -> list[str]:
        config = imports or f"{self.place}/importcfg.main"
        options = ["-o", output, "-p", path, "-complete", "-trimpath", _WORK, "-importcfg", config]
        return [f"{self.tools}/compile", *options, *self._language(version), "-pack", *files]

    def _language(self, version: str) -> list[str]:
        """The language's version of go.mod, which decides what some loops mean; the compiler's own if that is older."""
        mine = tuple(int(part) for part in self.version.split(".")[:2])
        wanted = tuple(int(part) for part in version.split(".")) if version else mine
        return [f"-lang=go{version}"] if wanted < mine else []

    def link(self) -> list[str]:
        return [
            f"{self.tools}/link",
            "-s",
            "-w",
            "-importcfg",
            f"{self.place}/importcfg.main",
            "-o",
            "product",
            "main.a",
        ]

    def build(self, steps: Sequence[Sequence[str]], files: dict[str, str]) -> Built:
        return build(
            steps=steps,
            files={name: text.encode(errors="backslashreplace") for name, text in files.items()},
            readable=(self.tools, str(self.place)),
            environment={"GOMAXPROCS": "2"},
        )


def _run_stdin(bench: _Bench, program: str, tests: str, limits: Limits) -> TestRun:
    cases = read_stdin_cases(tests)
    package = program_package(program)
    if missing := bench.missing(package):
        return _missing(missing)
    files = {file.path: file.text for file in package.files}
    built = bench.build([bench.compile("main.a", "main", list(files), version=package.version), bench.link()], files)
    if not built.is_whole:
        return _not_built(built)
    run_of = run_stdin_cases(
        cases, lambda case: _executed(built, case.input.encode(errors="backslashreplace"), limits), explain=_ended
    )
    return replace(run_of, seconds=run_of.seconds + built.outcome.wall_seconds)


def _run_code(bench: _Bench, program: str, tests: str, limits: Limits) -> TestRun:
    package = tested_package(program, tests)
    planned = (*package.tests, *package.external_tests)
    if missing := bench.missing(package):
        return _missing(missing)
    if not planned:
        return nothing_ran(TestRunStatus.ERROR, "the tests hold no function TestXxx(t *testing.T)")
    built = bench.build(*_tested(bench, package))
    if not built.is_whole:
        return _not_built(built)
    nonce = secrets.token_hex(16)
    outcome = run(_executed(built, nonce.encode(), limits))
    report = go_report.read(outcome.results, nonce=nonce, planned=planned)
    cases = tuple(_explained(case, report, outcome) for case in report.cases)
    status, message = _verdict(report, cases, outcome)
    found_run = ran(outcome, status, cases, message, build_seconds=built.outcome.wall_seconds)
    return replace(found_run, output=_TESTING_SAYS.sub("", found_run.output))


def _tested(bench: _Bench, package: GoPackage) -> tuple[list[list[str]], dict[str, str]]:
    """The build's steps and files; the main package calls the tests by name, as `go test` has it."""
    files = {file.path: file.text for file in package.files}
    steps = [bench.compile("program.a", PROGRAM_PATH, list(files), version=package.version)]
    if package.external:
        outer = {file.path: file.text for file in package.external}
        imports = (bench.place / "importcfg.main").read_text()
        files |= outer | {"importcfg.external": f"{imports}importmap {package.module}={PROGRAM_PATH}\n"}
        steps.append(
            bench.compile(
                "external.a", EXTERNAL_PATH, list(outer), version=package.version, imports="importcfg.external"
            )
        )
    files["axiom_main.go"] = _main(package)
    steps += [bench.compile("main.a", "main", ["axiom_main.go"]), bench.link()]
    return steps, files


def _main(package: GoPackage) -> str:
    imports = [f'import harness "{HARNESS_PATH}"', 'import "testing"']
    entries = []
    for name, path, tests in (
        ("program", PROGRAM_PATH, package.tests),
        ("outer", EXTERNAL_PATH, package.external_tests),
    ):
        if tests:
            imports.append(f'import {name} "{path}"')
            entries += [f'\t\t{{Name: "{test}", F: {name}.{test}}},' for test in tests]
    opening = ["package main", *imports, "func main() {", "\tharness.Main([]testing.InternalTest{"]
    return "\n".join([*opening, *entries, "\t})", "}", ""])


def _executed(built: Built, stdin: bytes, limits: Limits) -> Command:
    return Command(
        argv=("/bin/sh", "-c", _START),
        files={"program": built.product},
        stdin=stdin,
        limits=limits,
        environment={"GOMAXPROCS": "2", "GOTRACEBACK": "single"},
    )


def _missing(missing: tuple[str, ...]) -> TestRun:
    """An import that names no place (mathx) is a mistake of the program; one that does is not on this machine."""
    words = f"imports what is not on this machine: {', '.join(missing)}"
    elsewhere = [path for path in missing if "." in path.partition("/")[0]]
    return nothing_ran(TestRunStatus.BUILD, words, missing=elsewhere)


def _not_built(built: Built) -> TestRun:
    first = _COMPILER_LINE.search(built.messages)
    if first is None:
        return not_built(built, built.messages.strip().partition("\n")[0] or "the compiler gave no reason")
    return not_built(built, first["words"] + go_report.place_words(first["file"], first["line"]))


def _verdict(report: go_report.Report, cases: tuple[CaseResult, ...], outcome: Outcome) -> tuple[TestRunStatus, str]:
    if report.code is None:
        status = status_of_end(outcome)
        if _OUT_OF_MEMORY.search(outcome.stderr):
            return TestRunStatus.MEMORY, "the program ran out of memory"
        return status, _ended(outcome)
    status, message = counted(cases)
    if status is TestRunStatus.PASSED and (report.code or outcome.exit_code or outcome.killed_by):
        return TestRunStatus.ERROR, "every case passed, but the tests as a whole ended with an error"
    return status, message


def _ended(outcome: Outcome) -> str:
    """How a run ended that ended badly: Go's own first words where it gives any."""
    words = _ENDED.search(outcome.stderr)
    if outcome.killed_by or not words:
        return how_it_ended(outcome)
    place = _AT.search(outcome.stderr, words.end())
    where = go_report.place_words(place["file"].decode(), place["line"].decode()) if place else ""
    return clean(words[0].decode(errors="backslashreplace")) + where


def _explained(case: CaseResult, report: go_report.Report, outcome: Outcome) -> CaseResult:
    """A case that was running when the process ended, or that failed with it without a word, is told why."""
    if report.code is not None or case.message or case.outcome not in (CaseOutcome.ERROR, CaseOutcome.FAILED):
        return case
    timed_out = outcome.killed_by in ("wall_time", "cpu_time")
    return replace(case, outcome=CaseOutcome.TIMEOUT if timed_out else CaseOutcome.ERROR, message=_ended(outcome))


LANGUAGE = Language(
    id="go",
    label="Go",
    pygments_alias="go",
    ending="go",
    grammar=grammar,
    runner=run_tests,
    toolchain=toolchain,
    prepare=prepare,
)
