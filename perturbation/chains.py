"""Plans of rule chains: which ceilings, how many steps, which rules are tried first. Pure and seeded.

The score of a program changed by rules u1..un is min(s(p), c(u1), ..., c(un)) (Wang et al., arXiv 2512.20159);
a plan has one position whose rule must have the target as its ceiling and no position below it, so
min(ceilings) == target for whatever rules are taken from it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from perturbation.rules.registry import Rule

EXEMPLAR = 5


class NoRulesForTarget(ValueError):
    """No rule has the target score as its ceiling."""


@dataclass(frozen=True)
class Position:
    """One step of a plan: the rule ids that may stand here, those to be tried first in front.

    Of these the builder takes the first that has a site in the text so far and is not in the chain yet.
    """

    is_binding: bool
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class ChainPlan:
    """The steps of a chain for a target score; exactly one of them is binding (all of them for exemplars)."""

    target: int
    seed: str
    positions: tuple[Position, ...]

    @property
    def binding_position(self) -> int:
        """Index of the first binding step."""
        return next(index for index, position in enumerate(self.positions) if position.is_binding)


def plan_chain(*, target: int, seed: str, rules: Sequence[Rule], max_steps: int = 5) -> ChainPlan:
    """Draw a plan: length uniform in 1..max_steps, binding position uniform, an order of preference for every step.

    target: 1-4, or 5 for an exemplar (then every rule has the ceiling 5). rules: those with a rewrite for the
    language at hand. The binding step takes rules with ceiling == target, the others target <= ceiling < 5; the
    order of one step is independent of the others. Where a class holds fewer rules than the plan has steps of it,
    the plan is shorter. Raises NoRulesForTarget, and ValueError for a target or length outside its range.
    """
    if not 1 <= target <= EXEMPLAR or max_steps < 1:
        raise ValueError(f"target must be in 1..5 and max_steps at least 1, not {target} and {max_steps}")
    rng = random.Random(f"plan|{seed}|{target}|{max_steps}")
    binding = sorted(rule.id for rule in rules if rule.ceiling == target)
    others = binding if target == EXEMPLAR else sorted(rule.id for rule in rules if target <= rule.ceiling < EXEMPLAR)
    if not binding:
        raise NoRulesForTarget(f"no rule has the ceiling {target}; chains for this target cannot be drawn")
    length = min(rng.randint(1, max_steps), len(others))
    place = rng.randrange(length)
    return ChainPlan(target=target, seed=seed, positions=tuple(_positions(rng, length, place, target, binding, others)))


def _positions(
    rng: random.Random, length: int, place: int, target: int, binding: list[str], others: list[str]
) -> list[Position]:
    positions = []
    for index in range(length):
        is_binding = index == place or target == EXEMPLAR
        candidates = binding if is_binding else others
        positions.append(Position(is_binding=is_binding, candidates=tuple(rng.sample(candidates, len(candidates)))))
    return positions
