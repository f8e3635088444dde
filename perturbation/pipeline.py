"""Runs: what is planned, who works on it, what is done. Units live in the database; the broker only wakes workers.

A unit is taken by compare-and-swap under a lease that ends by the clock, so that a killed worker's unit is taken again;
every unit is safe to work on twice.
"""

from __future__ import annotations

import json
import os
import socket
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, Q
from django.utils import timezone

from perturbation import sandbox, steering
from perturbation.leases import Lease, LeaseLost, RunHalted, SliceOver
from perturbation.models import Benchmark, Outbox, Run, RunUnit, WorkerHeartbeat, content_hash
from perturbation.units import Kind, keys_for, work

# A worker's heartbeat renews this; a process that works inline has no heartbeat, and is known to be dead by its pid.
LEASE = timedelta(seconds=30)
INLINE_LEASE = timedelta(minutes=10)
# Passing faults of a unit: at the last one it fails.
MAX_FAULTS = 3
# Takes that ended without a word (the worker was killed). More than this, and the unit is what kills it.
MAX_TAKES = 10
# A waiting unit of an active run whose message the broker lost is sent again after this long.
RESEND_AFTER = timedelta(seconds=60)
# Parameters that say how far a run may go, not what it makes: with another value it is the same run.
NOT_IDENTITY = frozenset({"budget"})
TRANSIENT = (
    OperationalError,
    InterfaceError,
    ConnectionError,
    TimeoutError,
    BlockingIOError,
    sandbox.SandboxBroken,
)
WORK_TASK = steering.WORK_TASK

Clock = Callable[[], datetime]


class NothingToDo(Exception):
    """The run would have no unit; the message says why and what to do."""


@dataclass(frozen=True)
class Progress:
    """How many units of a run stand where, and the sum of their counts."""

    total: int
    waiting: int
    running: int
    done: int
    failed: int

    @property
    def left(self) -> int:
        """Units that still have to be done."""
        return self.waiting + self.running


def inline_owner() -> str:
    """Name this process as an owner of units: another process on this machine can see whether it still lives."""
    return f"inline:{socket.gethostname()}:{os.getpid()}"


def plan_run(*, kind: Kind, benchmark: Benchmark, parameters: Mapping[str, Any], enqueue: bool) -> Run:
    """Return the open run with these parameters, made with its units if there is none; a paused one goes on.

    What does not count for its identity (see NOT_IDENTITY), an open run takes over from `parameters`. With `enqueue`,
    one message for each unit that is left is written to the outbox in the same transaction; the caller sends it
    afterwards. Raises NothingToDo.
    """
    with transaction.atomic():
        run, is_new = Run.objects.get_or_create(
            **_identity(kind, benchmark, parameters),
            state__in=Run.OPEN_STATES,
            defaults={"parameters": dict(parameters)},
        )
        if not is_new and run.parameters != parameters:
            Run.objects.filter(pk=run.pk).update(parameters=dict(parameters))
            run.parameters = dict(parameters)
        if steering.resume(run_id=run.pk, why=f"resumed {steering.COMMAND_LINE}", enqueue=False):
            run.refresh_from_db()
        if is_new:
            _plan_units(run, keys_for(kind=kind, benchmark=benchmark, parameters=parameters))
        else:
            _free_dead_inline(run)
            run.units.filter(state=RunUnit.State.WAITING).update(attempts=0, faults=0)
        if enqueue:
            waiting = run.units.filter(state=RunUnit.State.WAITING).order_by("position")
            steering.enqueue_units(waiting.values_list("pk", flat=True))
    return run


def paused_run(*, kind: Kind, benchmark: Benchmark, parameters: Mapping[str, Any]) -> Run | None:
    """Return the run with these parameters if it is paused."""
    return Run.objects.filter(**_identity(kind, benchmark, parameters), state=Run.State.PAUSED).first()


def work_unit(*, unit_id: int, owner: str, clock: Clock = timezone.now, lease_for: timedelta = LEASE) -> bool:
    """Take the unit, work on it and save what came out; False when somebody else has it or it is done."""
    unit = _take(unit_id=unit_id, owner=owner, now=clock(), lease_for=lease_for)
    if unit is None:
        return False
    try:
        outcome = work(unit=unit, lease=Lease(unit_id=unit.pk, owner=owner, clock=clock, duration=lease_for))
    except LeaseLost:
        return False
    except steering.MustPause as error:
        steering.pause(run_id=unit.run_id, why=str(error))
        _give_back(unit)
    except (SliceOver, RunHalted):
        _give_back(unit)
    except TRANSIENT as error:
        _try_again(unit, error, now=clock())
    except Exception as error:  # noqa: BLE001  # one unit's fault must not end the run: it is kept with the unit
        _close(unit, state=RunUnit.State.FAILED, now=clock(), error=_told(error))
    except BaseException:
        _give_back(unit)
        raise
    else:
        _close(unit, state=RunUnit.State.DONE, now=clock(), outcome=outcome)
    finish_if_done(run_id=unit.run_id, now=clock())
    return True


