"""The perturbation app: facts about programs."""

from __future__ import annotations

import importlib

from django.apps import AppConfig


class PerturbationConfig(AppConfig):
    """Programs, how they were made, and what was found out about them."""

    name = "perturbation"
    verbose_name = "Programs"

    def ready(self) -> None:
        """Register the system checks, which read the rule catalogue."""
        importlib.import_module("axiom_site.checks")
