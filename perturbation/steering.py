"""Stops and goes of a run: pause, resume, cancel, another try. Each is a compare-and-swap on the run's state.

Nothing here works on a unit. Who works finds out at the next renewal of the lease and gives the unit back.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction

from perturbation import outbox
from perturbation.models import Run, RunUnit

WORK_TASK = "perturbation.tasks.work_unit"
COMMAND_LINE = "from the command line"
NOTE_LENGTH = 300


class AnotherRunIsOpen(Exception):
    """A run with the same parameters is open already; the message names it."""


class MustPause(Exception):
    """The whole run has to wait for a person (a budget is spent); the message becomes the run's note."""


def pause(*, run_id: int, why: str) -> bool:
    """Let no unit of an active run be taken any more; False when the run was not active. `why` is for people."""
    return _swap(run_id, [Run.State.ACTIVE], state=Run.State.PAUSED, note=why)


def resume(*, run_id: int, why: str, enqueue: bool = True) -> bool:
    """Let a paused run go on, with a message to the workers for each unit that waits; False when it was not paused."""
    with transaction.atomic():
        if not _swap(run_id, [Run.State.PAUSED], state=Run.State.ACTIVE, note=why):
            return False
        _offer_again(run_id, [RunUnit.State.WAITING], enqueue=enqueue)
    return True


def cancel(*, run_id: int, why: str, now: datetime) -> bool:
    """End an open run for good; False when it was not open. What was saved stays, and a new run goes on from there."""
    return _swap(run_id, Run.OPEN_STATES, state=Run.State.CANCELLED, note=why, finished_at=now)


def retry_failed(*, run_id: int, why: str) -> int:
    """Let the failed units of a run that was not cancelled wait again; return how many. A finished run opens again.

    Raises AnotherRunIsOpen when one with the same parameters was started meanwhile.
    """
    open_again = [*Run.OPEN_STATES, Run.State.FINISHED]
    try:
        with transaction.atomic():
            run = Run.objects.select_for_update().filter(pk=run_id, state__in=open_again).first()
            failed = run.units.filter(state=RunUnit.State.FAILED).count() if run else 0
            if run is None or not failed:
                return 0
            is_finished = run.state == Run.State.FINISHED
            if is_finished and not _swap(
                run_id, [Run.State.FINISHED], state=Run.State.ACTIVE, note=why, finished_at=None
            ):
                return 0
            _offer_again(run_id, [RunUnit.State.FAILED], enqueue=run.state != Run.State.PAUSED)
    except IntegrityError as error:
        raise AnotherRunIsOpen("A newer run with the same parameters is open: it tries these units itself.") from error
    return failed


def enqueue_units(unit_ids: Iterable[int]) -> None:
    """Write one message for each unit to the outbox, in the caller's transaction."""
    outbox.put(WORK_TASK, [{"unit_id": unit_id} for unit_id in unit_ids])


def _swap(run_id: int, seen: Iterable[str], **changes: object) -> bool:
    if "note" in changes:
        changes["note"] = str(changes["note"])[:NOTE_LENGTH]
    return Run.objects.filter(pk=run_id, state__in=list(seen)).update(**changes) == 1


def _offer_again(run_id: int, states: list[RunUnit.State], *, enqueue: bool) -> None:
    units = RunUnit.objects.filter(run_id=run_id, state__in=states)
    unit_ids = list(units.order_by("position", "pk").values_list("pk", flat=True))
    units.update(
        state=RunUnit.State.WAITING, attempts=0, faults=0, owner="", leased_until=None, finished_at=None, error=""
    )
    if enqueue:
        enqueue_units(unit_ids)
