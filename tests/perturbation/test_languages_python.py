"""Python tests of every form on programs that are right, wrong, broken or hostile, through the real sandbox."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from perturbation.languages import python
from perturbation.languages.base import CaseOutcome, TestRun, TestRunStatus
from perturbation.languages.python import PYTHON_LIMITS, run_tests
from perturbation.sandbox import Outcome, SandboxBroken, means, probe

PASSED, FAILED, ERROR = CaseOutcome.PASSED, CaseOutcome.FAILED, CaseOutcome.ERROR
TIMEOUT, NOT_RUN = CaseOutcome.TIMEOUT, CaseOutcome.NOT_RUN
DOUBLE = "def double(x):\n    return x * 2\n"
CHECK = "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(0) == 0\n"
SHORT = replace(PYTHON_LIMITS, cpu_seconds=1, wall_seconds=60)


def outcomes(run: TestRun) -> list[tuple[str, CaseOutcome]]:
    return [(case.name, case.outcome) for case in run.cases]


def test_passes_a_right_program_by_humaneval_check() -> None:
    run = run_tests(program=DOUBLE, tests=CHECK, entry_point="double")

    assert (run.status, run.message, run.inconclusive) == (TestRunStatus.PASSED, "", False)
    assert outcomes(run) == [("L2: candidate(2) == 4", PASSED), ("L3: candidate(0) == 0", PASSED)]
    assert run.sandbox == probe().name
    assert run.seconds > 0


def test_calls_check_once_where_the_tests_call_it_themselves() -> None:
    run = run_tests(program=DOUBLE + "calls = []\n", tests=f"{CHECK}\ncheck(double)\n", entry_point="no_such_function")

    assert run.status == TestRunStatus.PASSED
    assert len(run.cases) == 2


def test_goes_on_after_a_failing_assert_and_tells_both_values() -> None:
    tests = "assert double(2) == 5, 'twice two'\nassert double(3) == 6\nassert double(1) > 2\nassert not double(1)\n"

    run = run_tests(program=DOUBLE, tests=tests)

    assert (run.status, run.message) == (TestRunStatus.FAILED, "1 of 4 cases passed")
    assert outcomes(run) == [
        ("L1: double(2) == 5", FAILED),
        ("L2: double(3) == 6", PASSED),
        ("L3: double(1) > 2", FAILED),
        ("L4: not double(1)", FAILED),
    ]
    assert [(case.expected, case.actual) for case in run.cases] == [("5", "4"), (None, None), (None, "2"), (None, None)]
    assert run.cases[0].message == "twice two"


def test_counts_an_assert_in_a_loop_once_by_its_first_failure() -> None:
    run = run_tests(program=DOUBLE, tests="for n in range(5):\n    assert double(n) < 5, n\n")

    assert outcomes(run) == [("L2: double(n) < 5", FAILED)]
    assert (run.cases[0].actual, run.cases[0].message) == ("6", "3")


def test_tells_an_exception_from_a_wrong_value() -> None:
    run = run_tests(program=DOUBLE, tests="assert double(None) == 0\nassert double(1) == 2\n")

    assert (run.status, outcomes(run)[1][1]) == (TestRunStatus.ERROR, PASSED)
    assert run.cases[0].outcome == ERROR
    assert run.cases[0].message.startswith("TypeError: unsupported operand")
    assert run.cases[0].message.endswith("(line 2 of the program)")


def test_lets_the_tests_catch_what_they_expect() -> None:
    tests = (
        "try:\n    double(None)\n    assert False, 'no error'\nexcept TypeError:\n    pass\n"
        "try:\n    assert double(1) == 3\nexcept AssertionError:\n    pass\n"
        "assert double(1) == 2\n"
    )

    run = run_tests(program=DOUBLE, tests=tests)

    assert run.status == TestRunStatus.PASSED
    assert outcomes(run) == [("L10: double(1) == 2", PASSED)]


def test_fails_where_an_expected_error_does_not_come() -> None:
    run = run_tests(program=DOUBLE, tests="try:\n    double(1)\n    assert False\nexcept TypeError:\n    pass\n")

    assert outcomes(run) == [("L3: False", FAILED)]
    assert run.status == TestRunStatus.FAILED


def test_passes_a_script_whose_only_checks_are_expected_errors() -> None:
    run = run_tests(program=DOUBLE, tests="try:\n    double(None)\n    assert False\nexcept TypeError:\n    pass\n")

    assert (run.status, outcomes(run)) == (TestRunStatus.PASSED, [("tests", PASSED)])


@pytest.mark.parametrize("tests", ["", "import math\n", "def helper(x):\n    return x\n"])
def test_never_passes_on_tests_that_check_nothing(tests: str) -> None:
    run = run_tests(program=DOUBLE, tests=tests)

    assert (run.status, run.cases) == (TestRunStatus.ERROR, ())
    assert run.message == "the tests hold no case that ran"


def test_runs_test_functions_each_as_a_case() -> None:
    tests = (
        "def test_doubles():\n    assert double(2) == 4\n    assert double(3) == 7\n    assert double(4) == 0\n"
        "def test_words():\n    assert double('ab') == 'abab'\n"
        "def test_fails_to_run():\n    double(None)\n"
        "def test_wants(fixture):\n    assert fixture\n"
        "def helper():\n    assert False\n"
    )

    run = run_tests(program=DOUBLE, tests=tests)

    assert outcomes(run) == [
        ("test_doubles", FAILED),
        ("test_words", PASSED),
        ("test_fails_to_run", ERROR),
        ("test_wants", NOT_RUN),
    ]
    assert (run.cases[0].expected, run.cases[0].actual) == ("7", "6")
    assert "line 3 of the tests" in run.cases[0].message


def test_runs_unittest_classes_with_their_set_up() -> None:
    tests = (
        "import unittest\nclass TestDouble(unittest.TestCase):\n"
        "    @classmethod\n    def setUpClass(cls):\n        cls.given = 2\n"
        "    def test_equal(self):\n        self.assertEqual(double(self.given), 4)\n"
        "    def test_unequal(self):\n        self.assertEqual(double(self.given), 5)\n"
        "    def test_raises(self):\n        with self.assertRaises(TypeError):\n            double(None)\n"
        "    def test_error(self):\n        double(None)\n"
        "    def test_plain(self):\n        assert double(1) == 3\n"
        "    def test_parts(self):\n        for n in (1, 2):\n            with self.subTest(n=n):\n"
        "                self.assertEqual(double(n), 2)\n"
        "    @unittest.skip('later')\n    def test_skipped(self):\n        self.fail()\n"
        "unittest.main()\n"
    )

    run = run_tests(program=DOUBLE, tests=tests)

    assert sorted(outcomes(run)) == [
        ("TestDouble.test_equal", PASSED),
        ("TestDouble.test_error", ERROR),
        ("TestDouble.test_parts", FAILED),
        ("TestDouble.test_plain", FAILED),
        ("TestDouble.test_raises", PASSED),
        ("TestDouble.test_skipped", NOT_RUN),
        ("TestDouble.test_unequal", FAILED),
    ]
    told = {case.name: (case.expected, case.actual) for case in run.cases}
    assert told["TestDouble.test_unequal"] == ("5", "4")
    assert told["TestDouble.test_plain"] == ("3", "2")


def test_reports_a_class_whose_set_up_fails() -> None:
    tests = (
        "import unittest\nclass T(unittest.TestCase):\n"
        "    @classmethod\n    def setUpClass(cls):\n        double(None)\n"
        "    def test_a(self):\n        pass\n"
    )

    run = run_tests(program=DOUBLE, tests=tests)

    assert run.status == TestRunStatus.ERROR
    assert run.cases[0].outcome == ERROR
    assert "TypeError" in run.cases[0].message


def test_does_not_count_tests_that_the_program_brings_along() -> None:
    program = DOUBLE + "def test_mine():\n    pass\n"

    run = run_tests(program=program, tests="def test_double():\n    assert double(1) == 2\n")

    assert outcomes(run) == [("test_double", PASSED)]


def test_loads_the_program_as_a_module() -> None:
    program = (
        "from dataclasses import dataclass\nimport pickle\n@dataclass(frozen=True)\nclass Point:\n    x: int\n"
        "def copy(point):\n    return pickle.loads(pickle.dumps(point))\n"
        "if __name__ == '__main__':\n    raise SystemExit(3)\n"
    )
    tests = (
        "from solution import Point as Same\nimport solution\n"
        "assert copy(Point(1)) == Same(1)\nassert solution.Point is Point\n"
    )

    run = run_tests(program=program, tests=tests)

    assert (run.status, len(run.cases)) == (TestRunStatus.PASSED, 2)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("def f(:\n", "syntax error: invalid syntax (line 1)"),
        ("x = 1\ny = 1 / 0\n", "failed on import: ZeroDivisionError: division by zero (line 2 of the program)"),
        ("import no_such_module\n", "needs no_such_module"),
        ("import sys\nsys.exit(0)\n", "failed on import: the program called sys.exit(0)"),
        ("x = '\0'\n", "syntax error: source code string cannot contain null bytes"),
        ("eval('1 +')\n", "failed on import: SyntaxError: invalid syntax"),
        ("x = '\udc80'\n", "syntax error: UnicodeEncodeError"),
    ],
)
def test_says_why_a_program_does_not_load(program: str, message: str) -> None:
    run = run_tests(program=program, tests=CHECK, entry_point="double")

    assert run.status == TestRunStatus.ERROR
    assert run.message.startswith(message)
    assert {case.outcome for case in run.cases} == {NOT_RUN}


def test_says_that_the_entry_point_is_missing() -> None:
    run = run_tests(program="def other(x):\n    return x\n", tests=CHECK, entry_point="double")

    assert run.status == TestRunStatus.ERROR
    assert [case.message for case in run.cases] == ["the program defines no 'double'"]


def test_says_that_the_tests_are_no_python() -> None:
    run = run_tests(program=DOUBLE, tests="assert double(1 ==\n")

    assert run.status == TestRunStatus.ERROR
    assert run.message.startswith("the tests are no valid Python: '(' was never closed (line 1)")


@pytest.mark.parametrize(
    "body",
    [
        "os._exit(0)",
        "sys.exit(0)",
        "os.kill(os.getpid(), 9)",
        "os.write(3, b'{\"end\": 1}\\n'); os._exit(0)",
        "[os.write(fd, b'\\n' + b'0' * 32 + b' [\"case\", \"#0\", \"passed\", null, null, \"\", 0.1]\\n' + b'0' * 32"
        " + b' [\"end\", 0.0]\\n') for fd in range(3, 30) if os.path.exists(f'/proc/self/fd/{fd}')]; os._exit(0)",
        "os.closerange(3, 64)",
        "raise KeyboardInterrupt",
        "setattr(__builtins__, 'AssertionError', None) if False else os._exit(0)",
    ],
)
@pytest.mark.parametrize("place", ["import", "call"])
def test_never_passes_a_program_that_cheats(body: str, place: str) -> None:
    program = f"import os, sys\n{body}\n" if place == "import" else f"import os, sys\ndef double(x):\n    {body}\n"

    run = run_tests(program=program, tests=CHECK, entry_point="double")

    assert run.status in {TestRunStatus.ERROR, TestRunStatus.CRASHED, TestRunStatus.FAILED}
    assert run.message
    assert PASSED not in {case.outcome for case in run.cases}


def test_does_not_pass_a_program_whose_child_goes_on_with_the_tests() -> None:
    program = "import os\ndef double(x):\n    return x * 2 if os.fork() == 0 else os.wait() and 0\n"

    run = run_tests(program=program, tests="assert double(2) == 4\n")

    assert (run.status, outcomes(run)) == (TestRunStatus.FAILED, [("L1: double(2) == 4", FAILED)])


def test_names_what_was_running_and_what_never_ran_when_time_is_up() -> None:
    program = "def double(x):\n    while x: pass\n    return 0\n"
    tests = "assert double(0) == 0\nassert double(2) == 4\nassert double(3) == 6\n"

    run = run_tests(program=program, tests=tests, limits=SHORT)

    assert (run.status, run.inconclusive) == (TestRunStatus.TIMEOUT, False)
    assert run.message == "the program ran out of CPU time"
    assert [case.outcome for case in run.cases] == [PASSED, TIMEOUT, NOT_RUN]


def test_calls_a_wall_clock_time_out_inconclusive() -> None:
    limits = replace(PYTHON_LIMITS, wall_seconds=1.0)
    tests = "def test_a():\n    double(1)\ndef test_b():\n    pass\n"

    run = run_tests(program="import time\ndef double(x):\n    time.sleep(60)\n", tests=tests, limits=limits)

    assert (run.status, run.inconclusive) == (TestRunStatus.TIMEOUT, True)
    assert outcomes(run) == [("test_a", TIMEOUT), ("test_b", NOT_RUN)]


def test_names_memory_crash_and_recursion() -> None:
    memory = run_tests(program="def double(x):\n    return [0] * (1 << 30)\n", tests="assert double(1)\n")
    crash = run_tests(program="import os\ndef double(x):\n    os.abort()\n", tests="assert double(1)\nassert True\n")
    depth = run_tests(program="def double(x):\n    return double(x)\n", tests="assert double(1)\n")

    assert (memory.status, memory.cases[0].outcome) == (TestRunStatus.MEMORY, ERROR)
    assert (crash.status, crash.message) == (TestRunStatus.CRASHED, "the program crashed with signal 6")
    assert [case.outcome for case in crash.cases] == [ERROR, NOT_RUN]
    assert depth.status == TestRunStatus.ERROR
    assert depth.cases[0].message.startswith("RecursionError")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("raise ValueError", "<no representation: ValueError>"),
        ("raise SystemExit(0)", "<no representation: SystemExit>"),
        ("return 'x' * 10_000", "x" * 499 + "…"),
        ("return 7", "<no representation: TypeError>"),
        ("return 'a\\0b\\udc80'", "a\\x00b\\udc80"),
    ],
)
def test_survives_a_hostile_representation(body: str, shown: str) -> None:
    program = f"class Odd:\n    def __repr__(self):\n        {body}\ndef double(x):\n    return Odd()\n"

    run = run_tests(program=program, tests="assert double(1) == 2\n")

    assert (run.status, run.cases[0].actual, run.cases[0].expected) == (TestRunStatus.FAILED, shown, "2")


def test_keeps_what_the_program_prints_and_notes_a_cut() -> None:
    noisy = run_tests(program="print('caf\\u00e9')\nimport sys\nsys.stderr.write('careful')\n", tests="assert True\n")
    endless = run_tests(program="while True: print('x')\n", tests="assert True\n")

    assert noisy.output == "café\ncareful"
    assert endless.status == TestRunStatus.CRASHED
    assert endless.message == "the program printed too much"
    assert endless.output.endswith("x\n[output cut: the limit was reached]")


def test_gives_the_same_result_every_time_for_what_depends_on_hashes() -> None:
    program = "def order(words):\n    return list(set(words))\nprint(order('abcdefgh'))\n"

    assert len({run_tests(program=program, tests="assert order('a') == ['a']\n").output for _ in range(3)}) == 1


def test_ends_without_waiting_for_threads_of_the_program() -> None:
    program = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n" + DOUBLE

    run = run_tests(program=program, tests=CHECK, entry_point="double")

    assert run.status == TestRunStatus.PASSED


def test_gives_a_program_no_input_to_wait_for() -> None:
    run = run_tests(program="def double(x):\n    return input()\n", tests="assert double(1)\n")

    assert run.cases[0].message.startswith("EOFError")


def test_says_unavailable_where_no_sandbox_works(monkeypatch: pytest.MonkeyPatch) -> None:
    means._choose.cache_clear()
    monkeypatch.setattr(means, "candidates", lambda: iter(()))
    monkeypatch.delenv(means.ALLOW_UNPROTECTED, raising=False)

    run = run_tests(program=DOUBLE, tests=CHECK, entry_point="double")
    means._choose.cache_clear()

    assert (run.status, run.cases, run.sandbox) == (TestRunStatus.UNAVAILABLE, (), "none")
    assert "apt-get install bubblewrap" in run.message


def test_calls_a_function_each_time_in_a_process_of_its_own() -> None:
    program = "seen = []\nprint('once')\ndef double(x):\n    seen.append(x)\n    return (x * 2, len(seen))\n"
    cases = [([2], [4, 1]), (["ab"], ["abab", 1]), ([3], [6, 2]), ([None], 0)]
    tests = json.dumps({"cases": [{"arguments": given, "output": wanted} for given, wanted in cases]})

    run = run_tests(program=program, tests=tests, entry_point="double", kind="calls")

    assert (run.status, run.message, run.output) == (TestRunStatus.FAILED, "2 of 4 cases passed", "once\n")
    assert outcomes(run) == [("case 1", PASSED), ("case 2", PASSED), ("case 3", FAILED), ("case 4", ERROR)]
    assert (run.cases[2].expected, run.cases[2].actual) == ("[6, 2]", "[6, 1]")
    assert run.cases[3].message.startswith("TypeError: unsupported operand")
    assert run.cases[3].message.endswith("(line 5 of the program)")


def test_calls_a_method_of_solution_whatever_it_does() -> None:
    program = (
        "import os, sys\nclass Solution:\n    def act(self, x):\n"
        "        if x == 0: os._exit(0)\n        if x == 1: sys.exit(1)\n        if x == 2: return {1}\n"
        "        if x == 3: return [0] * 1_000_000\n        if x == 4: os.abort()\n        return x\n"
    )
    tests = json.dumps({"cases": [{"arguments": [n], "output": n} for n in range(6)]})

    run = run_tests(program=program, tests=tests, entry_point="act", kind="calls")

    assert [case.outcome for case in run.cases] == [ERROR, ERROR, ERROR, ERROR, ERROR, PASSED]
    assert [case.message for case in run.cases] == [
        "the program ended the process (exit status 0) before the call was done",
        "the program called sys.exit(1) (line 5 of the program)",
        "JSON has no form for the value that was returned: {1}",
        "the value returned is far longer than the expected one",
        "the program crashed with signal 6",
        "",
    ]


def test_ends_the_calls_with_the_first_that_takes_too_long() -> None:
    program = "def f(x):\n    while x == 1: pass\n    return [0] * (1 << 28) and x if x == 3 else x\n"
    tests = (
        '{"cases": [{"arguments": [0], "output": 0}, {"arguments": [1], "output": 1}, {"arguments": [2], "output": 2}]}'
    )
    large = '{"cases": [{"arguments": [3], "output": 3}]}'

    slow = run_tests(program=program, tests=tests, entry_point="f", kind="calls", limits=SHORT)
    hungry = run_tests(program=program, tests=large, entry_point="f", kind="calls")

    assert (slow.status, slow.message) == (TestRunStatus.TIMEOUT, "case 2: the program ran out of CPU time")
    assert (slow.inconclusive, [case.outcome for case in slow.cases]) == (False, [PASSED, TIMEOUT, NOT_RUN])
    assert (hungry.status, hungry.cases[0].outcome) == (TestRunStatus.MEMORY, ERROR)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("def other(): pass\n", "the program defines no 'double'"),
        ("def double(:\n", "syntax error: invalid syntax (line 1)"),
        ("1 / 0\n", "failed on import: ZeroDivisionError: division by zero (line 1 of the program)"),
    ],
)
def test_says_why_nothing_can_be_called(program: str, message: str) -> None:
    run = run_tests(
        program=program, tests='{"cases": [{"arguments": [1], "output": 2}]}', entry_point="double", kind="calls"
    )

    assert (run.status, run.message, outcomes(run)) == (TestRunStatus.ERROR, message, [("case 1", NOT_RUN)])


def test_runs_each_stdin_case_as_a_script_with_its_own_input() -> None:
    program = (
        "import threading\ndef main():\n    print(int(input()) * 2)\n"
        "if __name__ == '__main__':\n    threading.Thread(target=main).start()\n"
    )
    cases = [("2\n", "4"), ("3\n", "7"), ("4", "8\n")]
    tests = json.dumps({"cases": [{"input": given, "output": wanted} for given, wanted in cases]})

    run = run_tests(program=program, tests=tests, kind="stdin")
    broken = run_tests(program="import sys\nsys.exit(int(input()))\n", tests=tests, kind="stdin")
    wordy = run_tests(program="print(int('x'))\n", tests=tests, kind="stdin")

    assert outcomes(run) == [("case 1", PASSED), ("case 2", FAILED), ("case 3", PASSED)]
    assert (run.cases[1].expected, run.cases[1].actual) == ("7", "6\n")
    assert {case.outcome for case in broken.cases} == {ERROR}
    assert wordy.cases[0].message == "ValueError: invalid literal for int() with base 10: 'x'"


def test_says_that_the_cases_cannot_be_read() -> None:
    run = run_tests(program=DOUBLE, tests="assert double(1) == 2", entry_point="double", kind="calls")

    assert (run.status, run.cases) == (TestRunStatus.ERROR, ())
    assert run.message.startswith("the tests are no JSON: Expecting value")


BOARD = (
    "# ==== board.py ====\nfrom deep.one import one\nclass Board:\n    def add(self, x):\n"
    "        if x < 0:\n            raise ValueError('small')\n        return x + one\n"
    "# ==== deep/one.py ====\none = 1\n"
)
BOARD_TEST = (
    "# ==== board_test.py ====\nimport unittest\nfrom board import Board\nclass BoardTest(unittest.TestCase):\n"
    "    def test_add(self):\n        self.assertEqual(Board().add(1), 2)\n"
    "    def test_bad(self):\n        self.assertEqual(Board().add(1), 3)\n"
    "    def test_error(self):\n        Board().add(-1)\n"
    "    def test_raises(self):\n        with self.assertRaises(ValueError) as error:\n            Board().add(-1)\n"
    "        self.assertEqual(error.exception.args[0], 'small')\n"
    "if __name__ == '__main__':\n    unittest.main()\n"
)
OTHER_TEST = (
    "# ==== test_other.py ====\nimport board\nfrom helper import two\nassert board.Board().add(1) == two\n"
    "def test_five():\n    assert board.Board().add(1) == 5\n"
    "class TestPlain:\n    def setup_method(self):\n        self.x = 1\n"
    "    def test_set_up(self):\n        assert self.x == 1\n"
    "# ==== helper.py ====\ntwo = 2\n"
)


def test_runs_tests_that_import_the_programs_files_by_name() -> None:
    run = run_tests(program=BOARD, tests=BOARD_TEST)

    assert outcomes(run) == [
        ("BoardTest.test_add", PASSED),
        ("BoardTest.test_bad", FAILED),
        ("BoardTest.test_error", ERROR),
        ("BoardTest.test_raises", PASSED),
    ]
    assert (run.cases[1].expected, run.cases[1].actual) == ("3", "2")
    assert run.cases[2].message == "ValueError: small (line 5 of board.py)"


def test_runs_every_test_file_of_several_under_its_name() -> None:
    run = run_tests(program=BOARD, tests=BOARD_TEST + OTHER_TEST)

    assert (run.status, run.message) == (TestRunStatus.FAILED, "4 of 7 cases passed")
    assert [one for one in outcomes(run) if not one[0].startswith("board_test.py: BoardTest.")] == [
        ("test_other.py: L3: board.Board().add(1) == two", PASSED),
        ("test_other.py: test_five", FAILED),
        ("test_other.py: TestPlain.test_set_up", PASSED),
    ]


@pytest.mark.parametrize(
    ("program", "message", "case"),
    [
        (
            BOARD.replace("one = 1", "one = ("),
            "syntax error: '(' was never closed (line 1 of deep/one.py)",
            None,
        ),
        (
            BOARD.replace("one = 1", "one = 1 / 0"),
            "0 of 1 cases passed",
            ("board_test.py", "ZeroDivisionError: division by zero (line 1 of deep/one.py)"),
        ),
    ],
)
def test_says_which_of_several_files_does_not_load(program: str, message: str, case: tuple[str, str] | None) -> None:
    run = run_tests(program=program, tests=BOARD_TEST)

    assert (run.status, run.message) == (TestRunStatus.ERROR, message)
    assert [(one.name, one.message) for one in run.cases] == ([case] if case else [])


def test_runs_plain_test_classes_on_a_single_program() -> None:
    tests = (
        "class TestDouble:\n    def test_two(self):\n        assert double(2) == 4\n"
        "    def test_bad(self):\n        assert double(2) == 5\n"
    )

    run = run_tests(program=DOUBLE, tests=tests)

    assert outcomes(run) == [("TestDouble.test_two", PASSED), ("TestDouble.test_bad", FAILED)]


def test_names_all_that_is_missing_at_once() -> None:
    program = (
        "import os, numpy as np\nimport pandas.testing\ntry:\n    import cupy\nexcept ImportError:\n    cupy = None\n"
        "def double(x):\n    from sklearn import metrics\n    return x\n"
    )
    lazy = "def double(x):\n    import sklearn\n    return x\ndef triple(x):\n    import seaborn\n"

    whole = run_tests(program=program, tests="from solution import double\nimport pytest\nassert double(1) == 2\n")
    late = run_tests(program=lazy, tests="assert double(1) == 2\nassert 1 == 1\n")
    files = run_tests(program=BOARD.replace("one = 1", "import pytz"), tests=BOARD_TEST)
    stdin = run_tests(program="import numpy\n", tests='{"cases": [{"input": "", "output": ""}]}', kind="stdin")

    assert (whole.status, whole.message) == (TestRunStatus.ERROR, "needs numpy, pandas, pytest, sklearn")
    assert whole.missing == ("numpy", "pandas", "pytest", "sklearn")
    assert (late.missing, [case.outcome for case in late.cases]) == (("seaborn", "sklearn"), [ERROR, PASSED])
    assert (files.missing, stdin.missing) == (("pytz",), ("numpy",))


def test_calls_nothing_missing_that_was_not_missed() -> None:
    program = "def double(x):\n    return x\ndef never():\n    import numpy\n"

    run = run_tests(program=program, tests="assert double(1) == 2\n")

    assert (run.status, run.missing) == (TestRunStatus.FAILED, ())


def test_lets_a_fault_of_the_sandbox_itself_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_command: object) -> Outcome:
        raise SandboxBroken("fork: Resource temporarily unavailable")

    monkeypatch.setattr(python, "run", fails)

    with pytest.raises(SandboxBroken, match="Resource temporarily"):
        run_tests(program="x = 1\n", tests="assert x == 1\n")


def test_refuses_a_file_outside_of_the_work_folder() -> None:
    run = run_tests(program="# ==== ../other.py ====\nx = 1\n", tests="assert True\n")

    assert run.status is TestRunStatus.ERROR
    assert run.message == "file name '../other.py' must be relative and stay inside the working directory"


def test_refuses_a_file_where_a_folder_is() -> None:
    run = run_tests(program="# ==== a ====\nx = 1\n# ==== a/b.py ====\ny = 1\n", tests="assert True\n")

    assert run.status is TestRunStatus.ERROR
    assert run.message == "file name 'a' is also the name of a folder of other files"
