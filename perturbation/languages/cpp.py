"""C++: building with g++ and running tests with asserts, Catch2 tests and cases of standard input."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from perturbation.languages import building, prepare, records
from perturbation.languages.base import Language, LanguageNotRunnable, TestRun, TestRunStatus, Toolchain
from perturbation.languages.building import Built
from perturbation.languages.cpp_messages import first_error, missing_headers
from perturbation.languages.cpp_records import cases_of, verdict_of
from perturbation.languages.cpp_sources import Sources, arranged, script
from perturbation.languages.cpp_tests import grammar
from perturbation.languages.native import Native, run_stdin_cases
from perturbation.languages.verdict import nothing_ran, ran
from perturbation.sandbox import FileNameRefused, Limits, SandboxBroken, SandboxUnavailable

CPP_LIMITS = Limits(wall_seconds=30.0, cpu_seconds=6)
HOW_TO = "install Debian's package g++ (apt-get install g++)"
_HARNESS = Path(__file__).parent / "harness"
_VERSION_WITH_PATTERN = 12
# What a program leaves uninitialised or reads past the end of a container shows itself in every run alike.
_CHECKS = ("-D_GLIBCXX_ASSERTIONS",)
_PATTERN = "-ftrivial-auto-var-init=pattern"
_ENVIRONMENT = {"MALLOC_PERTURB_": "165"}


def run_tests(
    *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
) -> TestRun:
    """Build the program with its tests and run them: asserts (each a case), Catch2 cases, or `stdin` cases.

    Never raises for what program or tests do; UNAVAILABLE where no sandbox can run them.
    """
    try:
        if kind == "stdin":
            return _run_stdin(program, tests, limits or CPP_LIMITS)
        if kind == "code":
            return _run_code(arranged(program=program, tests=tests), limits or CPP_LIMITS)
    except SandboxUnavailable as error:
        return nothing_ran(TestRunStatus.UNAVAILABLE, str(error))
    except FileNameRefused as error:
        return nothing_ran(TestRunStatus.ERROR, str(error))
    return nothing_ran(TestRunStatus.ERROR, f"tests of kind {kind!r} cannot be run on C++ programs")


@lru_cache(maxsize=1)
def toolchain() -> Toolchain:
    """g++ as it lies in the path of the application."""
    compiler = shutil.which("g++")
    if compiler is None:
        return Toolchain(is_there=False, how_to=HOW_TO)
    found = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True, check=False)
    if found.returncode:
        return Toolchain(is_there=False, how_to=HOW_TO)
    return Toolchain(is_there=True, version=f"g++ {found.stdout.strip()}")


def prepare_folder(folder: Path) -> str:
    """Precompile <bits/stdc++.h>, which takes longer to read than most programs to build, and the harness."""
    target = folder / "include" / "bits" / "stdc++.h.gch"
    stamp = folder / "version"
    told = f"{toolchain().version} {' '.join(_flags())}"
    # Where no sandbox runs yet, as when an image is built, the first run compiles it.
    with suppress(SandboxUnavailable, SandboxBroken, LanguageNotRunnable):
        _harness_object()
    if target.exists() and stamp.exists() and stamp.read_text() == told:
        return "already prepared"
    target.parent.mkdir(parents=True, exist_ok=True)
    header, half = target.with_suffix(""), target.with_suffix(f".{os.getpid()}")
    # Where the compiler finds the precompiled form unfit, it reads this and goes on to its own.
    header.write_text("#include_next <bits/stdc++.h>\n")
    command = [_compiler(), *_flags(), "-x", "c++-header", str(header), "-o", str(half)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        return f"bits/stdc++.h is not precompiled: {first_error(made.stderr)}"
    half.replace(target)
    stamp.write_text(told)
    return "precompiled bits/stdc++.h"


def _run_stdin(program: str, tests: str, limits: Limits) -> TestRun:
    built = _build(script(program))
    if not built.is_whole:
        return _refused(built)
    native = Native(built.product, _ENVIRONMENT)
    return run_stdin_cases(native, tests=tests, limits=limits, build_seconds=built.outcome.wall_seconds)


def _run_code(sources: Sources, limits: Limits) -> TestRun:
    objects = {"axiom/harness.o": _harness_object()}
    if sources.catch_main:
        main = _catch_main(sources)
        if isinstance(main, Built):
            return _refused(main)
        objects["axiom/catch.o"] = main
    built = _build(sources, objects)
    if not built.is_whole and "axiom::" in built.messages:
        # An expression that cannot be taken apart: compile it as it stands, or get the plain message.
        built = _build(sources, objects, "-DAXIOM_PLAIN")
    if not built.is_whole:
        return _refused(built)
    return _judged(sources, built, limits)


def _judged(sources: Sources, built: Built, limits: Limits) -> TestRun:
    nonce = secrets.token_hex(16)
    outcome = Native(built.product, _ENVIRONMENT).run(limits=limits, stdin=nonce.encode())
    told = records.read(outcome.results, nonce)
    cases = cases_of(told, titles=sources.titles, sure=sources.sure, outcome=outcome)
    status, message = verdict_of(told, cases, outcome)
    return ran(outcome, status, cases, message, build_seconds=built.outcome.wall_seconds)


def _refused(built: Built) -> TestRun:
    return building.not_built(built, first_error(built.messages), missing=missing_headers(built.messages))


@lru_cache(maxsize=1)
def _compiler() -> str:
    return str(Path(shutil.which("g++") or "g++").absolute())


@lru_cache(maxsize=1)
def _flags() -> tuple[str, ...]:
    major = int(toolchain().version.removeprefix("g++ ").partition(".")[0] or 0)
    pattern = (_PATTERN,) if major >= _VERSION_WITH_PATTERN else ()
    return ("-std=gnu++17", "-O1", "-w", "-fmax-errors=5", "-pthread", *_CHECKS, *pattern)


@lru_cache(maxsize=1)
def _linking() -> tuple[str, ...]:
    return ("-s", "-fuse-ld=gold") if shutil.which("ld.gold") else ("-s",)


def _build(sources: Sources, objects: dict[str, bytes] | None = None, *more: str) -> Built:
    objects = objects or {}
    folder = prepare.folder("cpp") / "include"
    precompiled = ("-I", str(folder)) if folder.is_dir() else ()
    wrapped = ("-Wl,--wrap=main",) if objects else ()
    options = (*_flags(), "-Iaxiom", "-I.", *precompiled, *sources.defines, *more)
    # The harness first: what stands before all constructors runs in the order of the objects.
    command = (_compiler(), *options, *objects, *sources.compiled, *_linking(), *wrapped, *sources.libraries)
    return building.build(
        steps=[(*command, "-o", building.PRODUCT)],
        files={**sources.files, **_headers(), **objects},
        readable=tuple(precompiled[1:]),
    )


@lru_cache(maxsize=1)
def _headers() -> dict[str, bytes]:
    names = {"cpp_cases.hpp": "axiom_cases.hpp", "cpp_assert.h": "assert.h", "cpp_catch.hpp": "axiom_catch.hpp"}
    return {f"axiom/{name}": (_HARNESS / source).read_bytes() for source, name in names.items()}


def _harness_object() -> bytes:
    """Compiled once; raises LanguageNotRunnable where the compiler cannot even do this."""
    source = (_HARNESS / "cpp_harness.cpp").read_bytes()
    built = _object("harness.cpp", {"harness.cpp": source, **_headers()}, key=str(source))
    if isinstance(built, Built):
        raise LanguageNotRunnable(f"the C++ harness does not compile: {first_error(built.messages)}")
    return built


def _catch_main(sources: Sources) -> bytes | Built:
    """Catch's own main, which takes several seconds to compile and is the same for all exercises."""
    name = sources.catch_main
    with_listener = sources.files[name] + b"\n#include <axiom_catch.hpp>\n"
    files = {path: content for path, content in sources.files.items() if path.endswith((".h", ".hpp"))}
    used = {path: content for path, content in files.items() if path.rpartition("/")[2] == "catch.hpp"}
    key = f"{with_listener!r}{used!r}"
    return _object(name, {**used, name: with_listener, **_headers()}, "-O0", key=key)


def _object(name: str, files: dict[str, bytes], *more: str, key: str) -> bytes | Built:
    folder = prepare.folder("cpp") / "objects"
    whole_key = f"{toolchain().version}|{_flags()}|{key}|{_headers()}"
    found = building.kept_object(folder=folder, key=whole_key)
    if found is None:
        command = (_compiler(), *_flags(), *more, "-Iaxiom", "-I.", "-c", name, "-o", building.PRODUCT)
        built = building.build(steps=[command], files=files)
        if not built.is_whole:
            return built
        found = built.product
        building.keep_object(found, folder=folder, key=whole_key)
    return found


LANGUAGE = Language(
    id="cpp",
    label="C++",
    pygments_alias="cpp",
    ending="cpp",
    grammar=grammar,
    runner=run_tests,
    toolchain=toolchain,
    prepare=prepare_folder,
)
