"""What every language offers and the normal form of a test run. Owns no language's particulars.

Tests come in three kinds. `code`: a text that is compiled or run with the program. `stdin`: JSON
`{"cases": [{"input": str, "output": str, "name"?: str}]}`, each case a run of the program as a script. `calls`: JSON
`{"cases": [{"arguments": [...], "output": ..., "name"?: str}]}`, each case a call of the entry point (a function, or
a method of a class `Solution`). Programs and code tests may be several files: see perturbation/files.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from tree_sitter import Language as Grammar
from tree_sitter import Parser

from perturbation.files import split
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
    """One test case. `expected` and `actual` are representations, where the failing check told them; `input` is what a
    case of standard input read, or the arguments of a call.
    """

    name: str
    outcome: CaseOutcome
    expected: str | None = None
    actual: str | None = None
    message: str = ""
    seconds: float = 0.0
    input: str = ""


class TestRunStatus(StrEnum):
    """PASSED only if at least one case ran, all passed, and the harness reported its end. BUILD: does not compile."""

    __test__ = False  # for pytest: the name starts like a test's

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    BUILD = "build"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    MEMORY = "memory"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class TestRun:
    """All cases of a program in the order of the tests; `message` says in words why the status is not PASSED.

    `output` is what the program printed, cut with a note. `sandbox` names the means it ran in. `inconclusive`: the
    wall clock
    ended it, so the load of the machine may be the reason; run again before deciding. `missing` names the packages,
    crates, headers or modules that the build or an import looked for and did not find on this machine.
    """

    __test__ = False  # for pytest: the name starts like a test's

    status: TestRunStatus
    cases: tuple[CaseResult, ...]
    output: str
    seconds: float
    sandbox: str
    inconclusive: bool
    message: str = ""
    missing: tuple[str, ...] = ()


class LanguageNotRunnable(Exception):
    """Programs of this language cannot be run on this machine; the message says what to install."""


@dataclass(frozen=True)
class Toolchain:
    """What builds and runs a language here. `version` of the compiler or interpreter; `how_to` where it is missing:
    one sentence that names the packages to install.
    """

    is_there: bool
    version: str = ""
    how_to: str = ""


class TestRunner(Protocol):
    """Runs tests on a program text; see python.run_tests."""

    def __call__(
        self, *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
    ) -> TestRun: ...


def no_toolchain() -> Toolchain:
    """The tool chain of a language that has no runner."""
    return Toolchain(is_there=False, how_to="nothing can be installed for it yet")


@dataclass(frozen=True)
class Language:
    """A language by id; `pygments_alias` names its lexer, `comment` starts a line comment, `ending` ends
    the name of a source file, without its point.

    `toolchain` looks for what builds and runs it (cache it: it is asked often). `prepare` builds once, into a folder
    of its own, what every run would otherwise build again (a standard library, crates), and returns one line that
    says what it did; it is called at install and must be safe to call again.
    """

    id: str
    label: str
    pygments_alias: str
    ending: str
    grammar: Callable[[], Grammar]
    comment: str = "//"
    parser: Callable[[str], bool] | None = None
    runner: TestRunner | None = None
    toolchain: Callable[[], Toolchain] = no_toolchain
    prepare: Callable[[Path], str] | None = None

    @property
    def runnable(self) -> bool:
        return self.runner is not None and self.toolchain().is_there

    def parses(self, text: str) -> bool:
        """Whether every file of the text is syntactically right; never raises, whatever the text."""
        return all(self._parses(file.text) for file in split(text))

    def _parses(self, text: str) -> bool:
        return self.parser(text) if self.parser else parses_without_error(self.grammar(), text)

    def run_tests(
        self, *, program: str, tests: str, entry_point: str = "", kind: str = "code", limits: Limits | None = None
    ) -> TestRun:
        """Run the tests on the program in the sandbox.

        Raises LanguageNotRunnable where that cannot be done here, and sandbox.SandboxBroken, which may pass.
        """
        if self.runner is None:
            raise LanguageNotRunnable(f"{self.label} programs cannot be run yet")
        toolchain = self.toolchain()
        if not toolchain.is_there:
            raise LanguageNotRunnable(f"{self.label} programs cannot be run here: {toolchain.how_to}")
        return self.runner(program=program, tests=tests, entry_point=entry_point, kind=kind, limits=limits)


def parses_without_error(grammar: Grammar, text: str) -> bool:
    """Whether the grammar reads the whole text without an error or a missing token."""
    try:
        source = text.encode()
    except UnicodeEncodeError:
        return False
    return not Parser(grammar).parse(source).root_node.has_error
