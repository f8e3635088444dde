"""System checks that `manage.py check` runs: the rule catalogue, and settings that do not fit production mode."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004

from axiom_site import env
from perturbation.rules.registry import BadCatalogue, all_rules

EXAMPLES = Path(settings.BASE_DIR) / "tests" / "perturbation" / "rule_examples"


@register()
def check_rules(app_configs: Sequence[AppConfig] | None, **_kwargs: Any) -> list[CheckMessage]:
    """Refuse a catalogue that breaks its own rules: an id twice, a ceiling outside 1 to 5, an effort that misfits, a
    rewrite without an example that is tested.
    """
    del app_configs
    try:
        rules = all_rules()
    except BadCatalogue as error:
        return [Error(str(error), hint="Mend perturbation/rules/catalogue.toml.", id="axiom.E001")]
    if not EXAMPLES.is_dir():
        return []  # an installation without its tests
    hint = f"Write the program before and after it into {EXAMPLES.relative_to(settings.BASE_DIR)}."
    return [
        Error(f"Rule {rule.id} has a rewrite for {language} and no tested example of it.", hint=hint, id="axiom.E002")
        for rule in rules
        for language in rule.mechanical
        if not example_file(rule.id, language).is_file()
    ]


def example_file(rule_id: str, language: str) -> Path:
    """Where the examples of a rule's rewrite for a language are."""
    return EXAMPLES / ("" if language == "python" else language) / f"{rule_id}.toml"


@register(Tags.security, deploy=True)
def check_production(app_configs: Sequence[AppConfig] | None, **_kwargs: Any) -> list[CheckMessage]:
    """Warn of settings that are meant for a laptop."""
    del app_configs
    found: list[CheckMessage] = []
    if env.flag("AXIOM_ALLOW_UNPROTECTED", default=False):
        found.append(
            Warning(
                "AXIOM_ALLOW_UNPROTECTED is on: programs, which are hostile text, may run without a sandbox.",
                hint="Unset it and install bubblewrap.",
                id="axiom.W001",
            )
        )
    if not settings.PRODUCTION:
        found.append(Warning("AXIOM_PRODUCTION is off.", hint="Set AXIOM_PRODUCTION=1 on a server.", id="axiom.W002"))
    return found