def next_free(*, run: Run, now: datetime) -> int | None:
    """Return a unit of the run that nobody works on, first planned first."""
    return run.units.free(now).order_by("position").values_list("pk", flat=True).first()


def is_worked_on(*, run: Run, now: datetime) -> bool:
    """Whether somebody works on the run, or a worker is there to take one of its units.

    An active run of which nothing is true was started by a command that was stopped: the same command goes on with it.
    """
    if WorkerHeartbeat.objects.alive(now).exists():
        return run.units.left().exists()
    held = run.units.filter(state=RunUnit.State.RUNNING, leased_until__gte=now).values_list("owner", flat=True)
    return any(not _is_dead_inline(owner) for owner in held.distinct())


def progress(*, run: Run) -> Progress:
    """Count the run's units by state."""
    states = Counter(run.units.all().numbers_by_state().get(run.pk, {}))
    return Progress(
        total=sum(states.values()),
        waiting=states[RunUnit.State.WAITING],
        running=states[RunUnit.State.RUNNING],
        done=states[RunUnit.State.DONE],
        failed=states[RunUnit.State.FAILED],
    )


def counts(*, run: Run) -> dict[str, Any]:
    """Return the sum of what the run's units counted."""
    total: dict[str, Any] = {}
    for outcome in run.units.order_by("position").values_list("outcome", flat=True):
        _add(total, outcome)
    return total


def finish_if_done(*, run_id: int, now: datetime) -> bool:
    """Close the run when no unit is left, a paused one too; True when none is left."""
    left = RunUnit.objects.filter(run_id=run_id).left()
    if left.exists():
        return False
    Run.objects.filter(~Exists(left), pk=run_id).open().update(state=Run.State.FINISHED, finished_at=now)
    return True


def free_lapsed(*, now: datetime) -> int:
    """Give units under a lease that has run out back to the workers, and return how many.

    The rows of killed workers are the case; a broker that lost its messages is the other one (see `_resend_lost`).
    """
    lapsed = RunUnit.objects.lapsed(now).select_related("run").order_by("pk")
    freed = sum(_free(unit) for unit in lapsed)
    _resend_lost(now)
    return freed


def _identity(kind: Kind, benchmark: Benchmark, parameters: Mapping[str, Any]) -> dict[str, Any]:
    telling = {name: value for name, value in parameters.items() if name not in NOT_IDENTITY}
    digest = content_hash(json.dumps(telling, sort_keys=True))
    return {"kind": kind.value, "benchmark": benchmark, "parameters_hash": digest}


def _plan_units(run: Run, keys: Iterable[str]) -> None:
    units = [RunUnit(run=run, key=key, position=position) for position, key in enumerate(keys)]
    if not units:
        raise NothingToDo(_why_nothing(Kind(run.kind), run.benchmark.name))
    RunUnit.objects.bulk_create(units, batch_size=500)


def _why_nothing(kind: Kind, benchmark: str) -> str:
    return {
        Kind.VERIFY: f"{benchmark} has no requirement with a reference and tests.",
        Kind.PERTURB: f"{benchmark} has no reference that passed its tests: run verify --benchmark {benchmark} first.",
        Kind.REPORTS: f"{benchmark} has no accepted program: run verify and perturb first.",
    }[kind]


def _take(*, unit_id: int, owner: str, now: datetime, lease_for: timedelta) -> RunUnit | None:
    unit = RunUnit.objects.select_related("run__benchmark").filter(pk=unit_id).first()
    if unit is None or unit.run.state != Run.State.ACTIVE or not _is_free(unit, owner, now):
        return None
    if unit.attempts >= MAX_TAKES:
        error = f"Given up: taken {unit.attempts} times by a worker that then ended without a word. {unit.error}"
        if _swap(unit, state=RunUnit.State.FAILED, error=error.strip(), finished_at=now):
            finish_if_done(run_id=unit.run_id, now=now)
        return None
    taken = {"state": RunUnit.State.RUNNING, "owner": owner, "leased_until": now + lease_for}
    if not _swap(unit, **taken, attempts=unit.attempts + 1):
        return None
    unit.state, unit.owner, unit.attempts = RunUnit.State.RUNNING, owner, unit.attempts + 1
    return unit


