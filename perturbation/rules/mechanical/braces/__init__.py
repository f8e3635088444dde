"""Mechanical rewrites written once for C++, Go, Java, JavaScript and Rust, by language and rule id."""

from __future__ import annotations

from collections.abc import Mapping

from perturbation.rules.mechanical.braces import (
    branches,
    clutter,
    control,
    delegation,
    documentation,
    expressions,
    faults,
    global_state,
    hand_made,
    index_loops,
    naming,
)
from perturbation.rules.mechanical.braces.dialects import ALL
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.rewriting import rewrite
from perturbation.rules.source import Rewrite

FAMILIES: tuple[Mapping[str, BraceRule], ...] = (
    naming.REWRITES,
    branches.REWRITES,
    expressions.REWRITES,
    documentation.REWRITES,
    clutter.REWRITES,
    control.REWRITES,
    delegation.REWRITES,
    index_loops.REWRITES,
    hand_made.REWRITES,
    global_state.REWRITES,
    faults.REWRITES,
)
"""One mapping a module: rule id -> the rule. A new module is one import and one entry here."""

REWRITES: Mapping[str, Mapping[str, Rewrite]] = {
    dialect.id: {
        rule_id: rewrite(rule.sites, dialect, rows=rule.rows)
        for family in FAMILIES
        for rule_id, rule in family.items()
        if dialect.id not in rule.without
    }
    for dialect in ALL
}
"""Language id -> rule id -> rewrite."""
