"""`perturb`: make programs of every target score from the 5-point ones."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from axiom_site.commands import Json, benchmark_named, seed_text, whole
from perturbation import model_calls, model_client, pipeline
from perturbation.management.driving import RunCommand
from perturbation.perturbing import REWRITERS, Plan
from perturbation.rewriting.llm import NOT_CONFIGURED, LlmRewriter
from perturbation.units import Kind

MAX_STEPS = 5


def targets(text: str) -> tuple[int, ...]:
    """Read target scores such as `0,1,2`."""
    try:
        numbers = sorted({int(word) for word in text.split(",")})
    except ValueError:
        numbers = [-1]
    if not set(numbers) <= {0, 1, 2, 3, 4}:
        raise ArgumentTypeError(f"{text!r} is no list of target scores: use some of 0,1,2,3,4")
    return tuple(numbers)


class Command(RunCommand):
    """Perturb a benchmark's 5-point programs."""

    help = (
        "Change 5-point programs by seeded chains of rules until every (requirement, target) cell has its accepted "
        "programs or has used up its draws. Counts: created and unchanged programs of this run; accepted, refused, "
        "accepted_by_target, refused_by_reason and shortfall as the benchmark stands."
    )
    kind = Kind.PERTURB

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the plan's parts."""
        super().add_arguments(parser)
        parser.add_argument("--targets", type=targets, default=(0, 1, 2, 3, 4), help="target scores (0,1,2,3,4)")
        parser.add_argument(
            "--per-target",
            type=whole(1),
            default=settings.AXIOM_PER_TARGET,
            help="accepted programs a cell (%(default)s)",
        )
        parser.add_argument(
            "--max-steps",
            type=whole(1, MAX_STEPS),
            default=settings.AXIOM_MAX_STEPS,
            help="longest chain (%(default)s)",
        )
        parser.add_argument(
            "--exemplars", type=whole(0), default=0, metavar="N", help="5-point programs to make beside the reference"
        )
        parser.add_argument("--rewriter", choices=REWRITERS, default="mechanical")
        parser.add_argument(
            "--budget",
            type=whole(1),
            metavar="TOKENS",
            help="with --rewriter llm: stop when its requests have cost as many tokens, prompts and answers",
        )
        parser.add_argument("--seed", type=seed_text, default="0")

    def perform(self, **options: Any) -> Json:
        """Fill the cells and count."""
        _check(rewriter=options["rewriter"], budget=options["budget"])
        plan = Plan(
            targets=tuple(options["targets"]),
            per_target=options["per_target"],
            max_steps=options["max_steps"],
            exemplars=options["exemplars"],
            rewriter=options["rewriter"],
            seed=str(options["seed"]),
            budget=options["budget"],
        )
        counts = self.run(benchmark=options["benchmark"], parameters=plan.as_parameters(), inline=options["inline"])
        _check_budget(options["benchmark"], plan)
        return counts


def _check(*, rewriter: str, budget: int | None) -> None:
    if rewriter == LlmRewriter.name and not model_client.configured_models():
        raise CommandError(NOT_CONFIGURED)
    if rewriter != LlmRewriter.name and budget is not None:
        raise CommandError("--budget counts a model's tokens: give it together with --rewriter llm.")


def _check_budget(benchmark: str, plan: Plan) -> None:
    """Refuse to call a run done that has used up its tokens."""
    parameters = plan.as_parameters()
    run = pipeline.paused_run(kind=Kind.PERTURB, benchmark=benchmark_named(benchmark), parameters=parameters)
    payer = model_calls.Payer(run_id=run.pk if run else None, budget=plan.budget)
    try:
        payer.check()
    except model_calls.BudgetSpent as error:
        raise CommandError(
            f"Run {payer.run_id} stopped: {error}. With a larger --budget the command goes on where it stopped."
        ) from error
