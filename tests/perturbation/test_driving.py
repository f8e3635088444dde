"""Commands whose run is paused or cancelled under their hands: what they say, and how it goes on."""

from __future__ import annotations

import io
import json
from datetime import datetime
from typing import Any

import pytest
from django.core.management import call_command

from perturbation import pipeline, steering
from perturbation.models import Run, RunUnit
from tests.factories import make_program, make_requirement

pytestmark = pytest.mark.django_db


@pytest.fixture
def references() -> None:
    """Three references that wait for their verification."""
    for number in range(3):
        make_program(requirement=make_requirement(external_id=f"req-{number}", position=number), state="pending")


def verify() -> tuple[dict[str, Any], str]:
    """Run the command in this process; return its counts and what it said beside them."""
    output, said = io.StringIO(), io.StringIO()
    call_command("verify", "--benchmark", "sample", "--inline", "--json", stdout=output, stderr=said)
    return json.loads(output.getvalue().splitlines()[-1]), said.getvalue()


def halt_after_the_first_unit(monkeypatch: pytest.MonkeyPatch, halt: Any) -> None:
    """Let somebody halt the run while its first unit is worked on."""
    real = pipeline.work

    def work(**arguments: Any) -> dict[str, Any]:
        halt(Run.objects.get())
        return real(**arguments)

    monkeypatch.setattr(pipeline, "work", work)


def test_stops_when_the_run_is_paused_and_goes_on_when_started_again(
    references: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        halt_after_the_first_unit(patch, lambda run: steering.pause(run_id=run.pk, why="paused by mia"))
        counts, said = verify()
    run = Run.objects.get()
    assert (counts["state"], counts["left"], counts["created"]) == ("paused", 2, 1)
    assert said.strip() == (
        f"Run {run.pk} was paused (paused by mia) with 2 units left. "
        "Start the same command again, or press Resume on the run's page, and it goes on."
    )

    counts, said = verify()

    assert said.strip() == f"Run {run.pk} was paused (paused by mia): it goes on."
    assert (counts["created"], counts["accepted"]) == (3, 3)
    assert "state" not in counts
    assert list(Run.objects.values_list("state", flat=True)) == ["finished"]


def test_says_that_the_run_was_cancelled(references: None, monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    halt_after_the_first_unit(monkeypatch, lambda run: steering.cancel(run_id=run.pk, why="cancelled by mia", now=now))

    counts, said = verify()

    assert (counts["state"], counts["left"]) == ("cancelled", 2)
    assert "What was made stays; the same command starts a new run that goes on from there." in said


def test_stays_resumable_when_it_is_interrupted(references: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(**_arguments: Any) -> dict[str, Any]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "work", work)
        with pytest.raises(SystemExit) as ended:
            verify()

    assert ended.value.code == 130
    assert (Run.objects.get().state, set(RunUnit.objects.values_list("state", flat=True))) == ("active", {"waiting"})
    assert verify()[0]["created"] == 3
