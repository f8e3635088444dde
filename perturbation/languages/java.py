"""Java: grammar and lexer, and running its tests: a class with main(), JUnit 5, or cases of standard input."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from perturbation.languages import records
from perturbation.languages.base import CaseOutcome, CaseResult, Language, TestRun, TestRunStatus
from perturbation.languages.building import BUILD_LIMITS, build, not_built
from perturbation.languages.java_source import JavaTests, arranged, grammar, program_files
from perturbation.languages.java_toolchain import (
    FLAGS,
    OPEN,
    PREPARE,
    Java,
    archive,
    class_path,
    found,
    prepare,
    prepared,
    readable,
    toolchain,
)
from perturbation.languages.outputs import CasesUnreadable, StdinCase, read_stdin_cases
from perturbation.languages.records import Records
from perturbation.languages.stdin_runs import run_stdin_cases
from perturbation.languages.verdict import clean, how_it_ended, nothing_ran, ran
from perturbation.sandbox import Command, FileNameRefused, Limits, Outcome, SandboxUnavailable, run

# Compiling is part of the run and takes up to two seconds of CPU; the JVM's own threads count as processes.
JAVA_LIMITS = Limits(
    wall_seconds=40.0, cpu_seconds=9, memory_bytes=896 << 20, processes=128, open_files=256, disk_bytes=64 << 20
)
_ERROR = re.compile(r"^(?P<file>[^\n:]*):(?P<line>-?\d+): (?P<words>.*)$", re.MULTILINE)
_NO_PACKAGE = re.compile(r"\bpackage (?P<name>[\w.]+) does not exist")
_PLACE = re.compile(r" \((?P<file>[\w$]+\.java):(?P<line>\d+)\)\Z")
_THROWN = re.compile(r'^Exception in thread "[^"]*" (?P<words>.*)$', re.MULTILINE)
_AT = re.compile(r"^\s+at (?!java\.|jdk\.|sun\.)\S*\((?P<file>\w+\.java):(?P<line>\d+)\)$", re.MULTILINE)
_OWN_NAME = re.compile(r"\baxiom\b")
_OWN_PACKAGES = ("java.", "javax.")


def run_tests(
    *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
) -> TestRun:
    """Run main() of the tests (each value of its list of booleans a case), JUnit tests (each method a case), or a
    case of standard input each, on the program.

    Never raises for what program or tests do; UNAVAILABLE where no sandbox can run them or nothing is prepared.
    """
    java, place = found(), prepared()
    if java is None or place is None:
        return nothing_ran(TestRunStatus.UNAVAILABLE, f"Java's harness is not compiled yet: {PREPARE}")
    machine = _Machine(java, place, limits or JAVA_LIMITS)
    try:
        if kind == "stdin":
            return _run_stdin(machine, program, read_stdin_cases(tests))
        if kind == "code":
            return _run_code(machine, program, tests)
    except (CasesUnreadable, FileNameRefused) as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    except SandboxUnavailable as error:
        return nothing_ran(TestRunStatus.UNAVAILABLE, str(error))
    return nothing_ran(TestRunStatus.ERROR, f"tests of kind {kind!r} cannot be run on Java programs")


@dataclass(frozen=True)
class _Machine:
    """The JVM's command lines within limits."""

    java: Java
    place: Path
    limits: Limits

    def harness(self, *arguments: str) -> tuple[str, ...]:
        flags = (*FLAGS, *archive(self.place), *OPEN, "-cp", class_path(self.place))
        return (self.java.java, *flags, "axiom.Harness", *arguments)

    def tested(self, files: Mapping[str, str], tests: JavaTests, nonce: str) -> Command:
        mode = "junit" if tests.by_junit else "main"
        path = class_path(self.place) if tests.by_junit else f"{self.place}/harness.jar"
        return Command(
            argv=self.harness(mode, path, *tests.starts),
            files=_encoded(files),
            stdin="\n".join([nonce, *files]).encode(),
            limits=self.limits,
            readable=readable(self.java, self.place),
        )

    def ran(self, jar: bytes, case: StdinCase) -> Command:
        return Command(
            argv=(self.java.java, *FLAGS, "-Xss16m", "-jar", "program.jar"),
            files={"program.jar": jar},
            stdin=case.input.encode(errors="backslashreplace"),
            limits=self.limits,
            readable=readable(self.java, self.place),
        )


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode(errors="backslashreplace") for name, text in files.items()}


