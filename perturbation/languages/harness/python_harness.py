"""Runs inside the sandbox: loads the program, runs prepared tests on it, reports each case through the results pipe.

Standard library only, and as little of it as possible: every import is paid in every run. What it uses is bound
before the program
runs. It shares a process with hostile text, so the reader trusts only lines that carry the nonce, and only with an
end line.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from _json import encode_basestring_ascii as _quoted
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PASSED, FAILED, ERROR, NOT_RUN = "passed", "failed", "error", "not_run"
LENGTH = 500
_leave, _times = os._exit, os.times
PROGRAM, TESTS = "solution.py", "tests.py"
# What a report calls the files that a traceback names.
PROGRAM_PLACES, TESTS_PLACES = {PROGRAM: "the program"}, {TESTS: "the tests"}


class Reporter:
    """Writes records; the tests' rewritten asserts call begin, passed, failed and errored."""

    def __init__(self, fd: int, nonce: str) -> None:
        self._fd, self._nonce, self._pid = fd, nonce, os.getpid()
        self._write, self._getpid = os.write, os.getpid
        self._known: dict[int, str] = {}
        self._started: dict[int, float] = {}
        self._detail: tuple[BaseException | None, str | None, str | None] = (None, None, None)
        self._clock = time.perf_counter
        self.in_case = False
        self.counted = 0
        # Stands before the names of cases, where several files hold tests.
        self.prefix = ""

    def record(self, *words: str | float | None) -> None:
        """One line; nothing in a process that the program forked off."""
        if self._getpid() != self._pid:
            return
        parts = ["null" if w is None else _quoted(w) if isinstance(w, str) else repr(float(w)) for w in words]
        rest = memoryview(f"\n{self._nonce} [{', '.join(parts)}]\n".encode())
        while rest:
            rest = rest[self._write(self._fd, rest) :]

    def case(
        self, key: str, outcome: str, seconds: float, error: BaseException | None = None, message: str = ""
    ) -> None:
        expected, actual = self.detail_of(error)
        if error is not None and not message:
            message = described(error)
        self.counted += 1
        self.record(
            "case", key if key.startswith("#") else self.prefix + key, outcome, expected, actual, message, seconds
        )
        if isinstance(error, MemoryError):
            self.record("memory")

    def detail_of(self, error: BaseException | None) -> tuple[str | None, str | None]:
        known, expected, actual = self._detail
        return (expected, actual) if error is not None and error is known else (None, None)

    def explain(self, error: BaseException, *, expected: str | None, actual: str | None) -> None:
        self._detail = (error, expected, actual)

    def begin(self, site: int) -> None:
        if not self.in_case:
            if site not in self._known:
                self._known[site] = ""
                self.record("start", f"#{site}")
            self._started[site] = self._clock()

    def passed(self, site: int) -> None:
        if not self.in_case and not self._known[site]:
            self._known[site] = PASSED
            self.case(f"#{site}", PASSED, self._seconds(site))

    def failed(self, site: int, catching: bool, pair: tuple[object, ...], words: object) -> None:  # noqa: FBT001  called by code
        actual = represented(pair[0]) if pair else None
        expected = represented(pair[1]) if len(pair) == 2 else None
        error = AssertionError(words) if words != "" else AssertionError()
        self.explain(error, expected=expected, actual=actual)
        if self.in_case or catching:
            raise error
        self._settle(site, FAILED, error, "" if words == "" else str(words)[:LENGTH])

    def errored(self, site: int, catching: bool, error: BaseException) -> bool:  # noqa: FBT001  called by code
        """Whether the error goes on."""
        if self.in_case or catching:
            return True
        self._settle(site, FAILED if isinstance(error, AssertionError) else ERROR, error, described(error))
        return False

    def _settle(self, site: int, outcome: str, error: BaseException, message: str) -> None:
        """The first iteration that does not pass decides."""
        if self._known.get(site) in ("", PASSED):
            self._known[site] = outcome
            self.case(f"#{site}", outcome, self._seconds(site), error, message or "the assertion does not hold")

    def _seconds(self, site: int) -> float:
        return self._clock() - self._started.get(site, self._clock())


def represented(value: object) -> str:
    """repr that survives hostile and huge values, cut."""
    try:
        kind = type(value)
        if kind in (str, bytes, list, tuple) and len(value) > LENGTH:  # type: ignore[arg-type]
            value = value[:LENGTH]  # type: ignore[index]
        text = repr(value)
        return text if len(text) <= LENGTH else text[: LENGTH - 1] + "…"
    except BaseException as error:
        return f"<no representation: {type(error).__name__}>"


def described(error: BaseException) -> str:
    """Type, words and the last line of the program or the tests that was reached."""
    if isinstance(error, SystemExit):
        return f"the program called sys.exit({represented(error.code)}){_place(error.__traceback__)}"
    try:
        words = str(error)[:LENGTH]
    except BaseException:
        words = "<no words>"
    name = type(error).__name__
    return (f"{name}: {words}" if words else name) + _place(error.__traceback__)


