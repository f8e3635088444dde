"""Workers that die: what they had taken is done by others, and nothing is lost or doubled."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Callable

import psycopg
import pytest

from axiom_site.local_services import Service
from tests.services.conftest import ROOT, Installation

pytestmark = [pytest.mark.services, pytest.mark.timeout(600)]


def ask(installation: Installation, query: str) -> list[tuple[object, ...]]:
    """Ask the installation's database."""
    url = installation.environment["DATABASE_URL"].replace("postgres://", "postgresql://")
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


def wait_for(is_so: Callable[[], bool], *, seconds: float, what: str) -> None:
    """Wait for something that the database will show."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"{what}: not within {seconds} s"
        time.sleep(0.2)


def kill_group(service: Service) -> None:
    """SIGKILL to the worker's first process alone, as the kernel does when memory is short."""
    os.kill(service.process.pid, signal.SIGKILL)
    service.process.wait()


@pytest.fixture
def verified(installation: Installation) -> Installation:
    """The first eight requirements of the sample, verified."""
    sample = str(ROOT / "perturbation" / "sample")
    options = ("--format", "axiom", "--benchmark", "sample", "--limit", "8")
    imported = installation.manage("import_requirements", sample, *options)
    assert imported.returncode == 0, imported.stderr
    done = installation.manage("verify", "--benchmark", "sample", "--inline", "--json")
    assert json.loads(done.stdout.splitlines()[-1])["accepted"] == 8, done.stderr
    return installation


def programs(installation: Installation) -> list[tuple[object, ...]]:
    """Every program as its content key and text."""
    return ask(
        installation,
        "SELECT r.external_id, p.kind, p.target_score, p.draw_number, p.state, p.refusal, p.text_hash "
        "FROM perturbation_program p JOIN perturbation_requirement r ON r.id = p.requirement_id "
        "ORDER BY 1, 2, 3, 4",
    )


def test_a_killed_workers_units_are_done_by_another_and_the_bytes_are_the_same(verified: Installation) -> None:
    options = ("--benchmark", "sample", "--targets", "2,4", "--seed", "s")
    first = verified.start_worker()
    command = verified.start_manage("perturb", *options, "--json")
    wait_for(lambda: len(programs(verified)) > 12, seconds=120, what="the first programs")
    kill_group(first)
    held = ask(verified, "SELECT count(*) FROM perturbation_rununit WHERE state = 'running'")
    assert held[0][0]
    verified.start_worker()
    command.process.wait(timeout=240)

    counts = json.loads(command.log.read_text().splitlines()[-1])
    with_kill = programs(verified)
    states = ask(verified, "SELECT state, count(*) FROM perturbation_rununit GROUP BY state")
    assert counts["failed"] == 0
    assert counts["created"] == len(with_kill) - 8
    assert [row for row in states if row[0] != "done"] == []

    assert start_afresh(verified) == 8
    done = verified.manage("perturb", *options, "--inline", "--json")
    assert done.returncode == 0, done.stderr
    assert programs(verified) == with_kill


def test_a_run_paused_while_its_worker_is_killed_goes_on_and_makes_the_same_bytes(verified: Installation) -> None:
    options = ("--benchmark", "sample", "--targets", "2,4", "--seed", "s", "--json")
    first = verified.start_worker()
    command = verified.start_manage("perturb", *options)
    wait_for(lambda: len(programs(verified)) > 12, seconds=120, what="the first programs")
    pause(verified)
    kill_group(first)
    command.process.wait(timeout=60)
    log = command.log.read_text()
    assert json.loads(log.splitlines()[-1])["state"] == "paused"
    assert "was paused (paused by a test)" in log
    at_rest = programs(verified)

    verified.start_worker()
    verified.manage("perturb", *options)

    assert set(at_rest) <= set(programs(verified))
    assert ask(verified, "SELECT state, count(*) FROM perturbation_run WHERE kind = 'perturb' GROUP BY state") == [
        ("finished", 1)
    ]
    interrupted = fingerprint(verified)
    assert start_afresh(verified) == 8
    for _ in range(2):
        verified.start_worker()
    wait_for(lambda: len(ask(verified, WORKERS)) == 3, seconds=60, what="three workers")  # noqa: PLR2004
    done = verified.manage("perturb", *options)
    assert done.returncode == 0, done.stderr
    assert fingerprint(verified) == interrupted


WORKERS = "SELECT name FROM perturbation_workerheartbeat WHERE seen_at > now() - interval '12 seconds'"


def pause(installation: Installation) -> None:
    """Do what the page's button does, at once: the start of another process would let the run end before."""
    url = installation.environment["DATABASE_URL"].replace("postgres://", "postgresql://")
    with psycopg.connect(url, autocommit=True) as connection:
        changed = connection.execute(
            "UPDATE perturbation_run SET state = 'paused', note = 'paused by a test' WHERE state = 'active'"
        )
    assert changed.rowcount == 1


def fingerprint(installation: Installation) -> str:
    """A hash over every program's content key, text, state and refusal, and over the text after every step."""
    steps = ask(
        installation,
        "SELECT r.external_id, p.kind, p.target_score, p.draw_number, s.number, s.rule_id, s.text "
        "FROM perturbation_step s JOIN perturbation_chain c ON c.id = s.chain_id "
        "JOIN perturbation_program p ON p.id = c.program_id "
        "JOIN perturbation_requirement r ON r.id = p.requirement_id ORDER BY 1, 2, 3, 4, 5",
    )
    assert steps
    return hashlib.sha256(repr([programs(installation), steps]).encode()).hexdigest()


def start_afresh(installation: Installation) -> int:
    """Empty the tables, import and verify again, and return how many were accepted."""
    url = installation.environment["DATABASE_URL"].replace("postgres://", "postgresql://")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("TRUNCATE perturbation_requirement, perturbation_run, perturbation_outbox CASCADE")
    sample = str(ROOT / "perturbation" / "sample")
    options = ("--format", "axiom", "--benchmark", "sample", "--limit", "8")
    imported = installation.manage("import_requirements", sample, *options)
    assert imported.returncode == 0, imported.stderr
    done = installation.manage("verify", "--benchmark", "sample", "--inline", "--json")
    return int(json.loads(done.stdout.splitlines()[-1])["accepted"])


def test_a_run_that_was_started_without_a_worker_is_done_once_one_comes(verified: Installation) -> None:
    command = verified.start_manage("perturb", "--benchmark", "sample", "--targets", "4", "--json")
    wait_for(
        lambda: bool(ask(verified, "SELECT 1 FROM perturbation_outbox WHERE sent_at IS NOT NULL")),
        seconds=60,
        what="the messages",
    )
    time.sleep(1)
    assert command.process.poll() is None

    verified.start_worker()
    command.process.wait(timeout=240)

    assert json.loads(command.log.read_text().splitlines()[-1])["accepted_by_target"] == {"4": 16}


def test_a_stopped_worker_says_that_it_is_gone(installation: Installation) -> None:
    worker = installation.start_worker()
    seen = "SELECT sandbox FROM perturbation_workerheartbeat"
    wait_for(lambda: bool(ask(installation, seen)), seconds=60, what="the heartbeat")
    assert ask(installation, seen)[0][0] not in ("", "none", "unprotected")

    worker.process.terminate()
    worker.process.wait(timeout=60)

    assert ask(installation, seen) == []
