"""The thin layer over Celery: tasks call one function each, and the worker's heartbeat keeps leases alive."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from celery import current_app

from axiom_site.celery import HeartbeatStep, app
from perturbation import heartbeat, pipeline, tasks
from perturbation.languages import registry
from perturbation.languages.base import Toolchain
from perturbation.models import Outbox, Program, Run, RunUnit, WorkerHeartbeat
from perturbation.units import Kind
from tests import local_servers
from tests.factories import make_program

pytestmark = pytest.mark.django_db


@pytest.fixture
def broker() -> Iterator[str]:
    """A Redis of this test's own as the broker."""
    before = current_app.conf.broker_url
    with local_servers.redis() as url:
        current_app.conf.update(broker_url=url)
        yield url
    current_app.conf.update(broker_url=before)


def planned() -> RunUnit:
    """The unit of a run over one reference."""
    reference = make_program(state=Program.State.PENDING)
    run = pipeline.plan_run(kind=Kind.VERIFY, benchmark=reference.requirement.benchmark, parameters={}, enqueue=False)
    return run.units.get()


def test_a_task_does_its_unit_under_its_own_id(broker: str) -> None:
    unit = planned()

    tasks.work_unit.apply(kwargs={"unit_id": unit.pk}, task_id="task-1", throw=True)

    unit.refresh_from_db()
    assert (unit.state, unit.owner) == ("done", "task-1")
    assert Run.objects.get().state == "finished"


def test_the_sender_sends_and_prunes(broker: str, now: datetime) -> None:
    unit = planned()
    Outbox.objects.create(task="old", sent_at=now - timedelta(days=800))
    Outbox.objects.create(task=pipeline.WORK_TASK, arguments={"unit_id": unit.pk})

    tasks.send_outbox.apply(throw=True)

    assert [(row.task, row.sent_at is not None) for row in Outbox.objects.all()] == [(pipeline.WORK_TASK, True)]


def test_the_sweep_frees_a_killed_workers_unit_and_sends_its_message(broker: str, now: datetime) -> None:
    unit = planned()
    RunUnit.objects.update(state="running", owner="dead", leased_until=now - timedelta(days=400))

    tasks.free_lapsed_units.apply(throw=True)

    unit.refresh_from_db()
    assert unit.state == "waiting"
    assert Outbox.objects.get().sent_at is not None


def test_every_beat_names_a_task_that_is_there() -> None:
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
    assert HeartbeatStep in app.steps["worker"]


def test_survives_a_killed_worker_by_its_settings() -> None:
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.broker_transport_options["visibility_timeout"] > app.conf.task_time_limit


def test_a_beat_renews_the_leases_of_what_the_worker_works_on(now: datetime) -> None:
    planned()
    RunUnit.objects.update(state="running", owner="task-1", leased_until=now)

    heartbeat.beat(name="w@host", sandbox_name="bubblewrap", active_task_ids=["task-1"], now=now)
    heartbeat.beat(
        name="w@host", sandbox_name="bubblewrap", active_task_ids=["another"], now=now + timedelta(seconds=9)
    )

    assert RunUnit.objects.get().leased_until == now + pipeline.LEASE
    seen = WorkerHeartbeat.objects.get()
    assert (seen.name, seen.sandbox, seen.seen_at) == ("w@host", "bubblewrap", now + timedelta(seconds=9))


@pytest.mark.parametrize(("seconds", "is_seen"), [(19, True), (21, False)])
def test_a_worker_is_seen_for_twenty_seconds(seconds: int, is_seen: bool, now: datetime) -> None:
    WorkerHeartbeat.objects.create(name="w@host", seen_at=now)

    assert heartbeat.is_worker_seen(now=now + timedelta(seconds=seconds)) is is_seen


def test_a_beat_keeps_the_tool_chains_until_new_ones_are_told(now: datetime) -> None:
    found = heartbeat.toolchains()
    heartbeat.beat(name="w@host", sandbox_name="bubblewrap", active_task_ids=[], now=now, languages=found)

    heartbeat.beat(name="w@host", sandbox_name="bubblewrap", active_task_ids=[], now=now)

    assert set(found) == {"python", "cpp", "java", "javascript", "go", "rust"}
    assert "3." in found["python"]
    assert WorkerHeartbeat.objects.get().languages == found


def test_a_tool_chain_that_does_not_answer_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs() -> Toolchain:
        raise subprocess.TimeoutExpired("node", 30)

    silent = replace(registry.get("javascript"), toolchain=hangs)
    monkeypatch.setattr(registry, "all_languages", lambda: (registry.get("python"), silent))

    found = heartbeat.toolchains()

    assert found["javascript"] == ""
    assert "3." in found["python"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_stops_removes_its_heartbeat() -> None:
    WorkerHeartbeat.objects.create(name="w@host", seen_at=datetime.now().astimezone())
    stopped = threading.Event()
    stopped.set()

    heartbeat.run_until(stopped=stopped, name="w@host", active_task_ids=list)

    assert not WorkerHeartbeat.objects.exists()
