"""The pages of runs: the list, and one run as it goes: its pace, its workers, what it fills and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from perturbation import pace, tally
from perturbation.contexts.status import RunLine, run_line
from perturbation.models import Run, RunUnit, WorkerHeartbeat
from perturbation.units import Kind

RUNS_PER_PAGE = 30
NOTHING = "–"


@dataclass(frozen=True)
class ListedRun:
    """A run in the list."""

    line: RunLine
    parameters: str


@dataclass(frozen=True)
class RunListPage:
    """The list; `pages` knows where it stands among the older ones."""

    pages: Page[Run]
    runs: tuple[ListedRun, ...]


@dataclass(frozen=True)
class WorkerLine:
    """A worker that was seen a moment ago, and the version of each tool chain, empty where there is none."""

    name: str
    sandbox: str
    languages: tuple[tuple[str, str], ...]

    @property
    def is_unsafe(self) -> bool:
        """Whether it cannot confine programs."""
        return self.sandbox in ("", "none", "unprotected")


@dataclass(frozen=True)
class Missing:
    """Something that is not there on the workers, and how many units wait for it."""

    what: str
    count: int


@dataclass(frozen=True)
class RunProgress:
    """The part of a run's page that polls quickly."""

    line: RunLine
    made_word: str
    accepted: int
    refused: int
    units_rate: str
    made_rate: str
    time_left: str
    workers: tuple[WorkerLine, ...]
    commands: tuple[str, ...]
    missing: tuple[Missing, ...]
    how_to: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        """Whether nothing changes any more, unless somebody asks for it."""
        return self.line.is_over

    @property
    def is_waiting(self) -> bool:
        """Whether the run could go on and nobody is there to work on it."""
        return self.line.state == Run.State.ACTIVE and bool(self.line.left) and not (self.workers or self.commands)


@dataclass(frozen=True)
class RunPage:
    """A run's page, but for its results."""

    progress: RunProgress
    parameters: tuple[tuple[str, str], ...]


def run_list(*, page: str | None) -> RunListPage:
    """Gather a page of the list in three queries."""
    found = Paginator(Run.objects.select_related("benchmark").newest_first(), RUNS_PER_PAGE).get_page(page)
    runs = list(found.object_list)
    numbers = RunUnit.objects.filter(run__in=runs).numbers_by_state()
    return RunListPage(
        pages=found,
        runs=tuple(
            ListedRun(
                line=run_line(run, numbers.get(run.pk, {})),
                parameters=" · ".join(f"{name} {value}" for name, value in parameters_in_words(run.parameters)),
            )
            for run in runs
        ),
    )


def run_page(*, run: Run, now: datetime) -> RunPage:
    """Gather what the page needs at once."""
    return RunPage(progress=run_progress(run=run, now=now), parameters=parameters_in_words(run.parameters))


def run_progress(*, run: Run, now: datetime) -> RunProgress:
    """Gather the part that polls."""
    line = run_line(run, run.units.all().numbers_by_state().get(run.pk, {}))
    counted = tally.of(run)
    measured = pace.measure(run=run, left=line.left, now=now)
    workers, commands = _workers(now), _commands(run)
    goes_on = line.left and run.state == Run.State.ACTIVE and (workers or commands)
    return RunProgress(
        line=line,
        made_word=_made_word(run.kind),
        accepted=counted.accepted,
        refused=counted.refused,
        units_rate=_rate(measured.units_per_minute),
        made_rate=_rate(measured.made_per_minute),
        time_left=pace.time_in_words(measured.time_left) if goes_on else NOTHING,
        workers=workers,
        commands=commands,
        missing=_missing(counted.missing),
        how_to=tuple(sorted(counted.how_to)),
    )


def parameters_in_words(parameters: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Name what a run was asked for, in the order of a sentence; what has no words here keeps its own name."""
    words = {
        "targets": _("targets"),
        "per_target": _("programs a cell"),
        "max_steps": _("longest chain"),
        "exemplars": _("exemplars"),
        "rewriter": _("rewriter"),
        "seed": _("seed"),
    }
    ordered = [name for name in words if name in parameters] + sorted(set(parameters) - set(words))
    return tuple((words.get(name, name.replace("_", " ")), _value(parameters[name])) for name in ordered)


def _value(value: object) -> str:
    if value in (None, "", []):
        return NOTHING
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _made_word(kind: str) -> str:
    return {
        Kind.PERTURB: _("programs a minute"),
        Kind.VERIFY: _("references a minute"),
        Kind.REPORTS: _("reports a minute"),
    }[Kind(kind)]


def _rate(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"  # noqa: PLR2004  two digits are enough to watch


def _workers(now: datetime) -> tuple[WorkerLine, ...]:
    seen = WorkerHeartbeat.objects.alive(now).order_by("name")
    return tuple(WorkerLine(worker.name, worker.sandbox, tuple(sorted(worker.languages.items()))) for worker in seen)


def _commands(run: Run) -> tuple[str, ...]:
    """Commands that work in their own process, as machine and process."""
    owners = run.units.filter(state=RunUnit.State.RUNNING, owner__startswith="inline:").order_by("owner")
    return tuple(owner.removeprefix("inline:") for owner in owners.values_list("owner", flat=True).distinct())


def _missing(counted: Mapping[str, int]) -> tuple[Missing, ...]:
    missing = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Missing(what, count) for what, count in missing)
