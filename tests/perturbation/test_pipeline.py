"""Runs: planning, leases, what happens to units whose worker fails, dies or is slow."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from perturbation import pipeline
from perturbation.leases import RENEW_EVERY, SLICE, Lease, LeaseLost
from perturbation.models import Benchmark, Outbox, Program, Run, RunUnit, Verification, WorkerHeartbeat
from perturbation.units import Kind
from tests.factories import make_benchmark, make_program, make_requirement

pytestmark = pytest.mark.django_db


def make_references(count: int) -> Benchmark:
    """A benchmark whose references wait for their verification."""
    for number in range(count):
        requirement = make_requirement(external_id=f"req-{number}", position=number)
        make_program(requirement=requirement, state=Program.State.PENDING)
    return make_benchmark()


def plan(benchmark: Benchmark, *, enqueue: bool = False) -> Run:
    """Plan a verify run."""
    return pipeline.plan_run(kind=Kind.VERIFY, benchmark=benchmark, parameters={}, enqueue=enqueue)


def fail_with(error: BaseException) -> Any:
    """Return the work of a unit that raises."""

    def work(**_arguments: Any) -> dict[str, Any]:
        raise error

    return work


def test_plans_one_unit_for_each_requirement_that_can_be_verified() -> None:
    benchmark = make_references(2)
    make_requirement(external_id="no-reference", position=5)
    make_program(requirement=make_requirement(external_id="no-tests", position=6, tests=""))

    run = plan(benchmark)

    assert list(run.units.order_by("position").values_list("key", "state")) == [
        ("req-0", "waiting"),
        ("req-1", "waiting"),
    ]


def test_resumes_the_active_run_instead_of_planning_another() -> None:
    benchmark = make_references(2)
    first = plan(benchmark)

    second = plan(benchmark)

    assert second.pk == first.pk
    assert RunUnit.objects.count() == 2


def test_refuses_a_run_without_units_and_saves_none() -> None:
    with pytest.raises(pipeline.NothingToDo, match="no requirement with a reference"):
        plan(make_benchmark())

    assert not Run.objects.exists()


def test_writes_one_message_a_unit_with_the_plan() -> None:
    run = plan(make_references(2), enqueue=True)

    messages = Outbox.objects.filter(sent_at=None).order_by("pk").values_list("task", "arguments")
    units = run.units.order_by("position")
    assert list(messages) == [("perturbation.tasks.work_unit", {"unit_id": unit.pk}) for unit in units]


def test_works_on_a_unit_once_and_closes_the_run() -> None:
    run = plan(make_references(1))
    unit = run.units.get()

    assert pipeline.work_unit(unit_id=unit.pk, owner="a") is True
    assert pipeline.work_unit(unit_id=unit.pk, owner="b") is False

    run.refresh_from_db()
    assert run.state == Run.State.FINISHED
    counts = pipeline.counts(run=run)
    assert (counts["created"], counts["unchanged"], counts["accepted"], counts["refused"]) == (1, 0, 1, 0)
    assert Verification.objects.count() == 1


def test_counts_units_by_where_they_stand() -> None:
    run = plan(make_references(2))
    pipeline.work_unit(unit_id=run.units.earliest("position").pk, owner="a")

    assert pipeline.progress(run=run) == pipeline.Progress(total=2, waiting=1, running=0, done=1, failed=0)
    assert Run.objects.get().state == Run.State.ACTIVE


def test_leaves_a_unit_alone_while_another_owner_holds_it(now: datetime) -> None:
    unit = plan(make_references(1)).units.get()
    RunUnit.objects.update(state="running", owner="other", leased_until=now + timedelta(seconds=1))

    assert pipeline.work_unit(unit_id=unit.pk, owner="me", clock=lambda: now) is False
    assert not Verification.objects.exists()


def test_takes_a_unit_over_when_its_lease_has_ended(now: datetime) -> None:
    unit = plan(make_references(1)).units.get()
    RunUnit.objects.update(state="running", owner="dead", leased_until=now - timedelta(seconds=1))

    assert pipeline.work_unit(unit_id=unit.pk, owner="me", clock=lambda: now) is True
    assert RunUnit.objects.get().owner == "me"


def test_takes_a_unit_again_when_the_broker_delivers_the_same_task_again(now: datetime) -> None:
    unit = plan(make_references(1)).units.get()
    RunUnit.objects.update(state="running", owner="task-1", leased_until=now + timedelta(seconds=20))

    assert pipeline.work_unit(unit_id=unit.pk, owner="task-1", clock=lambda: now) is True


def test_leaves_the_units_of_a_cancelled_run_alone() -> None:
    unit = plan(make_references(1)).units.get()
    Run.objects.update(state=Run.State.CANCELLED)

    assert pipeline.work_unit(unit_id=unit.pk, owner="a") is False


def test_tries_a_transient_fault_three_times_and_keeps_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = plan(make_references(1)).units.get()
    monkeypatch.setattr(pipeline, "work", fail_with(OperationalError("database is locked")))

    states = []
    for _ in range(3):
        pipeline.work_unit(unit_id=unit.pk, owner="a")
        states.append(RunUnit.objects.get().state)

    assert states == ["waiting", "waiting", "failed"]
    assert RunUnit.objects.get().error.startswith("OperationalError: database is locked")
    assert Run.objects.get().state == Run.State.FINISHED


def test_counts_passing_faults_apart_from_killed_workers(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = plan(make_references(1)).units.get()
    lapsed = {"state": "running", "owner": "dead", "leased_until": now - timedelta(seconds=1)}
    RunUnit.objects.update(**lapsed, attempts=2)
    monkeypatch.setattr(pipeline, "work", fail_with(OperationalError("database is locked")))

    pipeline.work_unit(unit_id=unit.pk, owner="me", clock=lambda: now)

    unit.refresh_from_db()
    assert (unit.state, unit.attempts, unit.faults) == ("waiting", 2, 1)


def test_fails_a_unit_at_once_on_any_other_fault_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    run = plan(make_references(2))
    first, second = run.units.order_by("position")
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "work", fail_with(ValueError("broken")))
        pipeline.work_unit(unit_id=first.pk, owner="a")
    pipeline.work_unit(unit_id=second.pk, owner="a")

    assert list(run.units.order_by("position").values_list("state", flat=True)) == ["failed", "done"]
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED


def test_gives_a_unit_back_when_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = plan(make_references(1)).units.get()
    monkeypatch.setattr(pipeline, "work", fail_with(KeyboardInterrupt()))

    with pytest.raises(KeyboardInterrupt):
        pipeline.work_unit(unit_id=unit.pk, owner="inline:here:1")

    unit.refresh_from_db()
    assert (unit.state, unit.attempts, unit.owner) == ("waiting", 0, "")


def test_gives_up_a_unit_that_ended_its_worker_ten_times(now: datetime) -> None:
    unit = plan(make_references(1)).units.get()
    RunUnit.objects.update(state="running", owner="dead", leased_until=now - timedelta(seconds=1), attempts=10)

    assert pipeline.work_unit(unit_id=unit.pk, owner="me", clock=lambda: now) is False

    unit.refresh_from_db()
    assert (unit.state, unit.error) == (
        "failed",
        "Given up: taken 10 times by a worker that then ended without a word.",
    )
    assert Run.objects.get().state == Run.State.FINISHED


def test_tells_a_worker_that_its_unit_was_taken_over(now: datetime) -> None:
    unit = plan(make_references(1)).units.get()
    moments = iter([now, now + RENEW_EVERY * 2])
    lease = Lease(unit_id=unit.pk, owner="late", clock=lambda: next(moments), duration=pipeline.LEASE)
    RunUnit.objects.update(state="running", owner="other")

    with pytest.raises(LeaseLost):
        lease.renew()

    assert RunUnit.objects.get().leased_until is None


def test_renews_a_lease_that_it_holds(now: datetime) -> None:
    unit = plan(make_references(1)).units.get()
    later = now + RENEW_EVERY * 2
    moments = iter([now, later])
    RunUnit.objects.update(state="running", owner="me")

    Lease(unit_id=unit.pk, owner="me", clock=lambda: next(moments), duration=pipeline.LEASE).renew()

    assert RunUnit.objects.get().leased_until == later + pipeline.LEASE


def test_hands_a_long_unit_back_with_a_message_to_go_on(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = plan(make_references(1)).units.get()
    moments = iter([now, now, now + SLICE * 2, now + SLICE * 2])

    def long_work(*, lease: Lease, **_arguments: Any) -> dict[str, Any]:
        lease.renew()
        return {}

    monkeypatch.setattr(pipeline, "work", long_work)

    pipeline.work_unit(unit_id=unit.pk, owner="task-1", clock=lambda: next(moments))

    unit.refresh_from_db()
    assert (unit.state, unit.attempts) == ("waiting", 0)
    assert Outbox.objects.get().arguments == {"unit_id": unit.pk}


def test_frees_lapsed_units_with_one_message_each(now: datetime) -> None:
    plan(make_references(3))
    first, second, third = RunUnit.objects.order_by("position")
    RunUnit.objects.filter(pk=first.pk).update(state="running", owner="x", leased_until=now - timedelta(seconds=1))
    RunUnit.objects.filter(pk=second.pk).update(state="running", owner="y", leased_until=now + timedelta(seconds=1))

    assert pipeline.free_lapsed(now=now) == 1
    assert pipeline.free_lapsed(now=now) == 0

    assert [unit.state for unit in RunUnit.objects.order_by("position")] == ["waiting", "running", "waiting"]
    assert [row.arguments for row in Outbox.objects.all()] == [{"unit_id": first.pk}]


def test_sends_again_what_an_emptied_broker_lost_but_only_to_workers_that_are_there(now: datetime) -> None:
    run = plan(make_references(2), enqueue=True)
    Outbox.objects.update(sent_at=now - timedelta(minutes=5))

    pipeline.free_lapsed(now=now)
    assert Outbox.objects.count() == 2

    WorkerHeartbeat.objects.create(name="w", seen_at=now)
    pipeline.free_lapsed(now=now)
    pipeline.free_lapsed(now=now)

    waiting = Outbox.objects.filter(sent_at=None).order_by("pk")
    assert [row.arguments["unit_id"] for row in waiting] == list(
        run.units.order_by("position").values_list("pk", flat=True)
    )


def test_frees_what_a_dead_inline_process_held_when_the_run_is_resumed() -> None:
    benchmark = make_references(2)
    plan(benchmark)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    here = pipeline.inline_owner().rpartition(":")[0]
    until = timezone.now() + pipeline.INLINE_LEASE
    dead, living = RunUnit.objects.order_by("position")
    RunUnit.objects.filter(pk=dead.pk).update(state="running", owner=f"{here}:{ended.pid}", leased_until=until)
    RunUnit.objects.filter(pk=living.pk).update(state="running", owner=f"{here}:{os.getpid()}", leased_until=until)

    plan(benchmark)

    assert [unit.state for unit in RunUnit.objects.order_by("position")] == ["waiting", "running"]


def test_knows_whether_anybody_works_on_a_run(now: datetime) -> None:
    run = plan(make_references(2))
    here = pipeline.inline_owner().rpartition(":")[0]
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()

    def is_worked_on_by(owner: str, *, lease: int) -> bool:
        RunUnit.objects.update(state="running", owner=owner, leased_until=now + timedelta(seconds=lease))
        return pipeline.is_worked_on(run=run, now=now)

    assert pipeline.is_worked_on(run=run, now=now) is False
    assert is_worked_on_by("task-1", lease=5) is True
    assert is_worked_on_by("task-1", lease=-5) is False
    assert is_worked_on_by(f"{here}:{os.getpid()}", lease=5) is True
    assert is_worked_on_by(f"{here}:{ended.pid}", lease=5) is False


def test_takes_a_run_for_worked_on_while_a_worker_could_take_its_units(now: datetime) -> None:
    run = plan(make_references(1))
    WorkerHeartbeat.objects.create(name="w", seen_at=now)

    assert pipeline.is_worked_on(run=run, now=now) is True
    RunUnit.objects.update(state="done")
    assert pipeline.is_worked_on(run=run, now=now) is False
