"""Makes a rewrite out of a function that lists a rule's sites: parse, draw, splice, check."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from perturbation.rules.mechanical.syntax.dialect import Dialect
from perturbation.rules.mechanical.syntax.edits import Site, apply, changed_rows
from perturbation.rules.mechanical.syntax.tree import Tree, parse
from perturbation.rules.source import Rewrite, Source

STRUCTURAL_ROWS = 3
Sites = Callable[[Tree, random.Random], Iterable[Site]]
"""A rule: tree and seeded generator -> its sites in source order."""


def rewrite(sites: Sites, dialect: Dialect, *, structural: bool = False) -> Rewrite:
    """Return a rewrite that carries a rule out at one site, drawn with the generator.

    A structural rule (effort: refactor) takes no site where fewer than 3 rows change: that would be a tweak.
    """

    def run(source: Source, rng: random.Random) -> str | None:
        tree = parse(source.text, dialect, source.protected)
        if tree is None:
            return None
        candidates = list(dict.fromkeys(site for site in sites(tree, rng) if site))
        for site in rng.sample(candidates, len(candidates)):
            text = apply(source.text, site)
            if _is_good(source.text, text, dialect, structural=structural):
                return text
        return None

    return run


def _is_good(before: str, after: str, dialect: Dialect, *, structural: bool) -> bool:
    if before == after or parse(after, dialect) is None:
        return False
    return not structural or changed_rows(before, after) >= STRUCTURAL_ROWS
