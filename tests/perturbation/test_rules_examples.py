"""Every rewrite before and after, from the files in rule_examples, and programs in which it has no site.

Python's stand in rule_examples itself, those of another language in a folder of its name.
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from perturbation.rules import registry
from perturbation.rules.source import Source

EXAMPLES = Path(__file__).with_name("rule_examples")

BROKEN = {
    "cpp": "int f( { return 1; }\n",
    "go": "package main\n\nfunc f( {\n\treturn 1\n}\n",
    "java": "class A { int f( { return 1; } }\n",
    "javascript": "function f( { return 1; }\n",
    "python": "def broken(:\n    return 1\n",
    "rust": "fn f( { return 1; }\n",
}


def _entries(kind: str) -> list[Any]:
    return [
        pytest.param(path.stem, entry, id=f"{path.stem}-{entry['language']}-{number}")
        for path in sorted(EXAMPLES.rglob("*.toml"))
        for number, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get(kind, []))
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


@pytest.mark.parametrize("language", BROKEN)
def test_leaves_text_that_does_not_parse_alone(language: str) -> None:
    rules = [rule.id for rule in registry.all_rules() if language in rule.mechanical]

    assert {_run(rule_id, language, BROKEN[language], "seed") for rule_id in rules} == {None}


@pytest.mark.parametrize("language", sorted(BROKEN.keys() - {"python"}))
def test_every_rewrite_that_keeps_behaviour_has_an_example_in_its_language(language: str) -> None:
    rules = {rule.id for rule in registry.all_rules() if rule.ceiling >= 3 and language in rule.mechanical}

    assert rules <= {path.stem for path in (EXAMPLES / language).glob("*.toml")}


@pytest.mark.parametrize(
    "text",
    [
        "def pair(a, b):\n    return a, b\n\n\ndef largest(x, y):\n    return max(pair(x, y), (0, 0))\n",
        "n = 1\n\n\ndef more(a):\n    return a + n\n\n\n"
        "def outer(n):\n    def inner(b):\n        return more(b)\n\n    return inner(n)\n",
    ],
    ids=["a tuple without brackets", "a name of the functions around the call"],
)
def test_inlines_no_helper_that_would_mean_something_else(text: str) -> None:
    assert _run("inline-helper", "python", text, "example") is None
