"""The annotation app: facts about people and scores."""

from __future__ import annotations

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Who scores which program, the scores, and how well they agree."""

    name = "annotation"
    verbose_name = "Calibration"
