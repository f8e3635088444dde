"""The catalogue as data: its invariants, and what a broken one is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from perturbation.rules import registry
from perturbation.rules.mechanical import REWRITES

EXAMPLES = Path(__file__).with_name("rule_examples")


def test_catalogue_has_enough_rules_at_every_ceiling() -> None:
    ceilings = Counter(rule.ceiling for rule in registry.all_rules())

    assert len(registry.all_rules()) >= 45
    assert set(ceilings) == {1, 2, 3, 4, 5}
    assert min(ceilings.values()) >= 8


FOR_MODELS_ALONE = {"greedy-choice"}
"""What no syntax tells: which problem a program solves, and how."""


def test_every_rule_has_a_python_rewrite_and_every_rewrite_a_rule() -> None:
    assert {rule.id for rule in registry.all_rules()} - FOR_MODELS_ALONE == set(REWRITES["python"])
    assert {rule.id for rule in registry.all_rules() if not rule.mechanical} == FOR_MODELS_ALONE


def test_every_rule_has_examples_and_every_example_file_a_rule() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.toml")} == {
        rule.id for rule in registry.all_rules() if rule.mechanical
    }


def test_catalogue_has_no_problems() -> None:
    assert registry.catalogue_problems(registry.all_rules()) == []


def test_get_finds_a_rule_by_id() -> None:
    rule = registry.get("off-by-one")

    assert (rule.ceiling, rule.aspect, rule.effort) == (2, "functionality", "tweak")


def test_get_refuses_an_unknown_id() -> None:
    with pytest.raises(registry.UnknownRule, match="no rule has the id 'off-by-two'"):
        registry.get("off-by-two")


def test_names_no_rewrite_for_a_language_without_one() -> None:
    assert registry.mechanical_rewrite("off-by-one", "cobol") is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ceiling": 6}, "ceiling 6 is not in 1-5"),
        ({"aspect": "beauty"}, "aspect or effort is unknown"),
        ({"effort": "refactor"}, "aspect and effort do not fit the ceiling"),
        ({"instruction": " "}, "instruction is empty"),
        ({"languages": ("cobol", "python")}, "languages are empty or unknown"),
        ({"change_classes": ()}, "change classes are empty or unknown"),
        ({"languages": ("go",)}, "has a rewrite for a language that it does not list"),
        ({"version": 0}, "version is below 1"),
    ],
)
def test_names_what_is_wrong_with_a_rule(change: dict[str, object], problem: str) -> None:
    others = [rule for rule in registry.all_rules() if rule.id != "off-by-one"]
    broken = replace(registry.get("off-by-one"), **change)  # type: ignore[arg-type]

    problems = registry.catalogue_problems([*others, broken])

    assert f"rule off-by-one: {problem}" in problems


def test_names_a_doubled_id_and_a_rewrite_without_a_rule() -> None:
    rule = registry.get("off-by-one")

    problems = registry.catalogue_problems([rule, rule])

    assert "rule id off-by-one is used more than once" in problems
    assert "a python rewrite is named stale-cache, which is no rule" in problems
