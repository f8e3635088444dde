"""The rule catalogue as values: read once from catalogue.toml, checked, in catalogue order. Knows no Django."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from perturbation.rules.mechanical import REWRITES
from perturbation.rules.source import Rewrite

CATALOGUE = Path(__file__).with_name("catalogue.toml")
ASPECTS = frozenset({"none", "quality", "functionality"})
EFFORTS = frozenset({"none", "tweak", "refactor"})
CHANGE_CLASSES = frozenset({"code", "comment", "docstring", "whitespace", "literal", "rename", "move", "import order"})
LANGUAGES = frozenset({"cpp", "go", "java", "javascript", "python", "rust"})


class UnknownRule(LookupError):
    """No rule of the catalogue has this id."""


class BadCatalogue(ValueError):
    """The catalogue breaks one of its own rules; the message names the rule and the field."""


@dataclass(frozen=True)
class Rule:
    """One way to change a program, and the best score that a program changed this way can still get.

    ceiling: 1-5. aspect and effort: what is worse, and how much work puts it right (none at ceiling 5).
    instruction: what a model is told. languages: ids that the rule makes sense in. change_classes: what the
    difference is expected to consist of. mechanical: the languages with a mechanical rewrite. may_break_build: what
    comes out need not compile (a call that does not exist); all other rules must leave a program that builds.
    """

    id: str
    version: int
    title: str
    ceiling: int
    aspect: str
    effort: str
    instruction: str
    languages: tuple[str, ...]
    change_classes: tuple[str, ...]
    mechanical: tuple[str, ...]
    may_break_build: bool = False


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, in catalogue order; raises BadCatalogue when the data breaks an invariant."""
    rules = tuple(_rule(entry) for entry in tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))["rule"])
    problems = catalogue_problems(rules)
    if problems:
        raise BadCatalogue("; ".join(problems))
    return rules


def get(rule_id: str) -> Rule:
    """The rule with this id; raises UnknownRule."""
    for rule in all_rules():
        if rule.id == rule_id:
            return rule
    raise UnknownRule(f"no rule has the id {rule_id!r}; `manage.py list_rules` lists the catalogue")


def mechanical_rewrite(rule_id: str, language: str) -> Rewrite | None:
    """The mechanical rewrite of a rule for a language, or None where there is none."""
    return REWRITES.get(language, {}).get(rule_id)


def catalogue_problems(rules: Sequence[Rule]) -> list[str]:
    """What is wrong with a catalogue, one sentence each; empty when nothing is."""
    doubled = [rule_id for rule_id, times in Counter(rule.id for rule in rules).items() if times > 1]
    problems = [f"rule id {rule_id} is used more than once" for rule_id in doubled]
    known = {rule.id for rule in rules}
    for language, rewrites in REWRITES.items():
        problems += [
            f"a {language} rewrite is named {name}, which is no rule" for name in sorted(set(rewrites) - known)
        ]
    return problems + [f"rule {rule.id}: {text}" for rule in rules for text in _rule_problems(rule)]


def _rule_problems(rule: Rule) -> list[str]:
    expected = {5: ("none", "none"), 4: ("quality", "tweak"), 3: ("quality", "refactor")}
    expected |= {2: ("functionality", "tweak"), 1: ("functionality", "refactor")}
    checks = (
        (rule.ceiling in expected, f"ceiling {rule.ceiling} is not in 1-5"),
        (rule.aspect in ASPECTS and rule.effort in EFFORTS, "aspect or effort is unknown"),
        (expected.get(rule.ceiling) == (rule.aspect, rule.effort), "aspect and effort do not fit the ceiling"),
        (bool(rule.instruction.strip()), "instruction is empty"),
        (bool(rule.languages) and set(rule.languages) <= LANGUAGES, "languages are empty or unknown"),
        (
            bool(rule.change_classes) and set(rule.change_classes) <= CHANGE_CLASSES,
            "change classes are empty or unknown",
        ),
        (set(rule.mechanical) <= set(rule.languages), "has a rewrite for a language that it does not list"),
        (rule.version >= 1, "version is below 1"),
    )
    return [text for holds, text in checks if not holds]


def _rule(entry: Mapping[str, Any]) -> Rule:
    lists = {name: tuple(entry[name]) for name in ("languages", "change_classes")}
    mechanical = tuple(language for language, rewrites in sorted(REWRITES.items()) if entry["id"] in rewrites)
    return Rule(**{**entry, **lists, "mechanical": mechanical})
