"""All rewrites of the brace languages that break functionality (ceilings 2 and 1), by rule id."""

from __future__ import annotations

from collections.abc import Mapping

from perturbation.rules.mechanical.braces import (
    arithmetic,
    comparisons,
    invented_calls,
    wrong_boundaries,
    wrong_operands,
    wrong_values,
)
from perturbation.rules.mechanical.braces.rule import BraceRule

FAMILIES = (comparisons, arithmetic, wrong_values, wrong_boundaries, wrong_operands, invented_calls)

REWRITES: Mapping[str, BraceRule] = {rule_id: rule for family in FAMILIES for rule_id, rule in family.REWRITES.items()}
