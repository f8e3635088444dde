"""Makes a rewrite out of a function that lists a rule's sites: parse, draw, splice, check."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from perturbation.rules.mechanical.syntax.dialect import Dialect
from perturbation.rules.mechanical.syntax.edits import Site, apply
from perturbation.rules.mechanical.syntax.tree import Tree, parse
from perturbation.rules.rows import RowCount, is_far_enough
from perturbation.rules.source import Rewrite, Source

Sites = Callable[[Tree, random.Random], Iterable[Site]]
"""A rule: tree and seeded generator -> its sites in source order."""


def rewrite(sites: Sites, dialect: Dialect, *, rows: RowCount | None = None) -> Rewrite:
    """Return a rewrite that carries a rule out at one site, drawn with the generator.

    `rows` counts those that must be at least 3 (effort: refactor: fewer would be a tweak); None: any edit will do.
    """

    def run(source: Source, rng: random.Random) -> str | None:
        tree = parse(source.text, dialect, source.protected)
        if tree is None:
            return None
        candidates = list(dict.fromkeys(site for site in sites(tree, rng) if site))
        for site in rng.sample(candidates, len(candidates)):
            text = apply(source.text, site)
            if _is_good(source.text, text, dialect, rows):
                return text
        return None

    return run


def _is_good(before: str, after: str, dialect: Dialect, rows: RowCount | None) -> bool:
    if before == after or parse(after, dialect) is None:
        return False
    return is_far_enough(before, after, rows, dialect.id)
