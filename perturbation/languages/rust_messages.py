"""Reads rustc's short messages and the output of libtest. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from perturbation.languages.base import CaseOutcome, CaseResult
from perturbation.languages.verdict import clean

PROGRAM = "program.rs"
_LENGTH = 400
_ERROR = re.compile(
    r"^(?:(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: )?error(?:\[E\d+\])?: (?P<words>.*)$", re.MULTILINE
)
_UNKNOWN_CRATE = re.compile(
    r"(?:unresolved import|can't find crate for|undeclared crate or module|unlinked crate|undeclared type) `(\w+)"
)
_USED = re.compile(r"^\s*(?:pub\s+)?(?:use\s+(?:::)?(\w+)|extern\s+crate\s+(\w+))", re.MULTILINE)
_TEST = re.compile(r"#\[(?:\w+::)?test\b[^\]]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)")
_STARTED = re.compile(r"^test (?P<name>[\w:]+)(?: - should panic)? \.\.\. ", re.MULTILINE)
_END = re.compile(r"^(?:failures:|test result: .*)$", re.MULTILINE)
_SUMMARY = re.compile(
    r"^test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<ignored>\d+) ig", re.M
)
_SECTION = re.compile(r"^---- (?P<name>[\w:]+)(?: - should panic)? stdout ----$", re.MULTILINE)
_PANIC = re.compile(
    r"panicked at (?P<file>[^\n']*?):(?P<line>\d+):\d+:\n(?P<words>.*?)(?=\nnote: |\nstack backtrace:|\Z)", re.DOTALL
)
_OLD_PANIC = re.compile(r"panicked at '(?P<words>.*?)', (?P<file>[^:\n]+):(?P<line>\d+):\d+", re.DOTALL)
_SIDES = re.compile(r"\n\s*left: `?(?P<left>.*?)`?,?\n\s*right: `?(?P<right>.*?)`?,?(?::[^\n]*)?\s*\Z", re.DOTALL)
_RETURNED = re.compile(r"^Error: .*$", re.MULTILINE)
_NO_PANIC = re.compile(r"note: (test did not panic as expected|panic did not contain expected string)")


@dataclass(frozen=True, slots=True)
class Lines:
    """Which lines are whose: in a single file the tests begin after line `program`, of several some are theirs."""

    program: int = 0
    test_files: tuple[str, ...] = ()

    def words(self, file: str, line: int) -> str:
        if file != PROGRAM:
            return f"line {line} of {file}"
        return f"line {line} of the program" if line <= self.program else f"line {line - self.program} of the tests"

    def is_of_tests(self, file: str, line: int) -> bool:
        return file in self.test_files or (file == PROGRAM and line > self.program)


@dataclass(frozen=True)
class LibtestOutput:
    """`cases` in the order in which they ran; `running` was started and did not end; `agrees`: the summary was
    printed and counts what the cases say.
    """

    cases: tuple[CaseResult, ...]
    running: str | None
    agrees: bool


def first_error(messages: str, lines: Lines) -> str:
    """The first error that has a place, else the first."""
    found = list(_ERROR.finditer(messages))
    placed = [match for match in found if match["file"] and not match["file"].startswith("/")]
    if not found:
        rest = [line for line in messages.splitlines() if line.strip()]
        return rest[-1][:_LENGTH] if rest else "the compiler gave no message"
    first = (placed or found)[0]
    words = first["words"][:_LENGTH]
    return f"{words} ({lines.words(first['file'], int(first['line']))})" if placed else words


def missing_crates(messages: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Crates that the sources use by name and the compiler did not find."""
    used = {name for text in texts for pair in _USED.findall(text) for name in pair if name}
    return tuple(dict.fromkeys(name for name in _UNKNOWN_CRATE.findall(messages) if name in used))


def used_crates(text: str) -> list[str]:
    """First words of the paths that a source uses, in order."""
    return [name for pair in _USED.findall(text) for name in pair if name]


def planned_tests(text: str) -> list[str]:
    """Names of the test functions in their order."""
    return _TEST.findall(text)


