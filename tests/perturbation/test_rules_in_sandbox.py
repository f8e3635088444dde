"""Rewrites against the tests of real programs: ceilings 3 and more keep them passing, ceilings 1 and 2 break some."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path

import pytest

import perturbation
from perturbation.languages import registry as languages
from perturbation.languages.base import TestRunStatus
from perturbation.rewriting import NotApplicable
from perturbation.rewriting.mechanical import MechanicalRewriter
from perturbation.rules import registry
from perturbation.rules.registry import Rule

SAMPLE = Path(perturbation.__file__).parent / "sample"
FOLDERS = sorted(path for path in SAMPLE.iterdir() if (path / "reference.py").is_file())
RULES = tuple(rule for rule in registry.all_rules() if "python" in rule.mechanical)
RARE = frozenset({"inline-temporary", "loop-to-comprehension", "modern-type-hints", "mutable-default"})
"""Rules that good programs of the sample give no site to; their examples cover them."""


@cache
def _status(text: str, folder: Path) -> TestRunStatus:
    tests = (folder / "tests.py").read_text(encoding="utf-8")
    entry_point = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))["entry_point"]
    return languages.get("python").run_tests(program=text, tests=tests, entry_point=entry_point).status


def _rewritten(rule: Rule, *, most: int) -> list[tuple[str, Path]]:
    """The sample's references rewritten by a rule, `most` of them, drawn by the rule's id."""
    made: list[tuple[str, Path]] = []
    for folder in random.Random(rule.id).sample(FOLDERS, len(FOLDERS)):
        tests = (folder / "tests.py").read_text(encoding="utf-8")
        text, names = (folder / "reference.py").read_text(encoding="utf-8"), frozenset(re.findall(r"\w+", tests))
        try:
            changed = MechanicalRewriter().rewrite(
                text=text, rule=rule, language="python", protected=names, seed=folder.name
            )
        except NotApplicable:
            continue
        made.append((changed.text, folder))
        if len(made) == most:
            break
    return made


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.ceiling >= 3 and rule.id not in RARE], ids=lambda rule: rule.id
)
def test_keeps_the_tests_passing(rule: Rule) -> None:
    made = _rewritten(rule, most=3)

    statuses = [_status(text, folder) for text, folder in made]

    assert statuses
    assert statuses == [TestRunStatus.PASSED] * len(made)


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.ceiling <= 2 and rule.id not in RARE], ids=lambda rule: rule.id
)
def test_breaks_at_least_one_program(rule: Rule) -> None:
    made = _rewritten(rule, most=6)

    assert any(_status(text, folder) is not TestRunStatus.PASSED for text, folder in made)
