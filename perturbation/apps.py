"""The perturbation app: facts about programs."""

from __future__ import annotations

from django.apps import AppConfig


class PerturbationConfig(AppConfig):
    """Programs, how they were made, and what was found out about them."""

    name = "perturbation"
    verbose_name = "Programs"
