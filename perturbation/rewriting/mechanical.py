"""Carries out rules by their syntax-tree edits: deterministic, without any model."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from perturbation.files import join, split
from perturbation.languages import registry as languages
from perturbation.rewriting import NotApplicable, Rewritten
from perturbation.rules import registry
from perturbation.rules.registry import Rule
from perturbation.rules.source import Rewrite, Source
from perturbation.tokens import token_equal


@dataclass(frozen=True)
class MechanicalRewriter:
    """The rewriter that needs no model."""

    name: str = "mechanical"
    rules_per_step: int | None = None

    def rewrite(self, *, text: str, rule: Rule, language: str, protected: frozenset[str], seed: str) -> Rewritten:
        """Carry out a rule at a site drawn by the seed. Same arguments, same bytes. Raises NotApplicable."""
        run = registry.mechanical_rewrite(rule.id, language)
        if run is None:
            raise NotApplicable(f"rule {rule.id} has no mechanical rewrite for {language}")
        rng = random.Random(f"{seed}|{rule.id}|{rule.version}")
        try:
            changed = _rewrite_one_file(run, text, protected, rng, languages.get(language).comment)
        except RecursionError:
            # The rewrites walk trees; a program may be nested as deeply as its author likes.
            raise NotApplicable(f"this program is nested too deeply for rule {rule.id}") from None
        if changed is None:
            raise NotApplicable(f"rule {rule.id} has no site in this program")
        if token_equal(text, changed, language):
            raise NotApplicable(f"rule {rule.id} changes no token of this program")
        return Rewritten(changed)


def _rewrite_one_file(
    run: Rewrite, text: str, protected: frozenset[str], rng: random.Random, comment: str
) -> str | None:
    """The text with one of its files changed, drawn among those that have a site; no rewrite sees a file's heading."""
    files = split(text)
    if not files[0].path:
        return run(Source(text=text, protected=protected), rng)
    # A name that another file uses as well is part of what the files agreed on.
    words = [frozenset(re.findall(r"\w+", file.text)) for file in files]
    for place in rng.sample(range(len(files)), len(files)):
        others = frozenset().union(*(found for number, found in enumerate(words) if number != place))
        changed = run(Source(text=files[place].text, protected=protected | (words[place] & others)), rng)
        if changed is not None:
            renewed = (*files[:place], replace(files[place], text=changed), *files[place + 1 :])
            return join(renewed, comment=comment)
    return None
