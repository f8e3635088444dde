"""The pipeline page and the health check."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from axiom_site.celery import app
from perturbation.contexts.status import pipeline_page
from perturbation.models import Run, RunUnit, WorkerHeartbeat
from tests.factories import make_benchmark, make_perturbed, make_program, make_requirement
from tests.pages import html

ClientFor = Callable[[User], Client]


def test_counts_the_shortfall_per_requirement_and_target(db: None) -> None:
    parents = [make_program(requirement=make_requirement()) for _ in range(3)]
    make_requirement(problem="It has no tests.")
    for draw in range(3):
        make_perturbed(parent=parents[0], target=2, draw_number=draw)
    make_perturbed(parent=parents[1], target=2)

    line = pipeline_page(now=timezone.now()).benchmarks[0]

    cell = line.cells[2]
    assert (line.requirements, line.usable, line.five_point) == (4, 3, 3)
    # Three programs of one requirement do not fill the gap of another: 2 + 1 + 0 of 6 count.
    assert (cell.target, cell.accepted, cell.wanted, cell.shortfall) == (2, 4, 6, 3)


@pytest.mark.parametrize(("age", "expected"), [(5, "1 worker"), (60, "no worker seen")])
def test_says_whether_a_worker_was_seen(age: int, expected: str, mia: User, client_for: ClientFor) -> None:
    seen_at = timezone.now() - timedelta(seconds=age)
    WorkerHeartbeat.objects.create(name="worker", seen_at=seen_at, sandbox="bubblewrap")
    run = Run.objects.create(kind="verify", benchmark=make_benchmark(), parameters_hash="0")
    RunUnit.objects.create(run=run, key="0", position=0)

    text = html.text_of(html.document(client_for(mia).get("/pipeline/")))

    assert expected in text
    assert ("Start one:" in text) is (age > 20)
    assert ("sandbox: bubblewrap" in text) is (age < 20)


@pytest.mark.parametrize(
    ("address", "models", "expected"),
    [("", [], "not configured"), ("http://model.example/v1", ["small"], "http://model.example/v1 small")],
)
def test_says_whether_a_model_is_configured(  # noqa: PLR0913
    address: str, models: list[str], expected: str, mia: User, client_for: ClientFor, settings: Settings
) -> None:
    settings.AXIOM_LLM_BASE_URL = address
    settings.AXIOM_LLM_MODELS = models

    text = html.text_of(html.document(client_for(mia).get("/pipeline/")))

    assert expected in text


@pytest.fixture
def broker_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the broker at a socket in a folder of its own, where nobody listens."""
    address = tmp_path / "broker.sock"
    monkeypatch.setattr(app.conf, "broker_url", f"redis+socket://{address}")
    return address


def test_is_degraded_without_broker_and_worker(db: None, client: Client, broker_address: Path) -> None:
    answer = client.get("/healthz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "degraded", "database": "ok", "broker": "down", "worker": "not seen"}


def test_sees_a_worker(db: None, client: Client, broker_address: Path) -> None:
    WorkerHeartbeat.objects.create(name="worker", seen_at=timezone.now())

    assert client.get("/healthz").json()["worker"] == "ok"


@pytest.mark.timeout(20)
def test_is_not_held_up_by_a_broker_that_never_answers(db: None, client: Client, broker_address: Path) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(broker_address))
        silent.listen()

        answer = client.get("/healthz")

    assert answer.json()["broker"] == "down"
