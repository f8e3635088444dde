"""Fills the cells of one requirement: exemplars, then programs for every target score, then 0-point pairs.

Draws are numbered within their cell and every draw is saved, so whoever goes on later continues at the next number.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from django.conf import settings
from django.db import IntegrityError

from perturbation import disruption, rendering
from perturbation.building import build_chain
from perturbation.leases import Lease
from perturbation.model_calls import Payer
from perturbation.models import Program, ProgramQuerySet, Requirement
from perturbation.rewriting import Rewriter
from perturbation.rewriting.llm import LlmRewriter
from perturbation.rewriting.mechanical import MechanicalRewriter

REWRITERS = (MechanicalRewriter.name, LlmRewriter.name)


@dataclass(frozen=True)
class Plan:
    """What a perturb run was asked for; its parameters are stored with the run.

    budget: how many tokens the run may spend on models; None: as many as it takes.
    """

    targets: tuple[int, ...] = (0, 1, 2, 3, 4)
    per_target: int = 2
    max_steps: int = 5
    exemplars: int = 0
    rewriter: str = MechanicalRewriter.name
    seed: str = "0"
    budget: int | None = None

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """Read a plan back from a run's parameters."""
        return cls(**{**parameters, "targets": tuple(parameters["targets"])})

    def as_parameters(self) -> dict[str, Any]:
        """Plain values for the run; a budget only where there is one."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        return {**given, "targets": list(self.targets)}

    def wanted(self) -> list[tuple[int, Program.Kind, int]]:
        """Every cell as (target, kind, how many accepted programs), in the order in which they are filled."""
        cells = [(5, Program.Kind.EXEMPLAR, self.exemplars)] if self.exemplars else []
        cells += [(target, Program.Kind.PERTURBED, self.per_target) for target in sorted(self.targets) if target]
        return cells + ([(0, Program.Kind.DISRUPTED, self.per_target)] if 0 in self.targets else [])


def fill(
    *, requirement: Requirement, plan: Plan, lease: Lease, counted: Mapping[str, Any], run_id: int | None = None
) -> dict[str, Any]:
    """Draw until every cell of the plan is full or its budget of draws is used up; return the counts of all cells.

    `counted` is what an earlier, interrupted turn at this unit noted; `run_id` is the run that a model's tokens are
    counted to. Raises what leases.Lease.renew, the tests and a model raise, and model_calls.BudgetSpent.
    """
    before = counted.get("before")
    if before is None:
        before = _made(requirement, plan).count()
        lease.note({"before": before})
    rewriter = _rewriter(plan, lease, run_id)
    notes: dict[str, int] = {}
    for target, kind, count in plan.wanted():
        try:
            _fill_cell(requirement, plan, lease, rewriter, target, kind, count)
        except disruption.NoForeignProgram as none:
            notes[f"target {target}, {requirement.language}: {none}"] = 1
    _store_missing_diffs(requirement)
    return _counts(requirement, plan, before) | ({"notes": notes} if notes else {})


def _rewriter(plan: Plan, lease: Lease, run_id: int | None) -> Rewriter:
    if plan.rewriter == LlmRewriter.name:
        return LlmRewriter(payer=Payer(run_id=run_id, budget=plan.budget), before_request=lease.renew)
    return MechanicalRewriter()


def _fill_cell(
    requirement: Requirement,
    plan: Plan,
    lease: Lease,
    rewriter: Rewriter,
    target: int,
    kind: Program.Kind,
    count: int,
) -> None:
    cell = Program.objects.filter(requirement=requirement, kind=kind, target_score=target).order_by("draw_number")
    while True:
        drawn = list(cell.values_list("draw_number", "state"))
        draw = drawn[-1][0] + 1 if drawn else 0
        accepted = sum(state == Program.State.ACCEPTED for _, state in drawn)
        if accepted >= count or draw >= settings.AXIOM_DRAW_BUDGET:
            return
        lease.renew()
        try:
            _draw(requirement, plan, lease, rewriter, target, draw)
        except IntegrityError:
            # Another run, or a worker that took this unit over, may have saved this draw first: go on with the next.
            if not cell.filter(draw_number=draw).exists():
                raise


def _store_missing_diffs(requirement: Requirement) -> None:
    """Chains store their diff with the program; references, 0-point pairs and what was cut off get theirs here."""
    shown = requirement.programs.accepted().filter(rendered_diff=None)
    for program in shown.in_content_order().select_related("requirement", "parent"):
        rendering.store_diff(program=program)


def _draw(requirement: Requirement, plan: Plan, lease: Lease, rewriter: Rewriter, target: int, draw: int) -> Program:
    seed = f"{plan.seed}|{requirement.benchmark.name}|{requirement.external_id}|{target}|{draw}"
    if target == 0:
        return disruption.pair_with_foreign(requirement=requirement, seed=seed, draw_number=draw, between=lease.renew)
    return build_chain(
        parent=_choose_parent(requirement, target, seed),
        target=target,
        seed=seed,
        rewriter=rewriter,
        draw_number=draw,
        max_steps=plan.max_steps,
    )


def _choose_parent(requirement: Requirement, target: int, seed: str) -> Program:
    """An exemplar comes from the first right reference; everything else from a 5-point program in content order."""
    five_points = requirement.programs.five_point().in_content_order().select_related("requirement__benchmark")
    if target == 5:
        return five_points.filter(kind=Program.Kind.REFERENCE)[0]
    return random.Random(f"{seed}|parent").choice(list(five_points))


def _made(requirement: Requirement, plan: Plan) -> ProgramQuerySet:
    kinds = {kind for _, kind, _ in plan.wanted()}
    targets = {target for target, _, _ in plan.wanted()}
    return Program.objects.filter(requirement=requirement, kind__in=kinds, target_score__in=targets)


def _counts(requirement: Requirement, plan: Plan, before: int) -> dict[str, Any]:
    rows = list(_made(requirement, plan).values_list("target_score", "state", "refusal"))
    accepted = Counter(target for target, state, _ in rows if state == Program.State.ACCEPTED)
    refused = Counter(refusal for _, state, refusal in rows if state == Program.State.REFUSED)
    wanted = {target: count for target, _, count in plan.wanted()}
    return {
        "created": len(rows) - before,
        "unchanged": before,
        "accepted": accepted.total(),
        "refused": refused.total(),
        "accepted_by_target": {str(target): accepted[target] for target in sorted(wanted)},
        "refused_by_reason": dict(sorted(refused.items())),
        "shortfall": {str(target): max(0, count - accepted[target]) for target, count in sorted(wanted.items())},
    }
