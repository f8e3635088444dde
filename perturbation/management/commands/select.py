"""`select`: a named, diverse, balanced subset of a benchmark's accepted programs."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction

from axiom_site.commands import Json, ReportingCommand, benchmark_named, figure, progress_bar, seed_text, whole
from perturbation import selection
from perturbation.models import Benchmark, Program, Selection, SelectionPick

COLUMNS = ("target", "picked", "of", "shortfall", "min distance", "mean", "at random: min", "mean")


class Command(ReportingCommand):
    """Save a selection under a name."""

    help = (
        "Choose programs by token distance, up to --per-score per target score, and save them under a name. "
        "The same name with the same parameters changes nothing; with others it is refused. "
        "Counts: created and unchanged picks, picked_by_target, shortfall, distances beside those of a random choice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the choice's parameters."""
        super().add_arguments(parser)
        parser.add_argument("--benchmark", required=True, metavar="NAME")
        parser.add_argument("--name", required=True, metavar="SELECTION")
        parser.add_argument(
            "--per-score", type=whole(1), default=settings.AXIOM_PER_SCORE, help="programs a score (%(default)s)"
        )
        parser.add_argument("--seed", type=seed_text, default="0")

    def perform(self, **options: Any) -> Json:
        """Choose and save, or find the selection there."""
        benchmark = benchmark_named(options["benchmark"])
        cap, seed = options["per_score"], str(options["seed"])
        known = Selection.objects.filter(name=options["name"]).first()
        if known is not None:
            _check_same(known, benchmark, cap, seed)
            return _counts(known, created=False)
        candidates = list(
            Program.objects.of(benchmark.name).accepted().in_content_order().select_related("requirement__benchmark")
        )
        if not candidates:
            raise CommandError(f"{benchmark.name} has no accepted program: run verify and perturb first.")
        per_target = Counter(program.target_score for program in candidates)
        wanted = sum(min(cap, count) for count in per_target.values())
        with progress_bar(f"select {benchmark.name}", total=wanted) as show:
            result = selection.select(
                programs=candidates, cap=cap, seed=seed, on_progress=lambda picked: show(picked, "")
            )
        return _counts(_save(options["name"], benchmark, cap, seed, result), created=True)

    def print_result(self, result: Json) -> None:
        """Print one line a target score."""
        assert isinstance(result, Mapping)  # noqa: S101  narrows the type
        saved = Selection.objects.get(name=result["selection"])
        self.stdout.write(f"selection: {saved.name}\ncreated: {result['created']}\nunchanged: {result['unchanged']}")
        self.print_table(COLUMNS, [_row(target, cell) for target, cell in sorted(saved.statistics.items())])


def _row(target: str, cell: Mapping[str, Any]) -> list[str]:
    names = ["min_distance", "mean_distance"]
    if _is_choice(cell):
        names += ["random_min", "random_mean"]
    counts = [target, str(cell["picked"]), str(cell["available"]), str(cell["shortfall"])]
    return [*counts, *(figure(cell[name]) for name in names)]


def _is_choice(cell: Mapping[str, Any]) -> bool:
    """Whether something was left: where everything is picked, a random choice is the same one."""
    return bool(cell["picked"] < cell["available"])


def _check_same(known: Selection, benchmark: Benchmark, cap: int, seed: str) -> None:
    if (known.benchmark_id, known.per_score, known.seed) != (benchmark.pk, cap, seed):
        raise CommandError(
            f"The selection {known.name!r} exists already, of {known.benchmark.name} with --per-score "
            f"{known.per_score} --seed {known.seed}: choose another name."
        )


def _save(name: str, benchmark: Benchmark, cap: int, seed: str, result: selection.SelectionResult) -> Selection:
    statistics = {str(cell.target_score): asdict(cell) for cell in result.cells}
    with transaction.atomic():
        saved = Selection.objects.create(
            name=name, benchmark=benchmark, per_score=cap, seed=seed, statistics=statistics
        )
        SelectionPick.objects.bulk_create(
            SelectionPick(
                selection=saved,
                program=pick.program,
                target_score=pick.program.target_score,
                rank=pick.rank,
                distance=pick.distance,
            )
            for pick in result.picks
        )
    return saved


def _counts(saved: Selection, *, created: bool) -> dict[str, Any]:
    by_target = Counter(saved.picks.order_by("target_score").values_list("target_score", flat=True))
    total = by_target.total()
    picked = {str(target): by_target[target] for target in range(6)}
    cells = saved.statistics
    chosen = {target: cell for target, cell in cells.items() if _is_choice(cell)}
    return {
        "selection": saved.name,
        "created": total if created else 0,
        "unchanged": 0 if created else total,
        "picked_by_target": picked,
        "shortfall": {target: saved.per_score - count for target, count in picked.items()},
        "min_distance": {target: cell["min_distance"] for target, cell in cells.items()},
        "mean_distance": {target: cell["mean_distance"] for target, cell in cells.items()},
        "random_min": {target: cell["random_min"] for target, cell in chosen.items()},
        "random_mean": {target: cell["random_mean"] for target, cell in chosen.items()},
    }
