"""Mechanical rewrites: one package a language, one module a family of rules."""

from __future__ import annotations

from collections.abc import Mapping

from perturbation.rules.mechanical import python
from perturbation.rules.source import Rewrite

REWRITES: Mapping[str, Mapping[str, Rewrite]] = {"python": python.REWRITES}
"""Language id -> rule id -> rewrite."""
