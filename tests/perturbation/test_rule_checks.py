"""What `manage.py check` says about the rule catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest

from axiom_site import checks
from perturbation.rules import registry


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the catalogue that a test may break."""
    path = tmp_path / "catalogue.toml"
    path.write_text(registry.CATALOGUE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(registry, "CATALOGUE", path)
    monkeypatch.setattr(checks, "all_rules", registry.all_rules.__wrapped__)
    return path


def test_finds_nothing_wrong_with_the_catalogue_as_it_is() -> None:
    assert checks.check_rules(None) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "off-by-one"', 'id = "wrong-constant"', "wrong-constant is used more than once"),
        ("ceiling = 2", "ceiling = 6", "ceiling 6 is not in 1-5"),
        ('effort = "tweak"', 'effort = "some"', "aspect or effort is unknown"),
    ],
)
def test_refuses_a_catalogue_that_breaks_its_own_rules(catalogue: Path, old: str, new: str, said: str) -> None:
    catalogue.write_text(catalogue.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")

    (error,) = checks.check_rules(None)

    assert error.id == "axiom.E001"
    assert said in error.msg


def test_names_each_rewrite_without_a_tested_example(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = Path(checks.settings.BASE_DIR) / "tests" / "perturbation" / "brace_programs"
    monkeypatch.setattr(checks, "EXAMPLES", empty)

    found = checks.check_rules(None)

    assert len(found) == sum(len(rule.mechanical) for rule in registry.all_rules())
    assert found[0].id == "axiom.E002"
    assert found[0].msg.startswith(f"Rule {registry.all_rules()[0].id} has a rewrite for ")


def test_asks_for_no_examples_where_the_tests_are_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "EXAMPLES", tmp_path / "nowhere")

    assert checks.check_rules(None) == []
