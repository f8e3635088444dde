"""Runs and lineage in a real browser: the page follows a run, and a step's diff comes when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from perturbation import steering
from perturbation.models import Run, RunUnit
from tests.e2e.test_pages import violations
from tests.factories import make_benchmark, make_perturbed, make_program

pytestmark = pytest.mark.browser

OpenAs = Callable[..., Page]
LONG = "\n".join(f"value_{number} = {number}" for number in range(40)) + "\n"


def test_follows_a_run_that_somebody_else_pauses(mia: User, open_as: OpenAs) -> None:
    run = Run.objects.create(kind="verify", benchmark=make_benchmark(), parameters_hash="0")
    RunUnit.objects.create(run=run, key="a", position=0)
    page = open_as("mia")
    page.goto(f"/pipeline/runs/{run.pk}/")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()

    steering.pause(run_id=run.pk, why="paused by bob")

    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.locator("#run-progress")).to_contain_text("paused by bob")


def test_fetches_a_steps_diff_with_its_unchanged_lines_folded(mia: User, open_as: OpenAs) -> None:
    program = make_perturbed(parent=make_program(text=LONG), text=LONG.replace("= 30", "= 31"))
    page = open_as("mia")
    page.goto(f"/pipeline/programs/{program.pk}/")

    page.get_by_role("link", name="Show its diff").click()

    diff = page.locator("#step-1")
    expect(diff.get_by_text("value_30")).to_have_count(2)
    expect(diff.get_by_text("value_3 ", exact=False).first).to_be_hidden()
    assert violations(page) == []
    diff.get_by_role("button").first.click()
    expect(diff.get_by_text("value_3 ", exact=False).first).to_be_visible()
