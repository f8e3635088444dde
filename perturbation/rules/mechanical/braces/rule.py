"""A rule for the brace languages: how it finds its sites, and where it cannot be done by syntax alone."""

from __future__ import annotations

from dataclasses import dataclass

from perturbation.rules.mechanical.syntax.rewriting import Sites


@dataclass(frozen=True)
class BraceRule:
    """`without`: ids of languages that have no rewrite for it. `is_structural`: at least 3 rows must change."""

    sites: Sites
    without: frozenset[str] = frozenset()
    is_structural: bool = False
