"""Runs that are paused, resumed, cancelled and tried again, and what becomes of the units at work meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from perturbation import pipeline, steering
from perturbation.leases import RENEW_EVERY
from perturbation.models import Benchmark, Outbox, Program, Run, RunUnit
from perturbation.units import Kind
from tests.factories import make_benchmark, make_program, make_requirement

pytestmark = pytest.mark.django_db


def make_run(units: int = 2, *, enqueue: bool = False) -> Run:
    """A run over references that wait for their verification."""
    for number in range(units):
        requirement = make_requirement(external_id=f"req-{number}", position=number)
        make_program(requirement=requirement, state=Program.State.PENDING)
    return plan(make_benchmark(), enqueue=enqueue)


def plan(benchmark: Benchmark, *, enqueue: bool = False) -> Run:
    """Plan a verify run, or go on with the one that is open."""
    return pipeline.plan_run(kind=Kind.VERIFY, benchmark=benchmark, parameters={}, enqueue=enqueue)


def standing() -> tuple[str, str]:
    """State and note of the only run."""
    run = Run.objects.get()
    return run.state, run.note


def messages() -> list[int]:
    """The units that workers are asked to take."""
    return [row.arguments["unit_id"] for row in Outbox.objects.order_by("pk")]


def test_takes_no_unit_of_a_paused_run() -> None:
    run = make_run()
    unit = run.units.earliest("position")

    assert steering.pause(run_id=run.pk, why="paused by mia") is True
    assert pipeline.work_unit(unit_id=unit.pk, owner="a") is False
    assert pipeline.next_free(run=run, now=timezone.now()) is None

    assert standing() == ("paused", "paused by mia")


def test_pauses_once_and_keeps_the_first_note() -> None:
    run = make_run()
    steering.pause(run_id=run.pk, why="paused by mia")

    assert steering.pause(run_id=run.pk, why="paused by bob") is False
    assert standing() == ("paused", "paused by mia")


def test_resumes_a_paused_run_with_a_message_for_each_waiting_unit() -> None:
    run = make_run()
    steering.pause(run_id=run.pk, why="paused by mia")

    assert steering.resume(run_id=run.pk, why="resumed by mia") is True
    assert steering.resume(run_id=run.pk, why="resumed by bob") is False

    assert standing() == ("active", "resumed by mia")
    assert messages() == list(run.units.order_by("position").values_list("pk", flat=True))


@pytest.mark.parametrize("is_paused", [False, True])
def test_cancels_an_open_run_for_good(is_paused: bool, now: datetime) -> None:  # noqa: FBT001
    run = make_run()
    if is_paused:
        steering.pause(run_id=run.pk, why="paused by mia")

    assert steering.cancel(run_id=run.pk, why="cancelled by mia", now=now) is True
    assert steering.cancel(run_id=run.pk, why="cancelled by bob", now=now) is False
    assert steering.resume(run_id=run.pk, why="resumed by mia") is False
    assert steering.pause(run_id=run.pk, why="paused by mia") is False

    assert standing() == ("cancelled", "cancelled by mia")
    assert Run.objects.get().finished_at == now


def test_plans_a_new_run_after_a_cancelled_one(now: datetime) -> None:
    run = make_run()
    pipeline.work_unit(unit_id=run.units.earliest("position").pk, owner="a")
    steering.cancel(run_id=run.pk, why="cancelled by mia", now=now)

    again = plan(make_benchmark())
    for unit in again.units.order_by("position"):
        pipeline.work_unit(unit_id=unit.pk, owner="a")

    assert again.pk != run.pk
    counts = pipeline.counts(run=again)
    assert (counts["created"], counts["unchanged"], counts["accepted"]) == (1, 1, 2)


def test_goes_on_with_the_paused_run_when_the_same_command_is_started_again() -> None:
    run = make_run()
    steering.pause(run_id=run.pk, why="paused by mia")

    again = plan(make_benchmark(), enqueue=True)

    assert again.pk == run.pk
    assert again.state == Run.State.ACTIVE
    assert standing() == ("active", "resumed from the command line")
    assert sorted(messages()) == sorted(run.units.values_list("pk", flat=True))


@pytest.mark.parametrize("state", ["paused", "cancelled"])
def test_a_unit_at_work_goes_back_at_its_next_renewal(
    state: str, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(1)
    moments = iter([now, now, now + RENEW_EVERY * 2, now + RENEW_EVERY * 2])

    def work(*, lease: Any, **_arguments: Any) -> dict[str, Any]:
        lease.note({"before": 7})
        Run.objects.update(state=state)
        lease.renew()
        return {}

    monkeypatch.setattr(pipeline, "work", work)

    pipeline.work_unit(unit_id=run.units.get().pk, owner="inline:here:1", clock=lambda: next(moments))

    unit = run.units.get()
    assert (unit.state, unit.attempts, unit.owner, unit.outcome) == ("waiting", 0, "", {"before": 7})
    assert standing()[0] == state


def test_a_spent_budget_pauses_the_run_with_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(1)

    def work(**_arguments: Any) -> dict[str, Any]:
        raise steering.MustPause("The budget of 100 tokens is spent.")

    monkeypatch.setattr(pipeline, "work", work)

    pipeline.work_unit(unit_id=run.units.get().pk, owner="a")

    assert standing() == ("paused", "The budget of 100 tokens is spent.")
    assert run.units.get().state == "waiting"


def test_finishes_a_paused_run_whose_last_unit_was_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(1)

    def work(**_arguments: Any) -> dict[str, Any]:
        steering.pause(run_id=run.pk, why="paused by mia")
        return {}

    monkeypatch.setattr(pipeline, "work", work)

    pipeline.work_unit(unit_id=run.units.get().pk, owner="a")

    assert standing()[0] == "finished"


def test_frees_a_dead_workers_unit_while_the_run_is_paused_and_sends_nothing(now: datetime) -> None:
    run = make_run(1)
    RunUnit.objects.update(state="running", owner="dead", leased_until=now - timedelta(seconds=1))
    steering.pause(run_id=run.pk, why="paused by mia")

    assert pipeline.free_lapsed(now=now) == 1

    assert run.units.get().state == "waiting"
    assert messages() == []


def test_tries_failed_units_of_a_finished_run_again(now: datetime) -> None:
    run = make_run()
    RunUnit.objects.update(state="done", finished_at=now)
    failed = run.units.latest("position")
    RunUnit.objects.filter(pk=failed.pk).update(state="failed", error="ValueError: broken", faults=2)
    pipeline.finish_if_done(run_id=run.pk, now=now)

    assert steering.retry_failed(run_id=run.pk, why="tried again by mia") == 1
    assert steering.retry_failed(run_id=run.pk, why="tried again by mia") == 0

    failed.refresh_from_db()
    assert (failed.state, failed.faults, failed.error) == ("waiting", 0, "")
    assert standing() == ("active", "tried again by mia")
    assert messages() == [failed.pk]


def test_tries_nothing_again_while_a_newer_run_is_open(now: datetime) -> None:
    run = make_run()
    RunUnit.objects.update(state="failed", finished_at=now, error="ValueError: broken")
    pipeline.finish_if_done(run_id=run.pk, now=now)
    plan(make_benchmark())

    with pytest.raises(steering.AnotherRunIsOpen, match="A newer run with the same parameters is open"):
        steering.retry_failed(run_id=run.pk, why="tried again by mia")

    assert list(run.units.values_list("state", flat=True)) == ["failed", "failed"]
    assert messages() == []
