"""Rewrites of the brace languages that break functionality: what holds for all of them on the examples' programs."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from perturbation.languages import registry as languages
from perturbation.languages.base import TestRunStatus
from perturbation.rules import registry
from perturbation.rules.mechanical.braces.faults import REWRITES
from perturbation.rules.rows import rewritten_rows
from perturbation.rules.source import Source
from perturbation.tokens import token_equal

EXAMPLES = Path(__file__).with_name("rule_examples")
LANGUAGES = ("cpp", "go", "java", "javascript", "rust")
RULES = [rule for rule in registry.all_rules() if rule.id in REWRITES]
PAIRS = [(rule, language) for language in LANGUAGES for rule in RULES if language in rule.mechanical]


def _file(rule_id: str, language: str) -> dict[str, Any]:
    return tomllib.loads((EXAMPLES / language / f"{rule_id}.toml").read_text(encoding="utf-8"))


def _programs(language: str) -> list[str]:
    """The programs of all examples of a language."""
    files = [_file(rule.id, language) for rule, other in PAIRS if other == language]
    return sorted({entry["before"] for file in files for entry in file["example"]})


PROGRAMS = {language: _programs(language) for language in LANGUAGES}


def _run(rule_id: str, language: str, text: str, seed: str, protected: tuple[str, ...] = ()) -> str | None:
    rewrite = registry.mechanical_rewrite(rule_id, language)
    assert rewrite is not None
    return rewrite(Source(text=text, protected=frozenset(protected)), random.Random(seed))


@pytest.mark.parametrize("language", LANGUAGES)
def test_has_rewrites_at_both_ceilings_in_every_language(language: str) -> None:
    ceilings = [rule.ceiling for rule in RULES if language in rule.mechanical]

    missing = {rule.id for rule in RULES} - {rule.id for rule in RULES if language in rule.mechanical}

    assert missing == ({"wrong-default"} if language == "go" else set())
    assert (ceilings.count(2), ceilings.count(1)) == (16 if language == "go" else 17, 9)


@pytest.mark.parametrize(("rule", "language"), PAIRS, ids=lambda value: getattr(value, "id", value))
def test_parses_differs_and_repeats_itself(rule: registry.Rule, language: str) -> None:
    for text in PROGRAMS[language]:
        for seed in ("0", "1", "2"):
            changed = _run(rule.id, language, text, seed)

            assert changed == _run(rule.id, language, text, seed)
            if changed is not None:
                assert languages.get(language).parses(changed)
                assert not token_equal(text, changed, language)
                assert rule.ceiling == 2 or rewritten_rows(text, changed) >= 3


@pytest.mark.parametrize(("rule", "language"), PAIRS, ids=lambda value: getattr(value, "id", value))
def test_leaves_text_that_does_not_parse_alone(rule: registry.Rule, language: str) -> None:
    assert _run(rule.id, language, "{ ( broken\n", "seed") is None


def test_draws_different_sites_with_different_seeds() -> None:
    text = "int f(int a, int b) {\n    if (a < b) return a;\n    if (b > 9) return b;\n    return 0;\n}\n"

    drawn = {_run("wrong-boundary-comparison", "cpp", text, str(seed)) for seed in range(20)}

    assert drawn == {text.replace("a < b", "a <= b"), text.replace("b > 9", "b >= 9")}


def test_invents_no_name_that_the_tests_use() -> None:
    text = "function f(xs) {\n  return xs.includes(1);\n}\n"

    assert _run("hallucinated-api", "javascript", text, "s", ("contains",)) is None
    assert _run("hallucinated-api", "javascript", text, "s") == text.replace("includes", "contains")


def test_stubs_no_function_that_the_tests_call() -> None:
    text = _file("stubbed-helper", "javascript")["example"][1]["before"]

    assert _run("stubbed-helper", "javascript", text, "s", ("square", "cube")) is None


def test_keeps_an_import_of_go_that_the_tests_use() -> None:
    text = _file("omitted-processing-step", "go")["example"][0]["before"]

    changed = _run("omitted-processing-step", "go", text, "s", ("math",))

    assert changed is not None
    assert 'import "math"' in changed
    assert "range" not in changed


def test_names_no_variable_of_a_go_loop_that_nothing_reads_any_more() -> None:
    text = (
        "package main\n\nfunc F(xs []int) int {\n\tn := 0\n\tfor _, x := range xs {\n\t\tn++\n"
        "\t\tfor x > 0 {\n\t\t\tn++\n\t\t\tx--\n\t\t}\n\t}\n\treturn n\n}\n"
    )

    drawn = {_run("omitted-processing-step", "go", text, str(seed)) for seed in range(9)}

    assert (
        text.replace("for _, x := range", "for range").replace("\t\tfor x > 0 {\n\t\t\tn++\n\t\t\tx--\n\t\t}\n", "")
        in drawn
    )


CALLS = {
    "cpp": "#include <cassert>\nint main(){\n    assert(doubled({1, -2, 3, 3}) == vector<int>({2, 4, 6, 6}));\n}\n",
    "javascript": (
        "const testDoubled = () => {\n"
        "  console.assert(JSON.stringify(doubled([1, -2, 3, 3])) === '[2,4,6,6]')\n}\ntestDoubled()\n"
    ),
    "rust": (
        "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn test_doubled() {\n"
        "        assert_eq!(doubled(vec![1, -2, 3, 3]), vec![2, 4, 6, 6]);\n    }\n}\n"
    ),
}
HEADS = {"cpp": "#include <cstdlib>\n#include <vector>\nusing namespace std;\n", "javascript": "", "rust": ""}


@pytest.mark.parametrize("rule_id", ["lossy-data-structure", "state-across-iterations"])
@pytest.mark.parametrize("language", sorted(CALLS))
def test_builds_and_fails_the_tests(language: str, rule_id: str) -> None:
    example = _file(rule_id, language)["example"][0]

    runs = [
        languages.get(language).run_tests(
            program=HEADS[language] + example[side], tests=CALLS[language], entry_point="doubled"
        )
        for side in ("before", "after")
    ]

    assert [run.status for run in runs] == [TestRunStatus.PASSED, TestRunStatus.FAILED]