def _is_free(unit: RunUnit, owner: str, now: datetime) -> bool:
    if unit.state == RunUnit.State.WAITING:
        return True
    if unit.state != RunUnit.State.RUNNING:
        return False
    # The same owner again: the broker delivered a task once more whose process had died.
    return unit.owner == owner or unit.leased_until is None or unit.leased_until < now


def _swap(unit: RunUnit, **changes: Any) -> bool:
    """Change the row only if it still is as it was read. All conditions are on the row itself: see PostgreSQL's
    READ COMMITTED, which re-checks those after waiting for another writer, but not a sub-select's.
    """
    seen = {"pk": unit.pk, "state": unit.state, "owner": unit.owner, "attempts": unit.attempts}
    return RunUnit.objects.filter(**seen).update(**changes) == 1


def _close(
    unit: RunUnit, *, state: RunUnit.State, now: datetime, outcome: Mapping[str, Any] | None = None, error: str = ""
) -> None:
    changes: dict[str, Any] = {"state": state, "error": error, "finished_at": now, "leased_until": None}
    if outcome is not None:
        changes["outcome"] = dict(outcome)
    RunUnit.objects.filter(pk=unit.pk, owner=unit.owner, state=RunUnit.State.RUNNING).update(**changes)


def _try_again(unit: RunUnit, error: BaseException, *, now: datetime) -> None:
    """Give the unit back after a passing fault, or fail it at the last one. Takes that were killed count apart."""
    if unit.faults + 1 < MAX_FAULTS:
        _give_back(unit, attempts=unit.attempts - 1, faults=unit.faults + 1, error=_told(error))
    else:
        _close(unit, state=RunUnit.State.FAILED, now=now, error=_told(error))


def _give_back(unit: RunUnit, *, attempts: int = 0, faults: int = 0, error: str = "") -> None:
    with transaction.atomic():
        changed = RunUnit.objects.filter(pk=unit.pk, owner=unit.owner, state=RunUnit.State.RUNNING).update(
            state=RunUnit.State.WAITING, leased_until=None, owner="", attempts=attempts, faults=faults, error=error
        )
        if changed and not unit.owner.startswith("inline:"):
            steering.enqueue_units([unit.pk])


def _free(unit: RunUnit) -> int:
    with transaction.atomic():
        if not _swap(unit, state=RunUnit.State.WAITING, owner="", leased_until=None):
            return 0
        if unit.run.state == Run.State.ACTIVE:
            steering.enqueue_units([unit.pk])
    return 1


def _resend_lost(now: datetime) -> None:
    """Send waiting units again when workers are there, nobody works and nothing was sent for a while.

    The broker holds nothing that cannot be lost: an emptied one must not leave a run waiting for ever.
    """
    if RunUnit.objects.filter(state=RunUnit.State.RUNNING).exists():
        return
    if not WorkerHeartbeat.objects.alive(now).exists():
        return
    if Outbox.objects.filter(Q(sent_at__isnull=True) | Q(sent_at__gt=now - RESEND_AFTER), task=WORK_TASK).exists():
        return
    waiting = RunUnit.objects.filter(state=RunUnit.State.WAITING, run__state=Run.State.ACTIVE)
    steering.enqueue_units(waiting.order_by("run_id", "position").values_list("pk", flat=True))


def _free_dead_inline(run: Run) -> None:
    for unit in run.units.filter(state=RunUnit.State.RUNNING):
        if _is_dead_inline(unit.owner):
            _swap(unit, state=RunUnit.State.WAITING, owner="", leased_until=None)


def _is_dead_inline(owner: str) -> bool:
    """Whether it names a process of this machine that is gone."""
    machine, _colon, process = owner.rpartition(":")
    return machine == inline_owner().rpartition(":")[0] and not Path(f"/proc/{process}").exists()


def _add(total: dict[str, Any], part: Mapping[str, Any]) -> None:
    for key, value in part.items():
        if isinstance(value, Mapping):
            _add(total.setdefault(key, {}), value)
        elif isinstance(value, int):
            total[key] = total.get(key, 0) + value


def _told(error: BaseException) -> str:
    """One line that says what went wrong, then where."""
    return f"{type(error).__name__}: {error}\n{''.join(traceback.format_exception(error)[-3:])}"[:4000]
