"""Every rewrite before and after, from the files in rule_examples, and programs in which it has no site."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from perturbation.rules import registry
from perturbation.rules.source import Source

EXAMPLES = Path(__file__).with_name("rule_examples")


def _entries(kind: str) -> list[Any]:
    return [
        pytest.param(path.stem, entry, id=f"{path.stem}-{entry['language']}-{number}")
        for path in sorted(EXAMPLES.glob("*.toml"))
        for number, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))[kind])
    ]


def _run(rule_id: str, language: str, text: str, seed: str, protected: tuple[str, ...] = ()) -> str | None:
    rewrite = registry.mechanical_rewrite(rule_id, language)
    assert rewrite is not None
    return rewrite(Source(text=text, protected=frozenset(protected)), random.Random(seed))


@pytest.mark.parametrize(("rule_id", "entry"), _entries("example"))
def test_makes_the_expected_edit(rule_id: str, entry: dict[str, Any]) -> None:
    changed = _run(rule_id, entry["language"], entry["before"], entry["seed"], tuple(entry.get("protected", ())))

    assert changed == entry["after"]


@pytest.mark.parametrize(("rule_id", "entry"), _entries("no_site"))
def test_leaves_a_program_without_a_site_alone(rule_id: str, entry: dict[str, Any]) -> None:
    changed = [_run(rule_id, entry["language"], entry["text"], str(seed)) for seed in range(3)]

    assert changed == [None, None, None]


@pytest.mark.parametrize("rule", registry.all_rules(), ids=lambda rule: rule.id)
def test_leaves_text_that_does_not_parse_alone(rule: registry.Rule) -> None:
    assert _run(rule.id, "python", "def broken(:\n    return 1\n", "seed") is None
