"""The mechanical rewrites for Python, by rule id."""

from __future__ import annotations

from collections.abc import Mapping

from perturbation.rules.mechanical.python import (
    apis,
    clutter,
    documentation,
    equivalents,
    generality,
    hand_made,
    loops,
    merging,
    misconceptions,
    naming,
    omissions,
    operators,
    structure,
)
from perturbation.rules.source import Rewrite

FAMILIES = (
    naming,
    equivalents,
    loops,
    documentation,
    clutter,
    hand_made,
    structure,
    merging,
    generality,
    operators,
    apis,
    omissions,
    misconceptions,
)

REWRITES: Mapping[str, Rewrite] = {rule_id: run for family in FAMILIES for rule_id, run in family.REWRITES.items()}
