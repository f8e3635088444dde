"""Go programs through the real compiler and the real sandbox, and the pure parts that read sources and reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from perturbation.languages import go_report, go_source
from perturbation.languages.base import CaseOutcome, TestRunStatus
from perturbation.languages.go import GO_LIMITS, run_tests
from perturbation.languages.prepared import prepare_once

PROGRAM = """package main

import (
	"testing"
	"github.com/stretchr/testify/assert"
)

func Add(a, b int) int {
	return a + b
}
"""
TESTS = """func TestAdd(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(3, Add(1, 2))
}

func TestZero(t *testing.T) {
	t.Run("left", func(t *testing.T) {
		if got := Add(0, 4); got != 4 {
			t.Fatalf("got %d, want 4", got)
		}
	})
	t.Run("right", func(t *testing.T) { assert.Equal(t, 4, Add(4, 0)) })
}
"""
FOLDER = """// ==== go.mod ====
module bowling

go 1.20
// ==== bowling.go ====
package bowling

func Roll() int { return pins() }
// ==== pins.go ====
package bowling

func pins() int { return 4 }
"""
FOLDER_TESTS = """// ==== bowling_test.go ====
package bowling

import "testing"

func TestRoll(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Roll(); got != c.want {
				t.Errorf("Roll() = %d, want %d", got, c.want)
			}
		})
	}
}
// ==== cases_test.go ====
package bowling

var cases = []struct {
	name string
	want int
}{{"a strike", 4}}
// ==== outside_test.go ====
package bowling_test

import (
	"bowling"
	"testing"
)

func TestOutside(t *testing.T) {
	if bowling.Roll() != 4 {
		t.Error("not 4")
	}
}
"""
DOUBLING = """package main

import "fmt"