def _place(trace: TracebackType | None) -> str:
    program, tests = "", ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name in PROGRAM_PLACES:
            program = f" (line {trace.tb_lineno} of {PROGRAM_PLACES[name]})"
        elif name in TESTS_PLACES:
            tests = f" (line {trace.tb_lineno} of {TESTS_PLACES[name]})"
        trace = trace.tb_next
    return program or tests


def run_case(reporter: Reporter, name: str, function: Callable[[], object]) -> None:
    """One function as one case."""
    reporter.record("start", reporter.prefix + name)
    started = time.perf_counter()
    reporter.in_case = True
    try:
        function()
    except BaseException as error:
        outcome = FAILED if isinstance(error, AssertionError) else ERROR
        reporter.case(name, outcome, time.perf_counter() - started, error)
    else:
        reporter.case(name, PASSED, time.perf_counter() - started)
    finally:
        reporter.in_case = False


def run_script(reporter: Reporter, name: str, function: Callable[[], object]) -> bool:
    """Code whose asserts are the cases; whatever else goes wrong in it is a case under this name."""
    started = time.perf_counter()
    try:
        function()
    except BaseException as error:
        outcome = FAILED if isinstance(error, AssertionError) else ERROR
        reporter.case(name, outcome, time.perf_counter() - started, error)
        return False
    return True


def load_program(text: str) -> ModuleType:
    """The program as the importable module `solution`; raises what it raises."""
    module = ModuleType("solution")
    module.__file__ = os.path.abspath(PROGRAM)  # noqa: PTH100  pathlib costs start-up time here
    sys.modules["solution"] = module
    exec(compile(text, PROGRAM, "exec", dont_inherit=True), module.__dict__)
    return module


def framework() -> list[tuple[type, dict[str, Any]]]:
    """What unittest's classes are made of before the program runs, which may have replaced their methods."""
    import unittest

    kinds = (unittest.TestCase, unittest.TestSuite, unittest.TestLoader, unittest.TestResult)
    return [(kind, {k: v for k, v in vars(kind).items() if callable(v) or k == "run"}) for kind in kinds]


def own_classes(namespace: dict[str, Any], before: dict[str, Any]) -> list[Any]:
    """Classes that the tests, not the program, defined."""
    return [
        value
        for name, value in namespace.items()
        if isinstance(value, type)
        if before.get(name) is not value and value.__module__ == namespace["__name__"]
    ]


def run_plain_class(reporter: Reporter, kind: Any) -> None:
    """A class of pytest's form: each test method as a case, on an object of its own."""

    def run(method: str) -> None:
        one = kind()
        if hasattr(one, "setup_method"):
            one.setup_method()
        try:
            getattr(one, method)()
        finally:
            if hasattr(one, "teardown_method"):
                one.teardown_method()

    for name in [name for name in vars(kind) if name.startswith("test") and callable(getattr(kind, name))]:
        run_case(reporter, f"{kind.__name__}.{name}", lambda name=name: run(name))


def run_classes(reporter: Reporter, classes: list[Any]) -> None:  # noqa: C901  one class with a short method per outcome
    """Each method of each TestCase class as a case, with the classes' own set-up and tear-down."""
    import unittest

    class Result(unittest.TestResult):
        def startTest(self, test: unittest.TestCase) -> None:
            super().startTest(test)
            self.began, self.settled = time.perf_counter(), False
            reporter.record("start", reporter.prefix + name_of(test))

        def settle(self, test: Any, outcome: str, error: BaseException | None = None, message: str = "") -> None:
            if not getattr(self, "settled", False) or test is None:
                self.settled = True
                began = getattr(self, "began", time.perf_counter())
                reporter.case(name_of(test), outcome, time.perf_counter() - began, error, message)

        def addSuccess(self, test: Any) -> None:
            self.settle(test, PASSED)

        def addFailure(self, test: Any, err: Any) -> None:
            self.settle(test, FAILED, err[1])

        def addError(self, test: Any, err: Any) -> None:
            if not isinstance(test, unittest.TestCase):
                self.settled = False
            self.settle(test, ERROR, err[1])

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
            if err is not None:
                self.settle(test, FAILED if issubclass(err[0], AssertionError) else ERROR, err[1])

        def addSkip(self, test: Any, reason: str) -> None:
            self.settle(test, NOT_RUN, message=f"skipped: {reason}")

        def addExpectedFailure(self, test: Any, err: Any) -> None:
            self.settle(test, PASSED)

        def addUnexpectedSuccess(self, test: Any) -> None:
            self.settle(test, FAILED, message="passed although the tests expect a failure")

    def name_of(test: Any) -> str:
        if isinstance(test, unittest.TestCase):
            return f"{type(test).__name__}.{test._testMethodName}"
        return str(getattr(test, "description", test))

    explain_assertions(reporter, unittest.TestCase)
    loader = unittest.TestLoader()
    suites = [(kind, loader.loadTestsFromTestCase(kind)) for kind in classes]
    for kind, _ in suites:
        for method in loader.getTestCaseNames(kind):
            reporter.record("plan", f"{reporter.prefix}{kind.__name__}.{method}")
    reporter.in_case = True
    for _, suite in suites:
        suite.run(Result())
    reporter.in_case = False


