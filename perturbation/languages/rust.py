"""Rust: building with rustc alone and running tests of libtest and cases of standard input."""

from __future__ import annotations

import re
import secrets
import signal
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import tree_sitter_rust
from tree_sitter import Language as Grammar

from perturbation.languages import building, prepare
from perturbation.languages.base import CaseOutcome, CaseResult, Language, LanguageNotRunnable, TestRun, TestRunStatus
from perturbation.languages.building import PRODUCT, Built
from perturbation.languages.native import Native, run_stdin_cases
from perturbation.languages.rust_compiler import HOW_TO, Compiler, compiler, linking, toolchain
from perturbation.languages.rust_crates import prepare_crates, prepared_crates
from perturbation.languages.rust_messages import first_error, missing_crates, read_libtest
from perturbation.languages.rust_sources import LIBRARY, Sources, arranged, script
from perturbation.languages.verdict import clean, counted, how_it_ended, nothing_ran, ran, status_of_end
from perturbation.sandbox import FileNameRefused, Limits, Outcome, SandboxBroken, SandboxUnavailable

RUST_LIMITS = Limits(wall_seconds=30.0, cpu_seconds=6)
_HARNESS = Path(__file__).parent / "harness" / "rust_main.c"
_ENVIRONMENT = {"RUST_BACKTRACE": "0", "MALLOC_PERTURB_": "165"}
_ARGUMENTS = ("--include-ignored", "--test-threads=1", "--color=never")
_FLAGS = ("--error-format=short", "--cap-lints=allow", "-Cdebuginfo=0")
_WRAPPER = "axiom_main.o"
_NO_MEMORY = re.compile(rb"^memory allocation of \d+ bytes failed$", re.MULTILINE)


def run_tests(
    *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
) -> TestRun:
    """Build the program with its tests and run them, each `#[test]` a case (ignored ones too), or `stdin` cases.

    Never raises for what program or tests do; UNAVAILABLE where no sandbox can run them.
    """
    try:
        if kind == "stdin":
            return _run_stdin(script(program), tests, limits or RUST_LIMITS)
        if kind == "code":
            return _run_code(arranged(program=program, tests=tests), limits or RUST_LIMITS)
    except SandboxUnavailable as error:
        return nothing_ran(TestRunStatus.UNAVAILABLE, str(error))
    except FileNameRefused as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    return nothing_ran(TestRunStatus.ERROR, f"tests of kind {kind!r} cannot be run on Rust programs")


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_rust.language())


def prepare_folder(folder: Path) -> str:
    """Build the crates that programs use, and the harness."""
    # Where no sandbox runs yet, as when an image is built, the first run compiles it.
    with suppress(SandboxUnavailable, SandboxBroken, LanguageNotRunnable):
        _wrapper()
    return prepare_crates(folder / "crates", compiler=_compiler().path, version=toolchain().version)


def _run_stdin(sources: Sources, tests: str, limits: Limits) -> TestRun:
    flags = ("--crate-type=bin", "-Copt-level=1", "-Coverflow-checks=on", *linking())
    built = _build(sources, [_rustc(sources, sources.tests[0], *flags, "-o", PRODUCT)])
    if not built.is_whole:
        return _refused(built, sources)
    native = Native(built.product, _ENVIRONMENT)
    return run_stdin_cases(native, tests=tests, limits=limits, build_seconds=built.outcome.wall_seconds)


def _run_code(sources: Sources, limits: Limits) -> TestRun:
    """One run for each test program; the first that cannot be built or does not end decides."""
    if sources.has_no_main:
        return nothing_ran(TestRunStatus.BUILD, "no_main would keep the tests from running")
    runs: list[TestRun] = []
    for root in sources.tests:
        built = _build(sources, _steps(sources, root), {_WRAPPER: _wrapper()})
        runs.append(_judged(sources, built, limits) if built.is_whole else _refused(built, sources))
        if runs[-1].status not in (TestRunStatus.PASSED, TestRunStatus.FAILED, TestRunStatus.ERROR):
            break
    return _joined(runs, sources)


def _joined(runs: list[TestRun], sources: Sources) -> TestRun:
    if len(runs) == 1:
        return runs[0]
    if not runs:
        return nothing_ran(TestRunStatus.ERROR, "the tests hold no Rust file")
    cases = tuple(
        replace(case, name=f"{root}: {case.name}")
        for root, run in zip(sources.tests, runs, strict=False)
        for case in run.cases
    )
    seconds, output = sum(run.seconds for run in runs), "".join(run.output for run in runs)
    worst = next((run for run in reversed(runs) if run.status is not TestRunStatus.PASSED), runs[-1])
    if worst.status in (TestRunStatus.FAILED, TestRunStatus.ERROR) and cases:
        worst = replace(worst, message=counted(cases)[1] or worst.message)
    return replace(worst, cases=cases, seconds=seconds, output=output)


