"""How a command carries a run out: in this process, or by waking the workers and watching the database."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from axiom_site.commands import ReportingCommand, benchmark_named, progress_bar
from perturbation import heartbeat, outbox, pace, pipeline, sandbox, tally
from perturbation.models import Run, RunUnit
from perturbation.units import Kind

POLL_SECONDS = 0.3
SWEEP_SECONDS = 2.0
WAIT_FOR_WORKER_SECONDS = 30.0
ERRORS_SHOWN = 3


class RunCommand(ReportingCommand):
    """A command whose work is a run over a benchmark."""

    kind: Kind

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what every run takes."""
        super().add_arguments(parser)
        parser.add_argument("--benchmark", required=True, metavar="NAME")
        parser.add_argument(
            "--inline",
            action="store_true",
            help="work in this process instead of handing the work to the workers",
        )

    def run(self, *, benchmark: str, parameters: Mapping[str, Any], inline: bool) -> dict[str, Any]:
        """Plan or resume the run, carry it out, and return its counts with the number of failed units."""
        here = inline or self._must_work_here()
        if here and sandbox.probe().name == "none":
            raise CommandError(f"No program can be run here: {sandbox.probe().how_to}")
        paused = pipeline.paused_run(kind=self.kind, benchmark=benchmark_named(benchmark), parameters=parameters)
        if paused is not None:
            self.say(f"Run {paused.pk} was paused ({paused.note}): it goes on.")
        try:
            run = pipeline.plan_run(
                kind=self.kind, benchmark=benchmark_named(benchmark), parameters=parameters, enqueue=not here
            )
        except pipeline.NothingToDo as error:
            raise CommandError(str(error)) from error
        title = f"{self.kind} {benchmark}"
        work_here(run, title) if here else watch(run, title, say=self.say)
        return {**pipeline.counts(run=run), "failed": self._tell_failed(run), **self._tell_halted(run)}

    def _must_work_here(self) -> bool:
        if settings.AXIOM_BROKER_URL or heartbeat.is_worker_seen(now=timezone.now()):
            return False
        self.say("No broker is configured and no worker is seen: working in this process.")
        return True

    def _tell_failed(self, run: Run) -> int:
        failed = run.units.filter(state=RunUnit.State.FAILED).order_by("position")
        for unit in failed[:ERRORS_SHOWN]:
            self.say(f"{unit.key} failed: {unit.error.splitlines()[0]}")
        count = failed.count()
        if count:
            self.say(f"{count} of {run.units.count()} failed; the same command tries them again.")
        return count

    def _tell_halted(self, run: Run) -> dict[str, Any]:
        """Say that the run stands and how it goes on; nothing for one that is finished."""
        run.refresh_from_db()
        if run.state not in (Run.State.PAUSED, Run.State.CANCELLED):
            return {}
        left = pipeline.progress(run=run).left
        how_to = {
            Run.State.PAUSED: "Start the same command again, or press Resume on the run's page, and it goes on",
            Run.State.CANCELLED: "What was made stays; the same command starts a new run that goes on from there",
        }[Run.State(run.state)]
        reason = f" ({run.note})" if run.note else ""
        self.say(f"Run {run.pk} was {run.state}{reason} with {left} units left. {how_to}.")
        return {"state": run.state, "left": left}


def work_here(run: Run, title: str) -> None:
    """Work on the run's units in this process until none is left or it is halted; units of others are waited for."""
    owner = pipeline.inline_owner()
    note = _Note(run)
    with progress_bar(title, total=run.units.count()) as show:
        while (standing := pipeline.progress(run=run)).left and not _is_halted(run):
            show(standing.done + standing.failed, note.of(standing))
            unit_id = pipeline.next_free(run=run, now=timezone.now())
            if unit_id is None:
                time.sleep(POLL_SECONDS)
                continue
            pipeline.work_unit(unit_id=unit_id, owner=owner, lease_for=pipeline.INLINE_LEASE)
        show(standing.done + standing.failed, note.of(standing, is_last=True))
    pipeline.finish_if_done(run_id=run.pk, now=timezone.now())


def watch(run: Run, title: str, *, say: Callable[[str], None]) -> None:
    """Wake the workers and show what the database says until no unit is left or the run is paused or cancelled.

    Refuses when the broker is away at the start: the run stays planned. Later the workers may finish without us.
    """
    try:
        outbox.send_pending(now=timezone.now())
    except outbox.BrokerAway as error:
        raise CommandError(f"{error} The run stays planned: start the broker, then the same command again.") from error
    watcher = _Watcher(say)
    note = _Note(run)
    with progress_bar(title, total=run.units.count()) as show:
        while (standing := pipeline.progress(run=run)).left and not _is_halted(run):
            show(standing.done + standing.failed, note.of(standing))
            watcher.look()
            time.sleep(POLL_SECONDS)
        show(standing.done + standing.failed, note.of(standing, is_last=True))
    pipeline.finish_if_done(run_id=run.pk, now=timezone.now())


class _Watcher:
    """Keeps the run going while the command waits: sweeps, and says once when no worker or no broker is there."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.swept_at = self.worker_seen_at = time.monotonic()
        self.told: set[str] = set()

    def look(self) -> None:
        """Call at every poll; does something every two seconds."""
        if time.monotonic() - self.swept_at < SWEEP_SECONDS:
            return
        self.swept_at = time.monotonic()
        self._sweep()
        if heartbeat.is_worker_seen(now=timezone.now()):
            self.worker_seen_at = time.monotonic()
            self.told.discard("worker")
        elif time.monotonic() - self.worker_seen_at > WAIT_FOR_WORKER_SECONDS:
            self._tell_once("worker", "waiting, no worker seen: start one with `celery -A axiom_site worker`")

    def _sweep(self) -> None:
        pipeline.free_lapsed(now=timezone.now())
        try:
            outbox.send_pending(now=timezone.now())
        except outbox.BrokerAway as error:
            self._tell_once("broker", f"{error} Still waiting: what is queued is sent when it is back.")

    def _tell_once(self, topic: str, line: str) -> None:
        if topic not in self.told:
            self.told.add(topic)
            self.say(line)


class _Note:
    """The words beside the bar; what they are counted from is read every two seconds at most."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.counted_at = -SWEEP_SECONDS
        self.counted = ""

    def of(self, standing: pipeline.Progress, *, is_last: bool = False) -> str:
        """Return refused programs, failed units, units at work and left, and the rate."""
        if is_last or time.monotonic() - self.counted_at >= SWEEP_SECONDS:
            self.counted_at = time.monotonic()
            self.counted = self._count(standing.left)
        units = f"{standing.failed} failed, {standing.running} at work, {standing.left} left"
        return f"{self.counted}, {units}"

    def _count(self, left: int) -> str:
        refused = tally.of(self.run).refused
        measured = pace.measure(run=self.run, left=left, now=timezone.now())
        return f"{pace.in_words(measured)}, {refused} refused"


def _is_halted(run: Run) -> bool:
    return Run.objects.filter(pk=run.pk, state__in=[Run.State.PAUSED, Run.State.CANCELLED]).exists()
