"""Java programs through the real compiler and the real sandbox, and the pure part that reads sources."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from perturbation.languages import java_source
from perturbation.languages.base import CaseOutcome, TestRunStatus
from perturbation.languages.java import JAVA_LIMITS, run_tests

PROGRAM = """import java.util.*;

class Solution {
    public int add(int a, int b) {
        return a + b;
    }
}
"""
TESTS = """public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.add(1, 2) == 3,
                Integer.valueOf(s.add(2, 2)).equals(4),
                s.add(0, 0) < 1
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
"""
LOOPING_TESTS = """public class Main {
    public static void main(String[] args) {
        for (int i = 0; i < 5; i++) {
            if (new Solution().add(i, i) != 2 * i) throw new AssertionError("bad " + i);
        }
    }
}
"""
FOLDER = """// ==== src/main/java/Board.java ====
public class Board {
    int value() {
        return new Cell().value;
    }
}
// ==== src/main/java/Cell.java ====
class Cell {
    int value = 4;
}
"""
FOLDER_TESTS = """// ==== src/test/java/BoardTest.java ====
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class BoardTest {
    @Test
    public void first() {
        assertEquals(4, new Board().value());
    }

    @Disabled("Remove to run test")
    @Test
    @DisplayName("the second")
    public void second() {
        assertThat(new Board().value()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void many(int number) {
        assertEquals(number, new Board().value());
    }
}
"""
DOUBLING = """import java.util.Scanner;

public class Doubling {
    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        if (n == 9) throw new IllegalStateException("nine");
        System.out.println(n * 2);
    }
}
"""


def changed(body: str) -> str:
    return PROGRAM.replace("return a + b;", body)


def test_passes_each_value_of_the_list_of_the_tests() -> None:
    found = run_tests(program=PROGRAM, tests=TESTS)

    assert (found.status, found.message) == (TestRunStatus.PASSED, "")
    assert [case.name for case in found.cases] == [
        "L5: s.add(1, 2) == 3",
        "L6: Integer.valueOf(s.add(2, 2)).equals(4)",
        "L7: s.add(0, 0) < 1",
    ]


def test_tells_expected_and_actual_values_of_comparisons() -> None:
    found = run_tests(program=changed("return a - b;"), tests=TESTS)

    assert (found.status, found.message) == (TestRunStatus.FAILED, "1 of 3 cases passed")
    assert [(case.expected, case.actual) for case in found.cases] == [("3", "-1"), ("4", "0"), (None, None)]


def test_takes_a_main_without_a_list_as_one_case() -> None:
    right = run_tests(program=PROGRAM, tests=LOOPING_TESTS)
    wrong = run_tests(program=changed("return a * b;"), tests=LOOPING_TESTS)

    assert (right.status, [case.name for case in right.cases]) == (TestRunStatus.PASSED, ["main"])
    assert (wrong.status, wrong.cases[0].message) == (
        TestRunStatus.FAILED,
        "AssertionError: bad 1 (line 4 of the tests)",
    )


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (changed("return a + ;"), "illegal start of expression (line 5 of the program)"),
        (
            PROGRAM.replace("int add(", "int sum("),
            "cannot find symbol, symbol: method add(int,int), location: variable s of type Solution "
            "(line 5 of the tests)",
        ),
    ],
)
def test_tells_what_does_not_compile_from_what_fails(program: str, words: str) -> None:
    found = run_tests(program=program, tests=TESTS)

    assert (found.status, found.message, found.cases) == (TestRunStatus.BUILD, f"does not compile: {words}", ())


def test_names_packages_that_are_not_on_this_machine() -> None:
    found = run_tests(program=f"import org.apache.commons.lang3.StringUtils;\n{PROGRAM}", tests=TESTS)

    assert (found.status, found.missing) == (TestRunStatus.BUILD, ("org.apache.commons.lang3",))


def test_gives_an_exception_to_the_value_that_threw_it() -> None:
    found = run_tests(program=changed('if (a == 2) throw new IllegalStateException("two"); return a + b;'), tests=TESTS)

    assert (found.status, found.message) == (TestRunStatus.ERROR, "1 of 3 cases passed")
    assert [case.outcome for case in found.cases] == [CaseOutcome.PASSED, CaseOutcome.ERROR, CaseOutcome.NOT_RUN]
    assert found.cases[1].message == "IllegalStateException: two (line 5 of the program)"


def test_passes_no_program_that_leaves_early_or_forges_results() -> None:
    forging = "for (int i = 0; i < 3; i++) axiom.Cases.is(i, true); System.exit(0); return 0;"

    forged = run_tests(program=changed(forging), tests=TESTS)
    halted = run_tests(program=changed("if (a == 2) Runtime.getRuntime().halt(0); return a + b;"), tests=TESTS)

    assert forged.status is TestRunStatus.CRASHED
    assert (halted.status, [case.outcome for case in halted.cases]) == (
        TestRunStatus.CRASHED,
        [CaseOutcome.PASSED, CaseOutcome.ERROR, CaseOutcome.NOT_RUN],
    )


def test_tells_limits_apart() -> None:
    endless = run_tests(
        program=changed("while (a < 9) { b = -b; } return b;"),
        tests=TESTS,
        limits=replace(JAVA_LIMITS, cpu_seconds=3),
    )
    greedy = "List<int[]> kept = new ArrayList<>(); while (a < 9) { kept.add(new int[1 << 22]); } return kept.size();"
    full = run_tests(program=changed(greedy), tests=TESTS)
    deep = run_tests(program=changed("return add(a + 1, b) + 1;"), tests=TESTS)

    assert (endless.status, endless.message) == (TestRunStatus.TIMEOUT, "the program ran out of CPU time")
    assert (endless.inconclusive, endless.cases[0].outcome) == (False, CaseOutcome.TIMEOUT)
    assert full.status is TestRunStatus.MEMORY
    assert (deep.status, deep.cases[0].message) == (
        TestRunStatus.ERROR,
        "StackOverflowError (line 5 of the program)",
    )


def test_runs_the_tests_of_several_files_by_junit_disabled_ones_as_well() -> None:
    found = run_tests(program=FOLDER, tests=FOLDER_TESTS)

    outcomes = {case.name: case.outcome for case in found.cases}
    assert found.status is TestRunStatus.FAILED
    assert outcomes == {
        "BoardTest.first": CaseOutcome.PASSED,
        "BoardTest.second": CaseOutcome.PASSED,
        "BoardTest.many [1] 3": CaseOutcome.FAILED,
        "BoardTest.many [2] 4": CaseOutcome.PASSED,
    }
    failed = next(case for case in found.cases if case.outcome is CaseOutcome.FAILED)
    assert (failed.expected, failed.actual) == ("3", "4")
    assert failed.message == "AssertionFailedError: expected: <3> but was: <4> (line 26 of BoardTest.java)"


def test_compares_what_a_program_prints_for_each_input() -> None:
    cases = [{"input": "1", "output": "2\n"}, {"input": "2", "output": "5"}, {"input": "9", "output": "18"}]

    found = run_tests(program=DOUBLING, tests=json.dumps({"cases": cases}), kind="stdin")
    unbuilt = run_tests(program=DOUBLING.replace("n * 2", "m"), tests=json.dumps({"cases": cases}), kind="stdin")

    assert [case.outcome for case in found.cases] == [CaseOutcome.PASSED, CaseOutcome.FAILED, CaseOutcome.ERROR]
    assert found.cases[2].message == "java.lang.IllegalStateException: nine (line 6 of Doubling.java)"
    assert (unbuilt.status, unbuilt.message.endswith("(line 7 of the program)")) == (TestRunStatus.BUILD, True)


def test_says_which_tests_it_cannot_run() -> None:
    calls = run_tests(program=PROGRAM, tests='{"cases": []}', kind="calls")
    empty = run_tests(program=PROGRAM, tests="class Main {}\n")

    assert calls.message == "tests of kind 'calls' cannot be run on Java programs"
    assert (empty.status, empty.message) == (
        TestRunStatus.ERROR,
        "the tests hold no class with a method main",
    )


def test_gives_both_files_the_imports_of_the_program_and_keeps_the_lines_of_the_tests() -> None:
    tests = java_source.arranged(PROGRAM, TESTS)

    assert list(tests.files) == ["Solution.java", "Main.java"]
    assert tests.files["Main.java"].split("\n")[0] == "import java.util.*; public class Main {"
    assert tests.files["Main.java"].count("\n") == TESTS.count("\n")
    assert tests.starts == ("Main",)


def test_names_a_file_after_its_public_class() -> None:
    files = java_source.program_files("class Helper {}\npublic final class Shape {}\n")

    assert list(files) == ["Shape.java"]
