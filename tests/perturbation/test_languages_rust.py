"""Rust tests of every form on programs right, wrong, broken and hostile, through the real compiler and sandbox."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from perturbation.files import SourceFile, join
from perturbation.languages import prepare
from perturbation.languages.base import CaseOutcome, TestRun, TestRunStatus
from perturbation.languages.rust import RUST_LIMITS, prepare_folder, run_tests
from perturbation.languages.rust_compiler import toolchain
from perturbation.languages.rust_crates import prepared_crates
from perturbation.languages.rust_messages import Lines, first_error, missing_crates, read_libtest
from perturbation.sandbox import probe

PASSED, FAILED, ERROR = CaseOutcome.PASSED, CaseOutcome.FAILED, CaseOutcome.ERROR
TIMEOUT, NOT_RUN = CaseOutcome.TIMEOUT, CaseOutcome.NOT_RUN
TWICE = "use std::io::Write;\nfn twice(x: i32) -> i32 {\n    x * 2\n}\n"
TESTS = (
    "#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    "    #[test]\n    fn small() {\n        assert_eq!(twice(1), 2);\n    }\n"
    "    #[test]\n    fn large() {\n        assert_eq!(twice(200), 400);\n    }\n}\n"
)
LARGE, SMALL = "tests::large", "tests::small"  # the order in which libtest runs them
SHORT = replace(RUST_LIMITS, cpu_seconds=1, wall_seconds=60)


def outcomes(run: TestRun) -> list[tuple[str, CaseOutcome]]:
    return [(case.name, case.outcome) for case in run.cases]


def twice_with(body: str) -> str:
    return TWICE.replace("x * 2", body)


def test_passes_a_right_program_with_every_test_a_case() -> None:
    run = run_tests(program=TWICE, tests=TESTS)

    assert (run.status, run.message, run.inconclusive) == (TestRunStatus.PASSED, "", False)
    assert outcomes(run) == [(LARGE, PASSED), (SMALL, PASSED)]
    assert run.sandbox == probe().name


def test_tells_what_failed_with_both_sides_and_the_line() -> None:
    tests = (
        "#[cfg(test)]\nmod tests {\n    use super::*;\n"
        '    #[test]\n    fn a() { println!("test b ... ok"); assert_eq!(twice(2), 5, "two and {}", 2); }\n'
        "    #[test]\n    #[ignore]\n    fn b() { assert!(twice(2) == 5); }\n"
        "    #[test]\n    #[should_panic]\n    fn c() { twice(1); }\n"
        '    #[test]\n    fn d() -> Result<(), String> { Err("no".into()) }\n'
        "    #[test]\n    fn e() { twice(-1); }\n"
        '    #[test]\n    fn f() { std::io::stdout().write_all(b"loose\\ntest tests::g ... ok\\n").unwrap(); }\n'
        "}\n"
    )

    run = run_tests(program=twice_with("[0, 2, 4][x as usize]"), tests=tests)

    assert (run.status, run.message) == (TestRunStatus.FAILED, "1 of 6 cases passed")
    assert [(case.name[-1], case.outcome, case.expected, case.actual) for case in run.cases] == [
        ("a", FAILED, "5", "4"),
        ("b", FAILED, None, None),
        ("c", FAILED, None, None),
        ("d", ERROR, None, None),
        ("e", ERROR, None, None),
        ("f", PASSED, None, None),
    ]
    assert [case.message for case in run.cases[1:5]] == [
        "assertion failed: twice(2) == 5 (line 8 of the tests)",
        "test did not panic as expected",
        'Error: "no"',
        "index out of bounds: the len is 3 but the index is 18446744073709551615 (line 3 of the program)",
    ]
    assert run.cases[0].message.endswith("two and 2 (line 5 of the tests)")


def test_does_not_pass_a_program_that_leaves_early_with_a_forged_summary() -> None:
    forged = (
        "ok\\ntest tests::small ... ok\\n\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"
    )
    body = f'{{ std::io::stdout().write_all(b"{forged}\\n").unwrap(); std::process::exit(0) }}'

    run = run_tests(program=twice_with(body), tests=TESTS)

    assert run.status == TestRunStatus.CRASHED
    assert run.message == "the program ended the process (exit status 0) before the tests were done"


def test_tells_a_crash_and_what_was_running() -> None:
    run = run_tests(program=twice_with("{ if x == 1 { std::process::abort() } x * 2 }"), tests=TESTS)

    assert (run.status, run.message) == (TestRunStatus.CRASHED, "the program crashed with signal 6")
    assert outcomes(run) == [(LARGE, PASSED), (SMALL, ERROR)]


def test_ends_an_endless_loop_by_its_cpu_time() -> None:
    run = run_tests(program=twice_with("loop {}"), tests=TESTS, limits=SHORT)

    assert (run.status, run.message, run.inconclusive) == (
        TestRunStatus.TIMEOUT,
        "the program ran out of CPU time",
        False,
    )
    assert outcomes(run) == [(LARGE, TIMEOUT), ("small", NOT_RUN)]


def test_tells_too_much_memory_and_too_much_output_apart() -> None:
    greedy = run_tests(program=twice_with("vec![x; 1 << 30][5]"), tests=TESTS)
    loud = run_tests(program=twice_with('loop { std::io::stdout().write_all(b"hello").unwrap() }'), tests=TESTS)

    assert (greedy.status, greedy.message) == (TestRunStatus.MEMORY, "the program ran out of memory")
    assert (loud.status, loud.message) == (TestRunStatus.CRASHED, "the program printed too much")


@pytest.mark.parametrize(
    ("program", "tests", "message"),
    [
        (twice_with("x * y"), TESTS, "cannot find value `y` in this scope (line 3 of the program)"),
        (
            TWICE,
            TESTS.replace("twice(1)", "gone(1)"),
            "cannot find function `gone` in this scope (line 7 of the tests)",
        ),
    ],
)
def test_tells_what_does_not_compile_apart_from_what_fails(program: str, tests: str, message: str) -> None:
    run = run_tests(program=program, tests=tests)

    assert (run.status, run.cases, run.missing) == (TestRunStatus.BUILD, (), ())
    assert run.message.startswith(f"does not compile: {message.partition(' (')[0]}")
    assert run.message.endswith(message.partition(" (")[2])


def test_names_a_crate_that_is_not_here() -> None:
    run = run_tests(program="use no_such_crate::Thing;\n" + TWICE, tests=TESTS)

    assert (run.status, run.missing) == (TestRunStatus.BUILD, ("no_such_crate",))


def test_never_passes_on_tests_that_check_nothing() -> None:
    run = run_tests(program=TWICE, tests="/* #[test] */\n")

    assert (run.status, run.cases, run.message) == (TestRunStatus.ERROR, (), "the tests hold no case that ran")


def test_uses_the_crates_that_were_built_once() -> None:
    folder = prepare.folder("rust")
    prepare_folder(folder)

    again = prepare_folder(folder)
    run = run_tests(program="use md5;\nuse rand::Rng;\nuse regex::Regex;\n" + TWICE, tests=TESTS)

    assert again.startswith("crates already built: md5, rand, regex")
    assert {"md5", "rand", "regex"} <= set(prepared_crates(folder / "crates"))
    assert run.status == TestRunStatus.PASSED
    assert toolchain().version.startswith("rustc ")


def crate(body: str = "x * 2", dependencies: str = "") -> str:
    manifest = f'[package]\nname = "two-fer"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\n{dependencies}'
    return join(
        [
            SourceFile("src/lib.rs", "mod inner;\npub use inner::twice;\n"),
            SourceFile("src/inner.rs", f"pub fn twice(x: i32) -> i32 {{\n    {body}\n}}\n"),
            SourceFile("Cargo.toml", manifest),
        ],
        comment="//",
    )


CRATE_TESTS = join(
    [
        SourceFile("tests/first.rs", "use two_fer::twice;\n#[test]\nfn one() { assert_eq!(twice(1), 2); }\n"),
        SourceFile(
            "tests/second.rs", "use two_fer::*;\n#[test]\n#[ignore]\nfn two() {\n    assert_eq!(twice(2), 4);\n}\n"
        ),
    ],
    comment="//",
)


def test_runs_every_test_file_of_a_crate_with_what_is_ignored_by_default() -> None:
    right = run_tests(program=crate(), tests=CRATE_TESTS)
    wrong = run_tests(program=crate("x + 1"), tests=CRATE_TESTS)
    broken = run_tests(program=crate("x * y"), tests=CRATE_TESTS)

    names = ["tests/first.rs: one", "tests/second.rs: two"]
    assert (right.status, outcomes(right)) == (TestRunStatus.PASSED, [(name, PASSED) for name in names])
    assert (wrong.status, wrong.message) == (TestRunStatus.FAILED, "1 of 2 cases passed")
    assert outcomes(wrong) == [(names[0], PASSED), (names[1], FAILED)]
    assert wrong.cases[1].message.endswith("(line 5 of tests/second.rs)")
    assert broken.status == TestRunStatus.BUILD
    assert broken.message.endswith("(line 2 of src/inner.rs)")


def test_names_what_a_crate_requires_and_is_not_here() -> None:
    run = run_tests(program=crate("no_such::f(x)", 'no-such = "1"\n'), tests=CRATE_TESTS)

    assert (run.status, run.missing) == (TestRunStatus.BUILD, ("no_such",))


def test_runs_a_program_once_for_each_case_of_standard_input() -> None:
    program = (
        "use std::io::*;\nfn main() {\n    let mut text = String::new();\n"
        "    stdin().read_to_string(&mut text).unwrap();\n"
        "    let words: Vec<i32> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();\n"
        '    println!("{}", words[0] + words[1]);\n}\n'
    )
    cases = [("1 2", "3"), ("1\n2\n", "4"), ("8", "9")]
    tests = json.dumps({"cases": [{"input": given, "output": wanted} for given, wanted in cases]})

    run = run_tests(program=program, tests=tests, kind="stdin")

    assert (run.status, run.message) == (TestRunStatus.FAILED, "1 of 3 cases passed")
    assert [case.outcome for case in run.cases] == [PASSED, FAILED, ERROR]


def test_reads_the_panics_of_older_compilers() -> None:
    output = (
        "\nrunning 1 test\ntest tests::a ... FAILED\n\nfailures:\n\n---- tests::a stdout ----\n"
        "thread 'tests::a' panicked at 'assertion failed: `(left == right)`\n  left: `4`,\n"
        " right: `5`', program.rs:9:5\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\nfailures:\n    tests::a\n\n"
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    )

    told = read_libtest(output, planned=["a"], lines=Lines(program=4))

    assert (told.agrees, told.running) == (True, None)
    assert (told.cases[0].outcome, told.cases[0].expected, told.cases[0].actual) == (FAILED, "5", "4")
    assert told.cases[0].message == "assertion failed: `(left == right)` (line 5 of the tests)"


def test_does_not_agree_with_a_summary_of_other_counts() -> None:
    output = "test a ... ok\ntest b ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n"

    assert read_libtest(output, planned=["a", "b"], lines=Lines()).agrees is False
    assert read_libtest(output, planned=["a"], lines=Lines()).agrees is True


def test_counts_tests_that_macros_make() -> None:
    macro = (
        "macro_rules! doubles { ($name:ident, $x:expr) => { #[test] fn $name() { assert_eq!(twice($x), 2 * $x); } } }\n"
    )
    tests = f"{macro}doubles!(one, 1);\ndoubles!(two, 2);\n#[test]\nfn three() {{ assert_eq!(twice(3), 7); }}\n"

    run = run_tests(program=TWICE, tests=tests)

    assert (run.status, run.message) == (TestRunStatus.FAILED, "2 of 3 cases passed")
    assert outcomes(run) == [("one", PASSED), ("three", FAILED), ("two", PASSED)]


def test_names_only_crates_that_the_sources_use() -> None:
    messages = (
        "error: aborting due to 1 previous error\n"
        "program.rs:3:5: error[E0433]: failed to resolve: use of undeclared crate or module `typo`\n"
        "program.rs:1:5: error[E0432]: unresolved import `chrono`\n"
    )

    assert missing_crates(messages, ["use chrono::Utc;\nfn f() { typo::g() }\n"]) == ("chrono",)
    assert first_error(messages, Lines(program=2)).endswith("undeclared crate or module `typo` (line 1 of the tests)")
