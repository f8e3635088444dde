"""The mechanical rewrites for Python, by rule id."""

from __future__ import annotations

from collections.abc import Mapping

from perturbation.rules.mechanical.python import (
    apis,
    arrangements,
    boundaries,
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
    operands,
    operators,
    structure,
    values,
)
from perturbation.rules.source import Rewrite

FAMILIES = (
    naming,
    equivalents,
    arrangements,
    loops,
    documentation,
    clutter,
    hand_made,
    structure,
    merging,
    generality,
    operators,
    values,
    boundaries,
    operands,
    apis,
    omissions,
    misconceptions,
)

REWRITES: Mapping[str, Rewrite] = {rule_id: run for family in FAMILIES for rule_id, run in family.REWRITES.items()}
