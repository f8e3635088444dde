"""Mechanical rewrites: a package for Python, one for the brace languages, one module a family of rules."""

from __future__ import annotations

from collections.abc import Mapping

from perturbation.rules.mechanical import braces, python
from perturbation.rules.source import Rewrite

REWRITES: Mapping[str, Mapping[str, Rewrite]] = {"python": python.REWRITES, **braces.REWRITES}
"""Language id -> rule id -> rewrite."""