def read_libtest(output: str, *, planned: Iterable[str], lines: Lines) -> LibtestOutput:
    """Read what libtest printed with one thread. Tests that the sources hold count, for a program may print lines that
    look like libtest's; where these alone do not make up the summary, macros make tests too, and every line counts.
    """
    known = set(planned)
    every = list(_STARTED.finditer(output))
    told = _read_started(output, [match for match in every if match["name"].rpartition("::")[2] in known], lines)
    if told.agrees:
        return told
    with_others = _read_started(output, every, lines)
    return with_others if with_others.agrees or not told.cases else told


def _read_started(output: str, started: list[re.Match[str]], lines: Lines) -> LibtestOutput:
    details = _details(output, lines)
    cases: dict[str, CaseResult] = {}
    running = None
    for number, match in enumerate(started):
        until = started[number + 1].start() if number + 1 < len(started) else len(output)
        ending = _END.search(output, match.end(), until)
        name = match["name"]
        outcome = _outcome(output[match.end() : ending.start() if ending else until])
        if outcome is None:
            running = name
        elif outcome is CaseOutcome.FAILED:
            cases[name] = details.get(name) or CaseResult(name, outcome, message="the test failed")
        else:
            cases[name] = CaseResult(name, outcome)
    return LibtestOutput(tuple(cases.values()), running, _agrees(output, cases))


def _outcome(chunk: str) -> CaseOutcome | None:
    """The outcome stands behind whatever the test wrote past libtest's capture."""
    words = chunk.strip()
    if words.endswith("ok"):
        return CaseOutcome.PASSED
    if words.endswith("FAILED"):
        return CaseOutcome.FAILED
    return CaseOutcome.NOT_RUN if words.startswith("ignored") else None


def _agrees(output: str, cases: dict[str, CaseResult]) -> bool:
    summaries = list(_SUMMARY.finditer(output))
    if not summaries:
        return False
    outcomes = [case.outcome for case in cases.values()]
    passed, ignored = outcomes.count(CaseOutcome.PASSED), outcomes.count(CaseOutcome.NOT_RUN)
    told = summaries[-1]
    counts = (passed, len(outcomes) - passed - ignored, ignored)
    return counts == (int(told["passed"]), int(told["failed"]), int(told["ignored"]))


def _details(output: str, lines: Lines) -> dict[str, CaseResult]:
    sections = list(_SECTION.finditer(output))
    found = {}
    for number, match in enumerate(sections):
        until = sections[number + 1].start() if number + 1 < len(sections) else len(output)
        closing = output.find("\n\nfailures:\n", match.end(), until)
        text = output[match.end() : closing if closing >= 0 else until]
        found[match["name"]] = _failure(match["name"], text, lines)
    return found


def _failure(name: str, text: str, lines: Lines) -> CaseResult:
    panic = _PANIC.search(text) or _OLD_PANIC.search(text)
    if other := _NO_PANIC.search(text):
        return CaseResult(name, CaseOutcome.FAILED, message=other[1])
    if panic is None:
        return CaseResult(name, CaseOutcome.ERROR, message=clean(text.strip()[:_LENGTH]) or "the test failed")
    file, line = panic["file"], int(panic["line"])
    if file.startswith("/") and (returned := _RETURNED.search(text)):
        # Older compilers panic in the library itself where a test returns an error.
        return CaseResult(name, CaseOutcome.ERROR, message=clean(returned[0][:_LENGTH]))
    words = panic["words"].strip()
    is_check = words.startswith("assertion") or lines.is_of_tests(file, line)
    sides = _SIDES.search("\n" + words if words.startswith("left") else words)
    place = lines.words(file, line) if not file.startswith("/") else ""
    first = words.partition("\n")[0][:_LENGTH] if sides else words[:_LENGTH]
    return CaseResult(
        name=name,
        outcome=CaseOutcome.FAILED if is_check else CaseOutcome.ERROR,
        expected=clean(sides["right"][:_LENGTH]) if sides else None,
        actual=clean(sides["left"][:_LENGTH]) if sides else None,
        message=clean(f"{first} ({place})" if place else first),
    )