def _judged(sources: Sources, built: Built, limits: Limits) -> TestRun:
    nonce = secrets.token_hex(16)
    native = Native(built.product, _ENVIRONMENT)
    outcome = native.run(limits=limits, arguments=_ARGUMENTS, stdin=nonce.encode())
    told = read_libtest(
        clean(outcome.stdout.decode(errors="backslashreplace")), planned=sources.planned, lines=sources.lines
    )
    is_over = bool(_ended(outcome, nonce)) or (outcome.exit_code == 101 and told.agrees)
    cases = told.cases if is_over else (*told.cases, *_unfinished(told.running, told.cases, sources, outcome))
    status, message = counted(cases) if is_over else _end_of(outcome)
    passed = _ended(outcome, nonce) == "0" and outcome.exit_code == 0 and told.agrees
    if status is TestRunStatus.PASSED and not passed:
        status, message = TestRunStatus.ERROR, "the summary of the tests does not agree with their outcomes"
    return ran(outcome, status, cases, message, build_seconds=built.outcome.wall_seconds)


def _end_of(outcome: Outcome) -> tuple[TestRunStatus, str]:
    if outcome.signal == signal.SIGABRT and _NO_MEMORY.search(outcome.stderr):
        return TestRunStatus.MEMORY, "the program ran out of memory"
    return status_of_end(outcome), how_it_ended(outcome)


def _ended(outcome: Outcome, nonce: str) -> str:
    """What main came back with; nothing where it did not."""
    mark = f"{nonce} end "
    lines = outcome.results.decode(errors="replace").split("\n")
    return next((line.removeprefix(mark) for line in lines if line.startswith(mark)), "")


def _unfinished(
    running: str | None, ended: tuple[CaseResult, ...], sources: Sources, outcome: Outcome
) -> list[CaseResult]:
    """The test that was running, then those of the sources that never ran."""
    timed_out = outcome.killed_by in ("wall_time", "cpu_time")
    found = []
    if running:
        kind = CaseOutcome.TIMEOUT if timed_out else CaseOutcome.ERROR
        found.append(CaseResult(running, kind, message=how_it_ended(outcome)))
    known = {case.name.rpartition("::")[2] for case in (*ended, *found)}
    words = "not run: the run ended before"
    return found + [
        CaseResult(name, CaseOutcome.NOT_RUN, message=words) for name in sources.planned if name not in known
    ]


def _refused(built: Built, sources: Sources) -> TestRun:
    there = prepared_crates(_crates())
    required = [name for name in sources.required if name not in there]
    found = missing_crates(built.messages, sources.texts)
    words = first_error(built.messages, sources.lines)
    return building.not_built(built, words, missing=list(dict.fromkeys([*required, *found])))


def _steps(sources: Sources, root: str) -> list[tuple[str, ...]]:
    linked = (*linking(), f"-Clink-arg={_WRAPPER}", "-Clink-arg=-Wl,--wrap=main", "-o", PRODUCT)
    if not sources.library:
        return [_rustc(sources, root, "--test", *linked)]
    library = ("--crate-type=rlib", f"--crate-name={sources.library}", "-o", f"lib{sources.library}.rlib")
    extern = ("--extern", f"{sources.library}=lib{sources.library}.rlib")
    return [_rustc(sources, LIBRARY, *library), _rustc(sources, root, "--test", *extern, *linked)]


def _rustc(sources: Sources, root: str, *more: str) -> tuple[str, ...]:
    externs = [word for name, file in prepared_crates(_crates()).items() for word in ("--extern", f"{name}={file}")]
    search = ("-L", f"dependency={_crates()}") if externs else ()
    return (str(_compiler().path), root, f"--edition={sources.edition}", *_FLAGS, *search, *externs, *more)


def _build(sources: Sources, steps: list[tuple[str, ...]], objects: dict[str, bytes] | None = None) -> Built:
    crates = (str(_crates()),) if _crates().is_dir() else ()
    return building.build(
        steps=steps,
        files={**sources.files, **(objects or {})},
        readable=(*_compiler().readable, *crates),
    )


def _wrapper() -> bytes:
    """Compiled once; raises LanguageNotRunnable where the compiler cannot even do this."""
    source = _HARNESS.read_bytes()
    folder = prepare.folder("rust") / "objects"
    found = building.kept_object(folder=folder, key=str(source))
    if found is None:
        step = ("gcc", "-O1", "-fPIC", "-c", "axiom_main.c", "-o", PRODUCT)
        built = building.build(steps=[step], files={"axiom_main.c": source})
        if not built.is_whole:
            raise LanguageNotRunnable(f"the Rust harness does not compile: {built.messages[:400]}")
        found = built.product
        building.keep_object(found, folder=folder, key=str(source))
    return found


def _compiler() -> Compiler:
    found = compiler()
    if found is None:
        raise LanguageNotRunnable(HOW_TO)
    return found


def _crates() -> Path:
    return prepare.folder("rust") / "crates"


LANGUAGE = Language(
    id="rust",
    label="Rust",
    pygments_alias="rust",
    ending="rs",
    grammar=grammar,
    runner=run_tests,
    toolchain=toolchain,
    prepare=prepare_folder,
)
