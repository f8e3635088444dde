"""All rewrites of the brace languages that break functionality (ceilings 2 and 1), by rule id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from perturbation.rules.mechanical.braces import (
    arithmetic,
    comparisons,
    invented_calls,
    left_out,
    wrong_boundaries,
    wrong_loops,
    wrong_operands,
    wrong_results,
    wrong_values,
)
from perturbation.rules.mechanical.braces.go_unused import Settled
from perturbation.rules.mechanical.braces.rule import BraceRule

FAMILIES = (
    comparisons,
    arithmetic,
    wrong_values,
    wrong_boundaries,
    wrong_operands,
    invented_calls,
    left_out,
    wrong_loops,
    wrong_results,
)

REWRITES: Mapping[str, BraceRule] = {
    rule_id: replace(rule, sites=Settled(rule.sites))
    for family in FAMILIES
    for rule_id, rule in family.REWRITES.items()
}
