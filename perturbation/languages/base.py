"""What every language offers and the normal form of a test run. Owns no language's particulars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tree_sitter import Language as Grammar
from tree_sitter import Parser

from perturbation.sandbox import Limits


class CaseOutcome(StrEnum):
    """What became of one test case."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class CaseResult:
    """One test case. `expected` and `actual` are representations, where the failing check told them."""

    name: str
    outcome: CaseOutcome
    expected: str | None = None
    actual: str | None = None
    message: str = ""
    seconds: float = 0.0


class TestRunStatus(StrEnum):
    """PASSED only if at least one case ran, all passed, and the harness reported its end."""

    __test__ = False  # for pytest: the name starts like a test's

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    MEMORY = "memory"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class TestRun:
    """All cases of a program in the order of the tests; `message` says in words why the status is not PASSED.

    `output` is what the program printed, cut with a note. `sandbox` names the means it ran in. `inconclusive`: the
    wall clock
    ended it, so the load of the machine may be the reason; run again before deciding.
    """

    __test__ = False  # for pytest: the name starts like a test's

    status: TestRunStatus
    cases: tuple[CaseResult, ...]
    output: str
    seconds: float
    sandbox: str
    inconclusive: bool
    message: str = ""


class LanguageNotRunnable(Exception):
    """Programs of this language cannot be run yet."""


class TestRunner(Protocol):
    """Runs tests on a program text in one sandbox run; see python.run_tests."""

    def __call__(self, *, program: str, tests: str, entry_point: str = "", limits: Limits | None = None) -> TestRun: ...


@dataclass(frozen=True)
class Language:
    """A language by id; `pygments_alias` names its lexer. `runnable` is False where there is no runner yet."""

    id: str
    label: str
    pygments_alias: str
    grammar: Callable[[], Grammar]
    parser: Callable[[str], bool] | None = None
    runner: TestRunner | None = None

    @property
    def runnable(self) -> bool:
        return self.runner is not None

    def parses(self, text: str) -> bool:
        """Whether the text is syntactically right; never raises, whatever the text."""
        return self.parser(text) if self.parser else parses_without_error(self.grammar(), text)

    def run_tests(self, *, program: str, tests: str, entry_point: str = "", limits: Limits | None = None) -> TestRun:
        """Run the tests on the program in the sandbox; raises LanguageNotRunnable where there is no runner."""
        if self.runner is None:
            raise LanguageNotRunnable(f"{self.label} programs cannot be run yet")
        return self.runner(program=program, tests=tests, entry_point=entry_point, limits=limits)


def parses_without_error(grammar: Grammar, text: str) -> bool:
    """Whether the grammar reads the whole text without an error or a missing token."""
    try:
        source = text.encode()
    except UnicodeEncodeError:
        return False
    return not Parser(grammar).parse(source).root_node.has_error
