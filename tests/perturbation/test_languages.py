"""Every language: known by id, parses right text and refuses wrong text, whatever the text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pygments.lexers import get_lexer_by_name

from perturbation import tokens
from perturbation.languages import IDS, registry
from perturbation.languages.base import LanguageNotRunnable, TestRunStatus, Toolchain
from perturbation.languages.building import Built, not_built
from perturbation.rules import registry as rules
from perturbation.sandbox import Outcome

RIGHT = {
    "python": "def f(x: int) -> int:\n    return x + 1\n",
    "cpp": "#include <vector>\nint f(int x) { return x + 1; }\n",
    "java": "class Solution { int f(int x) { return x + 1; } }\n",
    "javascript": "const f = (x) => x + 1;\n",
    "go": "package main\n\nfunc f(x int) int { return x + 1 }\n",
    "rust": "fn f(x: i32) -> i32 { x + 1 }\n",
}
WRONG = {
    "python": "def f(x:\n    return x + 1\n",
    "cpp": "int f(int x) { return x + ; }\n",
    "java": "class Solution { int f(int x { return x + 1; } }\n",
    "javascript": "const f = (x => x + 1;\n",
    "go": "package main\n\nfunc f(x int int { return x + 1 }\n",
    "rust": "fn f(x: i32) -> i32 { x + 1 \n",
}


def test_knows_six_languages_and_has_a_runner_for_each() -> None:
    languages = registry.all_languages()

    assert [one.id for one in languages] == ["python", "cpp", "java", "javascript", "go", "rust"]
    assert [one.id for one in languages if one.runner is None] == []
    assert languages[0].runnable is True
    assert [get_lexer_by_name(one.pygments_alias).name for one in languages] == [
        "Python",
        "C++",
        "Java",
        "JavaScript",
        "Go",
        "Rust",
    ]


def test_every_part_that_lists_languages_lists_the_same_ones() -> None:
    assert tuple(language.id for language in registry.all_languages()) == IDS
    assert rules.LANGUAGES == tokens.ALIASES.keys() == set(IDS)


def test_names_the_known_languages_when_asked_for_another() -> None:
    with pytest.raises(registry.UnknownLanguage, match="known are python, cpp, java, javascript, go, rust"):
        registry.get("cobol")


@pytest.mark.parametrize("language_id", RIGHT)
def test_parses_what_is_right_and_refuses_what_is_not(language_id: str) -> None:
    language = registry.get(language_id)

    assert language.parses(RIGHT[language_id]) is True
    assert language.parses(WRONG[language_id]) is False


@pytest.mark.parametrize("language_id", RIGHT)
@pytest.mark.parametrize("text", ["(" * 100_000, "x\0y", "\udc80", "-" * 200_000 + "1 ("])
def test_refuses_hostile_text_without_an_error(language_id: str, text: str) -> None:
    assert registry.get(language_id).parses(text) is False


def test_says_what_to_install_where_a_language_cannot_be_run() -> None:
    nowhere = Toolchain(is_there=False, how_to="install the package x")
    without = replace(registry.get("rust"), toolchain=lambda: nowhere)

    assert without.runnable is False
    with pytest.raises(LanguageNotRunnable, match="Rust programs cannot be run here: install the package x"):
        without.run_tests(program=RIGHT["rust"], tests="")
    with pytest.raises(LanguageNotRunnable, match="Rust programs cannot be run yet"):
        replace(without, runner=None).run_tests(program=RIGHT["rust"], tests="")


@pytest.mark.parametrize("text", ["return 1", "x = '\\d'", "nonlocal x", "await f()"])
def test_parses_python_as_the_compiler_does(text: str) -> None:
    assert registry.get("python").parses(text) is (text == "x = '\\d'")


@pytest.mark.parametrize(
    ("killed_by", "status", "is_inconclusive", "message"),
    [
        (None, TestRunStatus.BUILD, False, "does not compile: no such name"),
        ("cpu_time", TestRunStatus.BUILD, False, "the compiler ran out of CPU time"),
        ("memory", TestRunStatus.BUILD, False, "the compiler used too much memory"),
        (
            "wall_time",
            TestRunStatus.TIMEOUT,
            True,
            "the compiler ran out of wall-clock time; this depends on the machine's load",
        ),
    ],
)
def test_takes_what_ends_a_compiler_for_no_failing_test(
    killed_by: str | None, status: TestRunStatus, is_inconclusive: bool, message: str
) -> None:
    outcome = Outcome(1, None, b"", b"", b"", 1.0, 1.0, killed_by, truncated=False)

    run = not_built(Built(b"", "no such name", outcome), "no such name")

    assert (run.status, run.inconclusive, run.message) == (status, is_inconclusive, message)
    assert run.cases == ()
