"""A rule for the brace languages: how it finds its sites, and where it cannot be done by syntax alone."""

from __future__ import annotations

from dataclasses import dataclass

from perturbation.rules.mechanical.syntax.rewriting import Sites
from perturbation.rules.rows import RowCount


@dataclass(frozen=True)
class BraceRule:
    """`without`: ids of languages that have no rewrite for it. `rows`: how the rows are counted that must be at least 3
    (effort: refactor); None where any edit will do.
    """

    sites: Sites
    without: frozenset[str] = frozenset()
    rows: RowCount | None = None
