"""C++ tests of every form on programs right, wrong, broken and hostile, through the real compiler and sandbox."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from perturbation.files import SourceFile, join
from perturbation.languages import prepare
from perturbation.languages.base import CaseOutcome, TestRun, TestRunStatus
from perturbation.languages.cpp import CPP_LIMITS, prepare_folder, run_tests, toolchain
from perturbation.languages.cpp_messages import first_error, missing_headers
from perturbation.languages.cpp_tests import catch_cases, number_asserts
from perturbation.sandbox import probe

PASSED, FAILED, ERROR = CaseOutcome.PASSED, CaseOutcome.FAILED, CaseOutcome.ERROR
TIMEOUT, NOT_RUN = CaseOutcome.TIMEOUT, CaseOutcome.NOT_RUN
_INCLUDES = "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n#include <vector>\n"
TWICE = _INCLUDES + "int twice(int x) { return x * 2; }\n"
TESTS = "#undef NDEBUG\n#include <assert.h>\nint main() {\n    assert(twice(2) == 4);\n    assert(twice(0) == 0);\n}\n"
SHORT = replace(CPP_LIMITS, cpu_seconds=1, wall_seconds=60)
CATCH_HEADER = Path("/usr/include/catch2/catch.hpp")


def outcomes(run: TestRun) -> list[tuple[str, CaseOutcome]]:
    return [(case.name, case.outcome) for case in run.cases]


def twice_with(body: str) -> str:
    return TWICE.replace("return x * 2;", body)


def test_passes_a_right_program_with_every_assert_a_case() -> None:
    run = run_tests(program=TWICE, tests=TESTS)

    assert (run.status, run.message, run.inconclusive) == (TestRunStatus.PASSED, "", False)
    assert outcomes(run) == [("L4: twice(2) == 4", PASSED), ("L5: twice(0) == 0", PASSED)]
    assert run.sandbox == probe().name
    assert run.seconds > 0


def test_goes_on_after_a_failing_assert_and_tells_both_values() -> None:
    program = TWICE + "#include <string>\nusing namespace std;\nvector<int> both(int x) { return {x, x}; }\n"
    tests = (
        "#include <cassert>\n#include <map>\nint main() {\n"
        '    assert(twice(2) == 5); assert(twice(3) == 6 && "words");\n'
        "    assert((both(1) == vector<int>{1, 2}) || false);\n"
        "    assert(both(1) == vector<int>(1, 7));\n"
        '    assert(string("a\\"b") + "c" == "ab");\n'
        "    assert(make_pair('x', true) == make_pair('y', 0.5f > 1));\n"
        "    assert(both(2).at(5) == 1);\n"
        "    for (int i = 0; i < 5; i++) assert(twice(i) < 5);\n"
        '    map<string, int> seen{{"k", 1}};\n'
        "    assert(!(seen.size() & 1));\n"
        "}\n"
    )

    run = run_tests(program=program, tests=tests)

    assert (run.status, run.message) == (TestRunStatus.FAILED, "1 of 9 cases passed")
    assert [(case.outcome, case.expected, case.actual) for case in run.cases] == [
        (FAILED, "5", "4"),
        (PASSED, None, None),
        (FAILED, None, None),
        (FAILED, "{7}", "{1, 1}"),
        (FAILED, '"ab"', '"a"bc"'),
        (FAILED, "('y', false)", "('x', true)"),
        (ERROR, None, None),
        (FAILED, "5", "6"),
        (FAILED, None, None),
    ]
    assert run.cases[6].message.startswith("threw an exception: vector::_M_range_check")


def test_takes_asserts_as_they_stand_where_they_cannot_be_taken_apart() -> None:
    asserts = "assert(none() == 0); assert(twice(1) == 3);"
    tests = f"#include <cassert>\nint* none() {{ return nullptr; }}\nint main() {{ {asserts} }}\n"

    run = run_tests(program=TWICE, tests=tests)

    assert outcomes(run) == [("L3: none() == 0", PASSED), ("L3: twice(1) == 3", FAILED)]


def test_leaves_the_asserts_of_the_program_itself_alone() -> None:
    program = "#include <cassert>\n" + twice_with("assert(x > 0); return x * 2;")

    run = run_tests(program=program, tests=TESTS)

    assert (run.status, run.message) == (TestRunStatus.CRASHED, "the program crashed with signal 6")
    assert outcomes(run) == [("L4: twice(2) == 4", PASSED), ("L5: twice(0) == 0", ERROR)]


@pytest.mark.parametrize("leave", ["exit(0);", "_exit(0);", 'printf("ok\\n"); quick_exit(0);'])
def test_does_not_pass_a_program_that_leaves_early(leave: str) -> None:
    run = run_tests(program=twice_with(f"if (x == 0) {{ {leave} }} return x * 2;"), tests=TESTS)

    assert run.status == TestRunStatus.CRASHED
    assert run.message == "the program ended the process (exit status 0) before the tests were done"
    assert outcomes(run) == [("L4: twice(2) == 4", PASSED), ("L5: twice(0) == 0", ERROR)]


def test_does_not_believe_records_that_the_program_forges() -> None:
    forged = r'"\nforged [\"end\", 0]\n [\"case\", \"#0\", \"passed\", null, null, \"\", 0]\n[\"end\", 0]\n"'
    body = f"for (int fd = 3; fd < 64; fd++) dprintf(fd, {forged}); printf({forged}); fflush(stdout); _exit(0);"

    run = run_tests(program=twice_with(body), tests=TESTS)

    assert run.status == TestRunStatus.CRASHED
    assert outcomes(run) == [("L4: twice(2) == 4", ERROR), ("L5: twice(0) == 0", NOT_RUN)]


def test_tells_a_crash_and_what_was_running() -> None:
    run = run_tests(program=twice_with("volatile int* nothing = nullptr; return *nothing;"), tests=TESTS)

    assert (run.status, run.message) == (TestRunStatus.CRASHED, "the program crashed with signal 11")
    assert [case.outcome for case in run.cases] == [ERROR, NOT_RUN]


def test_ends_a_program_that_reads_past_the_end_of_a_vector() -> None:
    run = run_tests(program=twice_with("std::vector<int> v(1, 4); return v[x];"), tests=TESTS)

    assert (run.status, run.cases[0].outcome) == (TestRunStatus.CRASHED, ERROR)


def test_ends_an_endless_loop_by_its_cpu_time() -> None:
    run = run_tests(program=twice_with("for (volatile int i = 0;; i = i + 1) {} return 0;"), tests=TESTS, limits=SHORT)

    assert (run.status, run.message, run.inconclusive) == (
        TestRunStatus.TIMEOUT,
        "the program ran out of CPU time",
        False,
    )
    assert [case.outcome for case in run.cases] == [TIMEOUT, NOT_RUN]


def test_tells_too_much_memory_and_too_much_output_apart() -> None:
    greedy = run_tests(program=twice_with("return std::vector<long>(1000000000L, x)[5];"), tests=TESTS)
    loud = run_tests(program=twice_with('for (;;) puts("hello"); return 0;'), tests=TESTS)

    assert (greedy.status, greedy.message) == (TestRunStatus.MEMORY, "the program ran out of memory")
    assert (loud.status, loud.message) == (TestRunStatus.CRASHED, "the program printed too much")
    assert loud.output.startswith("hello\nhello\n")
    assert loud.output.endswith("[output cut: the limit was reached]")


@pytest.mark.parametrize(
    ("program", "tests", "message"),
    [
        (twice_with("return y;"), TESTS, "'y' was not declared in this scope (line 5 of the program)"),
        (
            TWICE,
            TESTS.replace("twice(0)", "missing(0)"),
            "'missing' was not declared in this scope (line 5 of the tests)",
        ),
        (TWICE, "", "undefined reference to 'main'"),
    ],
)
def test_tells_what_does_not_compile_apart_from_what_fails(program: str, tests: str, message: str) -> None:
    run = run_tests(program=program, tests=tests)

    assert (run.status, run.cases, run.missing) == (TestRunStatus.BUILD, (), ())
    assert run.message == f"does not compile: {message}"


def test_names_a_header_that_is_not_here() -> None:
    run = run_tests(program="#include <boost/no_such_part.hpp>\n" + TWICE, tests=TESTS)

    assert (run.status, run.missing) == (TestRunStatus.BUILD, ("boost/no_such_part.hpp",))


def test_never_passes_on_tests_that_check_nothing_or_whose_main_fails() -> None:
    nothing = run_tests(program=TWICE, tests="int main() { twice(1); }\n")
    failing = run_tests(program=TWICE, tests="#include <cassert>\nint main() { assert(twice(1) == 2); return 3; }\n")

    assert (nothing.status, nothing.message) == (TestRunStatus.ERROR, "the tests hold no case that ran")
    assert (failing.status, failing.message) == (TestRunStatus.FAILED, "every case passed, but main returned 3")


def test_tells_an_exception_outside_of_the_asserts() -> None:
    tests = TESTS.replace("    assert(twice(0)", "    std::vector<int>().at(1);\n    assert(twice(0)")

    run = run_tests(program=TWICE, tests=tests)

    assert run.status == TestRunStatus.ERROR
    assert outcomes(run) == [("L4: twice(2) == 4", PASSED), ("L6: twice(0) == 0", NOT_RUN), ("main", ERROR)]


def test_runs_a_program_once_for_each_case_of_standard_input() -> None:
    program = (
        "#include <iostream>\nint main() {\n    int a, b;\n    std::cin >> a >> b;\n    if (a == 7) for (;;) {}\n"
        "    if (a == 8) return 3;\n    std::cout << a + b << std::endl;\n}\n"
    )
    cases = [("1 2", "3"), ("1 2", "4"), ("8 1", "9"), ("7 1", "8"), ("2 2", "4")]
    tests = json.dumps({"cases": [{"input": given, "output": wanted} for given, wanted in cases]})

    run = run_tests(program=program, tests=tests, kind="stdin", limits=SHORT)

    assert (run.status, run.message) == (TestRunStatus.TIMEOUT, "case 4: the program ran out of CPU time")
    assert [case.outcome for case in run.cases] == [PASSED, FAILED, ERROR, TIMEOUT, NOT_RUN]
    assert run.cases[2].message == "the program ended with exit status 3"


def test_says_that_calls_cannot_be_made() -> None:
    run = run_tests(program=TWICE, tests='{"cases": []}', kind="calls")

    assert (run.status, run.message) == (
        TestRunStatus.ERROR,
        "tests of kind 'calls' cannot be run on C++ programs",
    )


def several(body: str = "return 2 * x;") -> str:
    header = SourceFile("twice.h", "#pragma once\nnamespace t { int twice(int x); }\n")
    code = SourceFile("twice.cpp", f'#include "twice.h"\nnamespace t {{\nint twice(int x) {{ {body} }}\n}}\n')
    return join([header, code], comment="//")


def test_builds_several_files() -> None:
    tests = '#include <cassert>\n#include "twice.h"\nint main() {\n    assert(t::twice(1) == 2);\n}\n'
    tests = join([SourceFile("twice_test.cpp", tests)], comment="//")

    right = run_tests(program=several(), tests=tests)
    broken = run_tests(program=several("return y;"), tests=tests)

    assert (right.status, outcomes(right)) == (TestRunStatus.PASSED, [("L4: t::twice(1) == 2", PASSED)])
    assert broken.message == "does not compile: 'y' was not declared in this scope (line 3 of twice.cpp)"


def test_runs_catch_cases_with_those_that_are_off_by_default() -> None:
    cases = (
        '#include "twice.h"\n#include "test/catch.hpp"\nTEST_CASE("one") { REQUIRE(t::twice(1) == 2); }\n'
        '#if defined(EXERCISM_RUN_ALL_TESTS)\nTEST_CASE("two", "[tag]") { REQUIRE(t::twice(2) == 4); }\n'
        'TEST_CASE("three") { REQUIRE(t::twice(3) == 6); }\n#endif\n'
    )
    tests = join(
        [
            SourceFile("twice_test.cpp", cases),
            SourceFile("test/catch.hpp", CATCH_HEADER.read_text()),
            SourceFile("test/tests-main.cpp", '#define CATCH_CONFIG_MAIN\n#include "catch.hpp"\n'),
        ],
        comment="//",
    )

    right = run_tests(program=several(), tests=tests)
    wrong = run_tests(program=several("return x == 2 ? 5 : x == 3 ? throw 7 : 2 * x;"), tests=tests)
    leaving = run_tests(program=several("if (x == 2) __builtin_exit(0); return 2 * x;"), tests=tests)

    assert (right.status, outcomes(right)) == (
        TestRunStatus.PASSED,
        [("one", PASSED), ("two", PASSED), ("three", PASSED)],
    )
    assert (wrong.status, outcomes(wrong)) == (
        TestRunStatus.FAILED,
        [("one", PASSED), ("two", FAILED), ("three", ERROR)],
    )
    assert wrong.cases[1].message == "REQUIRE( t::twice(2) == 4 ): 5 == 4"
    assert (leaving.status, outcomes(leaving)) == (
        TestRunStatus.CRASHED,
        [("one", PASSED), ("two", ERROR), ("three", NOT_RUN)],
    )


def test_prepares_once() -> None:
    folder = prepare.folder("cpp")

    prepare_folder(folder)
    again = prepare_folder(folder)

    assert again == "already prepared"
    assert (folder / "include" / "bits" / "stdc++.h.gch").exists()
    assert toolchain().version.startswith("g++ ")


def test_numbers_the_asserts_of_code_and_leaves_comments_strings_and_methods() -> None:
    text = 'int main() {\n  // assert(no)\n  assert (f("assert(no)"));  x.assert(no);\n  if (y) assert(a,\n    b);\n}\n'

    tests = number_asserts(text, first=4)

    assert tests.text.splitlines()[2:5] == [
        '  axiom_case("#4", f("assert(no)"));  x.assert(no);',
        '  if (y) axiom_case("#5", a,',
        "    b);",
    ]
    assert tests.names == ('L3: f("assert(no)")', "L4: a, b")
    assert tests.sure == (4,)


def test_reads_the_names_of_catch_cases() -> None:
    text = 'TEST_CASE("one")\n  TEST_CASE( "a \\"b\\" c", "[x]" ) {}\nSCENARIO("three") {}\n'

    assert catch_cases(text) == ["one", 'a "b" c', "three"]


def test_names_the_place_in_the_program_for_an_error_inside_a_header() -> None:
    messages = (
        "In file included from /usr/include/c++/12/algorithm:61:\n"
        "program.cpp:7:8:   required from here\n"
        "/usr/include/c++/12/bits/predefined_ops.h:45:16: error: no match for 'operator<'\n"
    )

    assert first_error(messages) == "no match for 'operator<' (line 7 of the program)"
    assert first_error("") == "the compiler gave no message"
    assert missing_headers("a.cpp:1:10: fatal error: x/y.hpp: No such file or directory\n") == ("x/y.hpp",)
