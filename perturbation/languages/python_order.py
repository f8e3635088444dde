"""What the Python harnesses are told to do, and the files they find: pure, runs nothing."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from types import CodeType

from perturbation.files import SourceFile, split
from perturbation.languages.outputs import CallCase
from perturbation.languages.python_tests import PreparedTests, prepare
from perturbation.languages.records import AssertSite

START = "import marshal; exec(marshal.loads(open('harness.bin', 'rb').read()))"
# The first code object is the harness that the second builds on and imports by its full name.
START_ON_BASE = (
    "import marshal, sys, types\n"
    "first, second = marshal.loads(open('harness.bin', 'rb').read())\n"
    "package, name = 'perturbation.languages.harness', 'python_harness'\n"
    "base = types.ModuleType(name)\n"
    "sys.modules[f'{package}.{name}'] = base\n"
    "sys.modules[package] = types.ModuleType(package)\n"
    "setattr(sys.modules[package], name, base)\n"
    "exec(first, base.__dict__)\n"
    "exec(second)\n"
)
_HARNESS = Path(__file__).parent / "harness"
# A value that is right is about as long as the one expected; what is far longer need not be carried.
_ROOM_BESIDE = 1 << 16


@dataclass(frozen=True)
class Order:
    """`start` is the code that python is given, `stdin` the order, `files` all that lies in the work folder.

    `sites` are the asserts and `functions` the test functions, in their order; `texts` are all Python texts, `own` the
    modules that the files bring along.
    """

    start: str
    stdin: bytes
    files: dict[str, bytes]
    sites: tuple[AssertSite, ...]
    functions: tuple[str, ...]
    texts: tuple[str, ...]
    own: tuple[str, ...]


def order_for_code(program: str, tests: str, entry_point: str, *, nonce: str) -> Order:
    """Program and tests in one namespace where neither names a file, else as files that import each other.

    Raises TestsUnreadable.
    """
    sources, checks = split(program), split(tests)
    if any(file.path for file in (*sources, *checks)):
        return _order_for_files(sources, checks, nonce)
    prepared = prepare(tests)
    order = {"nonce": nonce, "program": program, "entry_point": entry_point, **_words(prepared)}
    return Order(
        start=START,
        stdin=marshal.dumps(order),
        files={"harness.bin": _harness(), "solution.py": _encoded(program)},
        sites=prepared.sites,
        functions=prepared.functions,
        texts=(program, tests),
        own=("solution",),
    )


def order_for_calls(
    program: str, cases: Sequence[CallCase], entry_point: str, *, nonce: str, cpu_seconds: int
) -> Order:
    """The program by itself, the arguments of each call, and the CPU time that one call may take."""
    order = {
        "nonce": nonce,
        "program": program,
        "entry_point": entry_point,
        "cases": [list(case.arguments) for case in cases],
        "cpu_seconds": cpu_seconds,
        "room": _ROOM_BESIDE + 2 * max(len(repr(case.output)) for case in cases),
    }
    return Order(
        start=START_ON_BASE,
        stdin=marshal.dumps(order),
        files={"harness.bin": _harness_on_base("python_calls.py"), "solution.py": _encoded(program)},
        sites=(),
        functions=(),
        texts=(program,),
        own=("solution",),
    )


def _order_for_files(sources: tuple[SourceFile, ...], checks: tuple[SourceFile, ...], nonce: str) -> Order:
    sources = tuple(SourceFile(file.path or "solution.py", file.text) for file in sources)
    checks = tuple(SourceFile(file.path or "test_solution.py", file.text) for file in checks)
    files = (*sources, *checks)
    run = _test_files(checks)
    sites: list[AssertSite] = []
    functions: list[str] = []
    tests = []
    for file in run:
        prepared = prepare(file.text, file=file.path, first_site=len(sites))
        prefix = f"{file.path}: " if len(run) > 1 else ""
        sites += [AssertSite(prefix + site.name, site.is_case) for site in prepared.sites]
        functions += [prefix + name for name in prepared.functions]
        tests.append({"path": file.path, "module": _module(file), "prefix": prefix, **_words(prepared)})
    program = {file.path: file.text for file in sources if file.path.endswith(".py")}
    return Order(
        start=START_ON_BASE,
        stdin=marshal.dumps({"nonce": nonce, "program": program, "tests": tests}),
        files={"harness.bin": _harness_on_base("python_files.py")} | {file.path: _encoded(file.text) for file in files},
        sites=tuple(sites),
        functions=tuple(functions),
        texts=tuple(file.text for file in files if file.path.endswith(".py")),
        own=tuple({part for file in files for part in (file.path.split("/")[0], _module(file))}),
    )


def _test_files(checks: tuple[SourceFile, ...]) -> list[SourceFile]:
    """The files that hold tests by their name, all where none does."""
    python = [file for file in checks if file.path.endswith(".py")]
    named = [file for file in python if _module(file).startswith("test_") or _module(file).endswith("_test")]
    return named or python


def _module(file: SourceFile) -> str:
    return PurePosixPath(file.path).stem


def _words(prepared: PreparedTests) -> dict[str, object]:
    return {
        "code": prepared.code,
        "functions": prepared.functions,
        "fixtures": prepared.fixtures,
        "has_classes": prepared.has_classes,
        "plain_classes": prepared.plain_classes,
        "needs_check": prepared.needs_check,
        "can_fail": prepared.can_fail,
    }


def _encoded(text: str) -> bytes:
    return text.encode(errors="backslashreplace")


@lru_cache(maxsize=1)
def _harness() -> bytes:
    """The harness compiled once: compiling it anew in each run would cost as much as the sandbox's set-up."""
    return marshal.dumps(_compiled("python_harness.py"))


@lru_cache(maxsize=4)
def _harness_on_base(name: str) -> bytes:
    return marshal.dumps((_compiled("python_harness.py"), _compiled(name)))


def _compiled(name: str) -> CodeType:
    return compile((_HARNESS / name).read_bytes(), name, "exec", dont_inherit=True)
