"""The pipeline page: how full each cell is, what was refused and why, what runs now, and whether anything can run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count

from perturbation.models import Benchmark, Program, Requirement, Run, RunUnit, WorkerHeartbeat

MADE_TARGETS = (0, 1, 2, 3, 4)
RUNS_SHOWN = 12
REFUSALS_SHOWN = 12


@dataclass(frozen=True)
class Cell:
    """Accepted programs of one benchmark for one target score, and how many more are wanted."""

    target: int
    accepted: int
    wanted: int
    shortfall: int


@dataclass(frozen=True)
class BenchmarkLine:
    """One benchmark; requirements that cannot be used yet are counted apart."""

    name: str
    requirements: int
    usable: int
    five_point: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class RefusalLine:
    """How often one reason refused a program of one benchmark."""

    benchmark: str
    target: int
    reason: str
    count: int


@dataclass(frozen=True)
class RunLine:
    """One run with its progress."""

    pk: int
    kind: str
    benchmark: str
    state: str
    state_word: str
    note: str
    total: int
    running: int
    done: int
    failed: int
    created_at: datetime
    finished_at: datetime | None

    @property
    def left(self) -> int:
        """Units that still have to be done."""
        return self.total - self.done - self.failed

    @property
    def is_over(self) -> bool:
        """Whether the run is neither active nor paused."""
        return self.state not in Run.OPEN_STATES


@dataclass(frozen=True)
class Activity:
    """What changes while one watches: runs and workers."""

    runs: tuple[RunLine, ...]
    workers: tuple[str, ...]
    sandboxes: tuple[str, ...]

    @property
    def is_waiting(self) -> bool:
        """Whether a run is active and no worker was seen."""
        return not self.workers and any(run.state == Run.State.ACTIVE and run.left for run in self.runs)


@dataclass(frozen=True)
class PipelinePage:
    """All of the page."""

    per_target: int
    benchmarks: tuple[BenchmarkLine, ...]
    refusals: tuple[RefusalLine, ...]
    activity: Activity
    llm_address: str
    llm_models: tuple[str, ...]
    targets: tuple[int, ...] = MADE_TARGETS

    @property
    def has_llm(self) -> bool:
        """Whether a model is configured for rewrites and quality reports."""
        return bool(self.llm_address and self.llm_models)


def pipeline_page(*, now: datetime) -> PipelinePage:
    """Gather the page."""
    return PipelinePage(
        per_target=settings.AXIOM_PER_TARGET,
        benchmarks=_benchmarks(settings.AXIOM_PER_TARGET),
        refusals=_refusals(),
        activity=activity(now=now),
        llm_address=settings.AXIOM_LLM_BASE_URL,
        llm_models=tuple(settings.AXIOM_LLM_MODELS),
    )


def activity(*, now: datetime) -> Activity:
    """Gather the part that is polled, in three queries."""
    seen = WorkerHeartbeat.objects.alive(now).order_by("name")
    rows = [(worker.name, worker.sandbox) for worker in seen]
    return Activity(
        runs=_runs(),
        workers=tuple(name for name, _ in rows),
        sandboxes=tuple(sorted({sandbox for _, sandbox in rows if sandbox})),
    )


def _runs() -> tuple[RunLine, ...]:
    runs = list(Run.objects.select_related("benchmark").newest_first()[:RUNS_SHOWN])
    numbers = RunUnit.objects.filter(run__in=runs).numbers_by_state()
    return tuple(run_line(run, numbers.get(run.pk, {})) for run in runs)


def run_line(run: Run, numbers: Mapping[str, int]) -> RunLine:
    """Describe a run by itself and the number of its units in each state."""
    return RunLine(
        pk=run.pk,
        kind=run.kind.replace("_", " "),
        benchmark=run.benchmark.name,
        state=run.state,
        state_word=run.get_state_display(),
        note=run.note,
        total=sum(numbers.values()),
        running=numbers.get(RunUnit.State.RUNNING, 0),
        done=numbers.get(RunUnit.State.DONE, 0),
        failed=numbers.get(RunUnit.State.FAILED, 0),
        created_at=run.created_at,
        finished_at=run.finished_at,
    )


def _benchmarks(per_target: int) -> tuple[BenchmarkLine, ...]:
    accepted: Counter[tuple[int, int]] = Counter()
    counted: Counter[tuple[int, int]] = Counter()
    rows = (
        Program.objects.accepted()
        .values("requirement__benchmark", "requirement", "target_score")
        .annotate(number=Count("pk"))
        .order_by()
    )
    for row in rows:
        cell = (row["requirement__benchmark"], row["target_score"])
        accepted[cell] += row["number"]
        counted[cell] += min(row["number"], per_target)
    usable = dict(
        Requirement.objects.usable()
        .values_list("benchmark")
        .annotate(number=Count("pk"))
        .order_by()
        .values_list("benchmark", "number")
    )
    return tuple(
        BenchmarkLine(
            name=benchmark.name,
            requirements=benchmark.number,
            usable=usable.get(benchmark.pk, 0),
            five_point=accepted[benchmark.pk, 5],
            cells=tuple(
                Cell(
                    target=target,
                    accepted=accepted[benchmark.pk, target],
                    wanted=usable.get(benchmark.pk, 0) * per_target,
                    shortfall=max(0, usable.get(benchmark.pk, 0) * per_target - counted[benchmark.pk, target]),
                )
                for target in MADE_TARGETS
            ),
        )
        for benchmark in Benchmark.objects.annotate(number=Count("requirements")).order_by("name", "pk")
    )


def _refusals() -> tuple[RefusalLine, ...]:
    rows = (
        Program.objects.filter(state=Program.State.REFUSED)
        .values("requirement__benchmark__name", "target_score", "refusal")
        .annotate(number=Count("pk"))
        .order_by("-number", "requirement__benchmark__name", "target_score", "refusal")[:REFUSALS_SHOWN]
    )
    return tuple(
        RefusalLine(row["requirement__benchmark__name"], row["target_score"], row["refusal"], row["number"])
        for row in rows
    )
