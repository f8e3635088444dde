"""Reads what package testing reported through the results pipe. Pure; believes nothing without the harness's end line.

Lines of the report begin with the mark of test2json, which nothing that a test logs can stand behind: package testing
indents every logged line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from perturbation.languages.base import CaseOutcome, CaseResult
from perturbation.languages.outputs import shown

_MARK = "\x16"
_ERROR_MARKS = {ord("\x0e"): None, ord("\x0f"): None}  # around what a test reports as an error
_NOW = re.compile(rf"^{_MARK}\s*===\s+(?P<what>RUN|NAME|CONT|PAUSE)\s+(?P<name>\S.*)?$")
_RESULT = re.compile(rf"^{_MARK}\s*--- (?P<what>PASS|FAIL|SKIP): (?P<name>.+) \((?P<seconds>[\d.]+)s\)$")
_OUTCOMES = {"PASS": CaseOutcome.PASSED, "FAIL": CaseOutcome.FAILED, "SKIP": CaseOutcome.NOT_RUN}
_PLACE = re.compile(r"^ +(?P<file>[\w./-]+\.go):(?P<line>\d+): (?P<words>.*)$", re.MULTILINE)
_EXPECTED = re.compile(r"^\s+expected\s*: (.*)$", re.MULTILINE)
_ACTUAL = re.compile(r"^\s+actual\s*: (.*)$", re.MULTILINE)
_ERROR = re.compile(r"^\s+Error:\s+(.*)$", re.MULTILINE)


@dataclass
class _Test:
    name: str
    outcome: CaseOutcome | None = None
    seconds: float = 0.0
    log: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """Cases in the order of the tests; `code` is what package testing ended with, None where it did not end.

    `open` names the tests that began and did not end, the innermost last.
    """

    cases: tuple[CaseResult, ...]
    code: int | None
    open: tuple[str, ...]


def read(results: bytes, *, nonce: str, planned: Iterable[str]) -> Report:
    """Read the report; a planned test that never began is NOT_RUN, one that did not end ERROR without words."""
    tests: dict[str, _Test] = {}
    code: int | None = None
    current: _Test | None = None
    for line in results.decode(errors="backslashreplace").split("\n"):
        if line.startswith(f"{nonce} end "):
            code = int(line.rpartition(" ")[2])
        elif found := _NOW.match(line):
            current = _named(tests, found["name"] or "")
        elif found := _RESULT.match(line):
            current = _named(tests, found["name"])
            current.outcome, current.seconds = _OUTCOMES[found["what"]], float(found["seconds"])
        elif current is not None and not line.startswith(_MARK):
            current.log.append(line.translate(_ERROR_MARKS))
    return Report(
        cases=tuple(_case(test) for name in planned for test in _of(name, tests)),
        code=code,
        open=tuple(name for name, test in tests.items() if test.outcome is None and name),
    )


def _named(tests: dict[str, _Test], name: str) -> _Test:
    return tests.setdefault(name, _Test(name))


def _of(name: str, tests: dict[str, _Test]) -> list[_Test]:
    """The subtests of a test that have none of their own, or the test itself; a failure that none of its subtests
    explains is a case as well.
    """
    found = []
    family = [test for key, test in tests.items() if key == name or key.startswith(f"{name}/")]
    for test in family or [_Test(name, CaseOutcome.NOT_RUN)]:
        inner = [other for other in family if other.name.startswith(f"{test.name}/")]
        is_explained = any(other.outcome in (CaseOutcome.FAILED, None) for other in inner)
        if not inner or (test.outcome in (CaseOutcome.FAILED, None) and not is_explained):
            found.append(test)
    return found


def _case(test: _Test) -> CaseResult:
    log = "\n".join(test.log)
    expected, actual = _EXPECTED.search(log), _ACTUAL.search(log)
    message = ""
    outcome = test.outcome or CaseOutcome.ERROR
    if outcome is CaseOutcome.NOT_RUN:
        message = "skipped" if test.outcome and test.log else "not run: the run ended before"
    elif outcome is CaseOutcome.FAILED:
        message = _message(log)
        if message.startswith("panic: "):
            outcome = CaseOutcome.ERROR
    return CaseResult(
        name=shown(test.name),
        outcome=outcome,
        expected=shown(expected[1]) if expected else None,
        actual=shown(actual[1]) if actual else None,
        message=shown(message),
        seconds=test.seconds,
    )


def _message(log: str) -> str:
    """The first thing that was logged, in one line, with its place; testify logs a table."""
    place, table = _PLACE.search(log), _ERROR.search(log)
    if place is None:
        return next((line.strip() for line in log.split("\n") if line.strip()), "")
    words = place["words"].strip()
    if words.startswith("panic: "):
        return _panic(words)
    if not words and table:
        words = table[1].strip().rstrip(":")
    return f"{words}{place_words(place['file'], place['line'])}".strip()


def _panic(words: str) -> str:
    found = re.search(r" \((?P<file>[\w.-]+\.go):(?P<line>\d+)\)$", words)
    return words[: found.start()] + place_words(found["file"], found["line"]) if found else words


def place_words(file: str, line: str) -> str:
    """Where something is, as a person is told."""
    name = file.rpartition("/")[2]
    known = {"program.go": "the program", "tests.go": "the tests", "tests_test.go": "the tests"}
    return f" (line {line} of {known.get(name, name)})"