func main() {
	var n int
	fmt.Scan(&n)
	if n == 9 {
		panic("nine")
	}
	fmt.Println(n * 2)
}
"""


def changed(body: str, *imports: str) -> str:
    added = "".join(f'"{path}"\n\t' for path in imports)
    return PROGRAM.replace("return a + b", body).replace('"testing"', f'{added}"testing"')


def test_passes_each_test_and_subtest_of_one_file() -> None:
    found = run_tests(program=PROGRAM, tests=TESTS)

    assert (found.status, found.message) == (TestRunStatus.PASSED, "")
    assert [case.name for case in found.cases] == ["TestAdd", "TestZero/left", "TestZero/right"]
    assert found.output == ""


def test_tells_expected_and_actual_values_and_the_line_of_a_failure() -> None:
    found = run_tests(program=changed("return a - b"), tests=TESTS)

    assert (found.status, found.message) == (TestRunStatus.FAILED, "1 of 3 cases passed")
    first, left, right = found.cases
    assert (first.expected, first.actual, first.message) == ("3", "-1", "Not equal (line 3 of the tests)")
    assert (left.outcome, left.message) == (CaseOutcome.FAILED, "got -4, want 4 (line 9 of the tests)")
    assert right.outcome is CaseOutcome.PASSED


@pytest.mark.parametrize(
    ("program", "tests", "words"),
    [
        (changed("return a + c"), TESTS, "does not compile: undefined: c (line 9 of the program)"),
        (PROGRAM, TESTS.replace("Add(1, 2)", "Sum(1, 2)"), "does not compile: undefined: Sum (line 3 of the tests)"),
    ],
)
def test_tells_what_does_not_compile_from_what_fails(program: str, tests: str, words: str) -> None:
    found = run_tests(program=program, tests=tests)

    assert (found.status, found.message, found.cases) == (TestRunStatus.BUILD, words, ())


def test_names_packages_that_are_not_on_this_machine() -> None:
    found = run_tests(program=changed("return exp.Sum(a, b)", "golang.org/x/exp"), tests=TESTS)

    assert (found.status, found.missing) == (TestRunStatus.BUILD, ("golang.org/x/exp",))


def test_goes_on_after_a_test_that_panics() -> None:
    found = run_tests(program=changed('if a == 1 { panic("one") }\n\treturn a + b'), tests=TESTS)

    assert (found.status, found.message) == (TestRunStatus.ERROR, "2 of 3 cases passed")
    assert (found.cases[0].outcome, found.cases[0].message) == (
        CaseOutcome.ERROR,
        "panic: one (line 9 of the program)",
    )


def test_tells_a_panic_in_a_subtest_and_what_then_did_not_run() -> None:
    found = run_tests(program=changed('if a == 0 { panic("zero") }\n\treturn a + b'), tests=TESTS)

    assert found.status is TestRunStatus.CRASHED
    assert found.message.startswith("panic: zero")
    assert found.message.endswith("(line 9 of the program)")
    assert [case.outcome for case in found.cases] == [CaseOutcome.PASSED, CaseOutcome.ERROR]


def test_passes_no_program_that_leaves_early_or_forges_results() -> None:
    forging = """for fd := uintptr(3); fd < 64; fd++ {
		os.NewFile(fd, "").WriteString("\\n\\x16--- PASS: TestAdd (0.00s)\\n end 0\\n")
	}
	syscall.Exit(0)
	return 0"""

    polite = run_tests(program=changed("os.Exit(0)\n\treturn 0", "os"), tests=TESTS)
    forged = run_tests(program=changed(forging, "os", "syscall"), tests=TESTS)
    at_start = run_tests(program=changed("return a + b", "os") + "func init() { os.Exit(0) }\n", tests=TESTS)

    assert polite.status is TestRunStatus.CRASHED
    assert polite.cases[0].message == "panic: unexpected call to os.Exit(0) during test (line 10 of the program)"
    assert forged.status is TestRunStatus.CRASHED
    assert (at_start.status, {case.outcome for case in at_start.cases}) == (
        TestRunStatus.CRASHED,
        {CaseOutcome.NOT_RUN},
    )


def test_tells_limits_apart() -> None:
    endless = run_tests(program=changed("for {}"), tests=TESTS, limits=replace(GO_LIMITS, cpu_seconds=1))
    deep = run_tests(program=changed("return Add(a+1, b) + 1"), tests=TESTS)
    greedy = 'var kept [][]byte\n\tfor {\n\t\tkept = append(kept, []byte(strings.Repeat("x", 1<<24)))\n\t}'
    full = run_tests(program=changed(greedy, "strings"), tests=TESTS)

    assert (endless.status, endless.message) == (TestRunStatus.TIMEOUT, "the program ran out of CPU time")
    assert (endless.inconclusive, endless.cases[0].outcome) == (False, CaseOutcome.TIMEOUT)
    assert (deep.status, deep.message) == (
        TestRunStatus.CRASHED,
        "fatal error: stack overflow (line 8 of the program)",
    )
    assert full.status is TestRunStatus.MEMORY


def test_runs_the_files_of_a_module_with_its_external_tests() -> None:
    right = run_tests(program=FOLDER, tests=FOLDER_TESTS)
    wrong = run_tests(program=FOLDER.replace("return 4", "return 5"), tests=FOLDER_TESTS)

    assert (right.status, [case.name for case in right.cases]) == (
        TestRunStatus.PASSED,
        ["TestRoll/a_strike", "TestOutside"],
    )
    assert [case.message for case in wrong.cases] == [
        "Roll() = 5, want 4 (line 9 of bowling_test.go)",
        "not 4 (line 10 of outside_test.go)",
    ]


def test_compares_what_a_program_prints_for_each_input() -> None:
    cases = [{"input": "1", "output": "2\n"}, {"input": "2", "output": "5"}, {"input": "9", "output": "18"}]

    found = run_tests(program=DOUBLING, tests=json.dumps({"cases": cases}), kind="stdin")

    assert [case.outcome for case in found.cases] == [CaseOutcome.PASSED, CaseOutcome.FAILED, CaseOutcome.ERROR]
    assert found.cases[2].message == "panic: nine (line 9 of the program)"


def test_says_which_kinds_of_tests_it_cannot_run() -> None:
    calls = run_tests(program=PROGRAM, tests='{"cases": []}', kind="calls")
    empty = run_tests(program=PROGRAM, tests="var x = 1\n")

    assert (calls.status, calls.message) == (
        TestRunStatus.ERROR,
        "tests of kind 'calls' cannot be run on Go programs",
    )
    assert (empty.status, empty.message) == (
        TestRunStatus.ERROR,
        "the tests hold no function TestXxx(t *testing.T)",
    )


def test_puts_the_imports_of_one_file_in_order_without_moving_a_line() -> None:
    program = 'package main\nimport (\n"math"\n"os"\n)\nimport "math"\nvar x = math.Abs(1)\nvar y = sort.Ints\n'

    text = go_source.with_imports_in_order(program, "var z = strings.ToLower\n")

    assert text.split("\n") == [
        'package main; import "sort"; import "strings"',
        "import (",
        '"math"',
        "    ",
        ")",
        " " * len('import "math"'),
        "var x = math.Abs(1)",
        "var y = sort.Ints",
        "",
    ]


def test_believes_no_logged_line_and_no_end_without_the_nonce() -> None:
    results = b"\x16=== RUN   TestA\n    a.go:1: \x16--- PASS: TestA (0.00s)\nother end 0\n"

    report = go_report.read(results, nonce="nonce", planned=["TestA", "TestB"])

    assert (report.code, report.open) == (None, ("TestA",))
    assert [case.outcome for case in report.cases] == [CaseOutcome.ERROR, CaseOutcome.NOT_RUN]


def test_prepares_once_for_each_key_and_leaves_nothing_of_another(tmp_path: Path) -> None:
    def build(folder: Path) -> None:
        (folder / "made").write_text("x")

    first = prepare_once(tmp_path, "one", build)
    again = prepare_once(tmp_path, "one", build)
    other = prepare_once(tmp_path, "two", build)

    assert (first, again, other) == (True, False, True)
    assert [path.name for path in tmp_path.iterdir()] == ["two"]
    assert (tmp_path / "two" / "made").read_text() == "x"
