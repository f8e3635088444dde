"""What the JavaScript harness is told to do, and the files it finds: pure, runs nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from perturbation.files import SourceFile, split
from perturbation.languages.javascript_tests import REPORT, prepare, text_is_module
from perturbation.languages.outputs import CallCase
from perturbation.languages.records import AssertSite

HARNESS_FOLDER = ".axiom"
_HARNESS = Path(__file__).parent / "harness"
_TEST_FILE = re.compile(r"(?:^|[._-])(?:spec|test)\.[cm]?js$")


@dataclass(frozen=True)
class Order:
    """`stdin` is the order as JSON, `files` all that lies in the work folder, `sites` the asserts in their order."""

    nonce: str
    stdin: bytes
    files: dict[str, bytes]
    sites: tuple[AssertSite, ...] = ()


def order_for_code(program: str, tests: str, *, nonce: str) -> Order:
    """Program and tests as one script where neither names a file, else as files that import each other."""
    sources, checks = split(program), split(tests)
    if not any(file.path for file in (*sources, *checks)):
        return _order_for_script(program, tests, nonce)
    sources = tuple(SourceFile(file.path or "solution.js", file.text) for file in sources)
    checks = tuple(SourceFile(file.path or "solution.spec.js", file.text) for file in checks)
    is_module = any(text_is_module(file.text) for file in (*sources, *checks))
    sites: list[AssertSite] = []
    ready: dict[str, str] = {}
    for file in checks:
        prepared = prepare(file.text, first_site=len(sites)) if file.path.endswith("js") else None
        ready[file.path] = prepared.code if prepared else file.text
        sites += prepared.sites if prepared else ()
    names = [name for name in ready if _TEST_FILE.search(PurePosixPath(name).name)]
    words = {
        "program": {file.path: file.text for file in sources if file.path.endswith("js")},
        "run": names or [name for name in ready if name.endswith("js")],
        "isModule": is_module,
        "canFail": False,
    }
    files = {file.path: file.text for file in sources} | ready
    return _order(words, nonce, files=files, tests=ready, sites=tuple(sites))


def order_for_calls(program: str, cases: Sequence[CallCase], entry_point: str, *, nonce: str) -> Order:
    """The program by itself, and the arguments of each call."""
    files = split(program)
    is_module = text_is_module(files[0].text)
    named = {file.path or ("solution.mjs" if is_module else "solution.js"): file.text for file in files}
    words = {
        "program": dict([next(iter(named.items()))]),
        "isModule": is_module,
        "calls": {"name": entry_point, "cases": [case.arguments for case in cases]},
    }
    return _order(words, nonce, files=named, tests={}, sites=())


def _order_for_script(program: str, tests: str, nonce: str) -> Order:
    prepared = prepare(tests)
    is_module = prepared.is_module or text_is_module(program)
    name = "solution.mjs" if is_module else "solution.js"
    head = program if program.endswith("\n") else program + "\n"
    # The call between them says that the program itself ran to its end; it takes no line of its own.
    whole = f"{head};{REPORT}(-1);{prepared.code}"
    words = {
        "program": {name: program},
        "run": [name],
        "isModule": is_module,
        "canFail": prepared.can_fail,
        "single": {"name": name, "lines": head.count("\n")},
    }
    return _order(words, nonce, files={name: whole}, tests={name: whole}, sites=prepared.sites)


def _order(
    words: dict[str, object], nonce: str, *, files: dict[str, str], tests: dict[str, str], sites: tuple[AssertSite, ...]
) -> Order:
    # A name that the program cannot know beforehand: a pass reported by itself must not count.
    report = f"axiom_{nonce[:12]}"
    named = {name: text.replace(REPORT, report) for name, text in tests.items()}
    order = {**words, "nonce": nonce, "report": report, "tests": named}
    kind = "module" if words.get("isModule") else "commonjs"
    written = {**files, **named, "package.json": json.dumps({"type": kind})}
    return Order(
        nonce=nonce,
        stdin=json.dumps(order).encode(),
        files={**_harness(), **{name: text.encode(errors="backslashreplace") for name, text in written.items()}},
        sites=sites,
    )


@lru_cache(maxsize=1)
def _harness() -> dict[str, bytes]:
    names = ("javascript_harness.cjs", "javascript_expect.cjs", "javascript_suites.cjs")
    return {f"{HARNESS_FOLDER}/{name}": (_HARNESS / name).read_bytes() for name in names}