def _run_code(machine: _Machine, program: str, tests: str) -> TestRun:
    prepared_tests = arranged(program, tests)
    if not prepared_tests.starts:
        words = "no class with a test of JUnit 5" if prepared_tests.by_junit else "no class with a method main"
        return nothing_ran(TestRunStatus.ERROR, f"the tests hold {words}")
    if _OWN_NAME.search(program):
        # The rewritten tests call a class of this package, which a class of the program would hide.
        return _once(machine, replace(prepared_tests, sites=()), prepared_tests.plain)[0]
    found_run, place = _once(machine, prepared_tests, prepared_tests.files)
    if found_run.status is TestRunStatus.BUILD and prepared_tests.sites and place not in program_files(program):
        # The values of the list may be of a kind that cannot be told apart one by one.
        found_run, _ = _once(machine, replace(prepared_tests, sites=()), prepared_tests.plain)
    return found_run


def _once(machine: _Machine, tests: JavaTests, files: Mapping[str, str]) -> tuple[TestRun, str]:
    """One run, and the file of the first error where it does not compile."""
    nonce = secrets.token_hex(16)
    outcome = run(machine.tested(files, tests, nonce))
    told = records.read(outcome.results, nonce)
    if told.broken and told.ended:
        return _not_compiled(told.broken[1], tests.titles, outcome)
    told = _with_places(_by_site(told, tests), tests.titles)
    cases = records.cases(told, sites=tests.sites, outcome=outcome)
    status, message = records.verdict(told, cases, outcome)
    return ran(outcome, status, cases, message), ""


def _by_site(told: Records, tests: JavaTests) -> Records:
    """Give what went wrong between two values of the list to the one that was next; the others did not run."""
    known = {f"#{number}" for number in range(len(tests.sites))}
    told.started = [key if key in known or not key.startswith("#") else "main" for key in told.started]
    main = told.results.get("main")
    left = [f"#{number}" for number in range(len(tests.sites)) if f"#{number}" not in told.results]
    if main and main.outcome is CaseOutcome.ERROR and left:
        del told.results["main"]
        told.results[left[0]] = main
        for key in left[1:]:
            told.results[key] = CaseResult(key, CaseOutcome.NOT_RUN, message="not run: the run ended before")
    return told


def _with_places(told: Records, titles: Mapping[str, str]) -> Records:
    for key, case in told.results.items():
        if at := _PLACE.search(case.message):
            words = case.message[: at.start()] + _where(at["file"], at["line"], titles)
            told.results[key] = replace(case, message=words)
    return told


def _where(file: str, line: str, titles: Mapping[str, str]) -> str:
    name = file.rpartition("/")[2]
    return f" (line {line} of {titles.get(file) or titles.get(name) or name})"


def _not_compiled(words: str, titles: Mapping[str, str], outcome: Outcome) -> tuple[TestRun, str]:
    first = _ERROR.search(words)
    message = words.strip() or "the compiler gave no reason"
    if first:
        message = first["words"] + (_where(first["file"], first["line"], titles) if first["file"] else "")
    missing = dict.fromkeys(match["name"] for match in _NO_PACKAGE.finditer(words))
    elsewhere = tuple(name for name in missing if "." in name and not name.startswith(_OWN_PACKAGES))
    found_run = ran(outcome, TestRunStatus.BUILD, (), f"does not compile: {message}")
    return replace(found_run, output="", missing=elsewhere), first["file"] if first else ""


def _run_stdin(machine: _Machine, program: str, cases: list[StdinCase]) -> TestRun:
    files = program_files(program)
    nonce = secrets.token_hex(16)
    order = "\n".join([nonce, *files]).encode()
    step = ("/bin/sh", "-c", 'exec "$@" <order', "sh", *machine.harness("build", "", "product"))
    built = build(
        steps=[step],
        files={**_encoded(files), "order": order},
        readable=readable(machine.java, machine.place),
        limits=replace(BUILD_LIMITS, memory_bytes=machine.limits.memory_bytes),
    )
    told = records.read(built.product, nonce)
    if told.broken:
        titles = dict.fromkeys(files, "the program") if len(files) == 1 else {}
        return _not_compiled(told.broken[1], titles, built.outcome)[0]
    start = built.product.find(b"PK\x03\x04")
    if not built.is_whole or start < 0:
        return not_built(built, "the compiler gave no reason")
    jar = built.product[start:]
    run_of = run_stdin_cases(cases, lambda case: machine.ran(jar, case), explain=_ended)
    return replace(run_of, seconds=run_of.seconds + built.outcome.wall_seconds)


def _ended(outcome: Outcome) -> str:
    """The JVM's own words for an exception that nobody caught."""
    text = outcome.stderr.decode(errors="backslashreplace")
    thrown, at = _THROWN.search(text), _AT.search(text)
    if not thrown:
        return how_it_ended(outcome)
    return clean(thrown["words"]) + (f" (line {at['line']} of {at['file']})" if at else "")


LANGUAGE = Language(
    id="java",
    label="Java",
    pygments_alias="java",
    ending="java",
    grammar=grammar,
    runner=run_tests,
    toolchain=toolchain,
    prepare=prepare,
)
