"""Carries out rules by their syntax-tree edits: deterministic, without any model."""

from __future__ import annotations

import random
from dataclasses import dataclass

from perturbation.rewriting import NotApplicable
from perturbation.rules import registry
from perturbation.rules.registry import Rule
from perturbation.rules.source import Source
from perturbation.tokens import token_equal


@dataclass(frozen=True)
class MechanicalRewriter:
    """The rewriter that needs no model."""

    name: str = "mechanical"

    def rewrite(self, *, text: str, rule: Rule, language: str, protected: frozenset[str], seed: str) -> str:
        """Carry out a rule at a site drawn by the seed. Same arguments, same bytes. Raises NotApplicable."""
        run = registry.mechanical_rewrite(rule.id, language)
        if run is None:
            raise NotApplicable(f"rule {rule.id} has no mechanical rewrite for {language}")
        changed = run(Source(text=text, protected=protected), random.Random(f"{seed}|{rule.id}|{rule.version}"))
        if changed is None:
            raise NotApplicable(f"rule {rule.id} has no site in this program")
        if token_equal(text, changed, language):
            raise NotApplicable(f"rule {rule.id} changes no token of this program")
        return changed