def explain_assertions(reporter: Reporter, kind: Any) -> None:
    """Make the comparing assertions of TestCase tell both values: the first is the actual one by convention."""
    names = "Equal AlmostEqual Is ListEqual DictEqual TupleEqual SetEqual SequenceEqual CountEqual MultiLineEqual"
    for name in names.split():
        setattr(kind, f"assert{name}", _explaining(reporter, getattr(kind, f"assert{name}")))


def _explaining(reporter: Reporter, original: Callable[..., None]) -> Callable[..., None]:
    def compare(self: Any, first: object, second: object, *rest: Any, **named: Any) -> None:
        try:
            original(self, first, second, *rest, **named)
        except AssertionError as error:
            reporter.explain(error, expected=represented(second), actual=represented(first))
            raise

    return compare


def load_or_tell(reporter: Reporter, program: str) -> ModuleType | None:
    """The loaded program; None, and a record that says why, where it cannot be loaded."""
    try:
        return load_program(program)
    except BaseException as error:
        syntax = isinstance(error, SyntaxError | ValueError) and error.__traceback__ is not None
        stage = "syntax" if syntax and _is_compiling(error.__traceback__) else "import"
        words = _syntax_words(error) if stage == "syntax" and isinstance(error, SyntaxError) else described(error)
        reporter.record("broken", stage, words)
        if isinstance(error, MemoryError):
            reporter.record("memory")
        return None


def run_all(reporter: Reporter, order: dict[str, Any]) -> None:
    # The program finds no harness under a name that it knows.
    harness, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    kept = framework() if order["has_classes"] else []
    module = load_or_tell(reporter, order["program"])
    sys.modules["__main__"] = harness
    for kind, members in kept:
        for name, value in members.items():
            setattr(kind, name, value)
    if module is not None:
        run_tests_in(reporter, module.__dict__, order)


def run_tests_in(
    reporter: Reporter, namespace: dict[str, Any], order: dict[str, Any], *, script: str = "tests"
) -> None:
    """Run prepared tests in a module's namespace; `script` names the case of what stands outside of all others."""
    before, counted = dict(namespace), reporter.counted
    namespace["__axiom__"] = reporter
    code: CodeType = marshal.loads(order["code"])  # noqa: S302  made by our own reader of the tests
    if order["has_classes"]:
        import unittest

        # A script's own unittest.main() would run the tests unseen and leave.
        unittest.main = lambda *_, **__: None  # type: ignore[assignment,misc]
    went_through = run_script(reporter, script, lambda: exec(code, namespace))
    if order["has_classes"]:
        run_classes(reporter, [kind for kind in own_classes(namespace, before) if issubclass(kind, unittest.TestCase)])
    for kind in own_classes(namespace, before) if order["plain_classes"] else ():
        if kind.__name__ in order["plain_classes"]:
            run_plain_class(reporter, kind)
    for name in order["functions"]:
        if callable(namespace.get(name)):
            run_case(reporter, name, namespace[name])
    for name in order["fixtures"]:
        reporter.case(name, NOT_RUN, 0.0, message="the test function needs arguments; only functions without are run")
    if order["needs_check"] and went_through:
        went_through = _check(reporter, namespace, order["entry_point"])
    if went_through and reporter.counted == counted and order["can_fail"]:
        reporter.case(script, PASSED, 0.0)


def _syntax_words(error: SyntaxError) -> str:
    return str(error.msg) + (f" (line {error.lineno})" if error.lineno else "")


def _check(reporter: Reporter, namespace: dict[str, Any], entry_point: str) -> bool:
    candidate = namespace.get(entry_point)
    if candidate is None:
        named = (
            f"the program defines no {entry_point!r}" if entry_point else "the tests need the name of the entry point"
        )
        reporter.case("check", ERROR, 0.0, message=named)
        return False
    return run_script(reporter, "check", lambda: namespace["check"](candidate))


def _is_compiling(trace: TracebackType | None) -> bool:
    """Whether the error came from reading the program, before a line of it ran."""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == PROGRAM:
            return False
        trace = trace.tb_next
    return True


def finish(reporter: Reporter) -> NoReturn:
    """Tell the end and leave: threads and exit handlers of the program do not get to run."""
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105  contextlib is not loaded here
            stream.flush()
        except BaseException:
            pass
    used = _times()
    reporter.record("end", used.user + used.system)
    _leave(0)


def begin() -> tuple[Reporter, dict[str, Any]]:
    """Read the order from standard input, which is empty for the program, and take the results pipe from it."""
    chunks = []
    while chunk := os.read(0, 1 << 20):
        chunks.append(chunk)
    order = marshal.loads(b"".join(chunks))  # noqa: S302  from the process that started this one
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return Reporter(int(os.environ.pop("AXIOM_RESULTS_FD")), order.pop("nonce")), order


def main() -> NoReturn:
    reporter, order = begin()
    run_all(reporter, order)
    finish(reporter)


if __name__ == "__main__":
    main()
