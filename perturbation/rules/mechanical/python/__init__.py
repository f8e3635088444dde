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
    extracting,
    generality,
    hand_made,
    loops,
    merging,
    misconceptions,
    naming,
    omissions,
    operands,
    operators,
    parsing,
    structure,
    values,
)
from perturbation.rules.source import Rewrite

FAMILIES = (
    naming,
    equivalents,
    extracting,
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
    parsing,
)

REWRITES: Mapping[str, Rewrite] = {rule_id: run for family in FAMILIES for rule_id, run in family.REWRITES.items()}
