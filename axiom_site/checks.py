"""System checks that `manage.py check` runs: the rule catalogue, and settings that do not fit production mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004

from axiom_site import env
from perturbation.rules.registry import BadCatalogue, all_rules


@register()
def check_rules(app_configs: Sequence[AppConfig] | None, **_kwargs: Any) -> list[CheckMessage]:
    """Refuse a catalogue that breaks its own rules: an id twice, a ceiling outside 1 to 5, an effort that misfits."""
    del app_configs
    try:
        all_rules()
    except BadCatalogue as error:
        return [Error(str(error), hint="Mend perturbation/rules/catalogue.toml.", id="axiom.E001")]
    return []


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
