"""Every page in a real browser: accessible in both themes, no sideways scrolling, live parts that update."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from annotation import closing
from perturbation.models import Selection
from tests.factories import make_batch, make_benchmark
from tests.pages.builders import assign_all, make_long_program, make_work, new_score
from tests.pages.test_every_page import PAGES, Site, build_site

pytestmark = pytest.mark.browser

OpenAs = Callable[..., Page]


@pytest.fixture
def site(alice: User, bob: User, mia: User, lena: User, otto: User, now: datetime) -> Site:
    """A site with something on every page."""
    return build_site(people=[alice, bob, mia, lena, otto], items=5, now=now)


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it is now."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}" for one in found for node in one["nodes"]
    ]


def sideways(page: Page) -> int:
    """How far the page can be scrolled sideways, in CSS pixels."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("who", ["alice", "mia", "lena", "otto"])
def test_is_accessible_and_fits(who: str, theme: str, site: Site, open_as: OpenAs) -> None:
    page = open_as(who, theme=theme)
    found: dict[str, list[str]] = {}

    for owner, path in PAGES:
        if owner == who:
            page.goto(site.address(path))
            found[path] = violations(page) + ["scrolls sideways"] * (sideways(page) > 0)

    assert found == {path: [] for owner, path in PAGES if owner == who}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_is_accessible_at_the_login(theme: str, db: None, open_as: OpenAs) -> None:
    page = open_as(theme=theme)
    page.goto("/accounts/login/")
    page.fill("#id_username", "nobody")
    page.fill("#id_password", "wrong")
    page.click("main button")

    expect(page.get_by_role("alert")).to_contain_text("do not match")
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_is_accessible_with_a_choice_a_problem_and_open_sheets(
    theme: str, alice: User, now: datetime, open_as: OpenAs, troubles: list[str]
) -> None:
    work = make_work(annotator=alice, items=2, with_quality=True)
    page = open_as("alice", theme=theme)
    page.goto(f"/work/{work[0].pk}/")
    new_score(assignment=work[0], value=5, now=now, reason="From elsewhere.")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator("#decision-problem")).to_be_visible()

    with_problem = violations(page)
    page.locator("#reason").blur()
    page.keyboard.press("?")
    with_sheet = violations(page)

    assert with_problem == []
    assert with_sheet == []
    troubles.clear()  # Chromium reports the status 409 as an error


def test_remembers_the_theme(alice: User, open_as: OpenAs) -> None:
    page = open_as("alice", theme="light")
    page.goto("/queue/")

    page.get_by_role("button", name="Light / dark").click()
    page.reload()

    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 21, 27)"


def test_updates_the_agreement_while_scores_come_in(
    alice: User, bob: User, lena: User, now: datetime, open_as: OpenAs
) -> None:
    work = make_work(annotator=alice, items=3, overlap=2)
    theirs = assign_all(batch=work[0].item.batch, annotator=bob, slot=1)
    page = open_as("lena")
    page.goto(f"/agreement/{work[0].item.batch_id}/")
    expect(page.locator("main")).to_contain_text("no item has two scores")

    for number, pair in enumerate(zip(work, theirs, strict=True)):
        new_score(assignment=pair[0], value=number, now=now)
        new_score(assignment=pair[1], value=min(number, 1), now=now)

    expect(page.locator("main")).to_contain_text("6 of 6")
    expect(page.get_by_role("heading", name="Disagreements")).to_contain_text("1")


def test_stops_asking_when_the_batch_is_closed_and_complete(
    alice: User, lena: User, now: datetime, open_as: OpenAs
) -> None:
    work = make_work(annotator=alice, items=1)
    page = open_as("lena")
    page.goto(f"/agreement/{work[0].item.batch_id}/")
    new_score(assignment=work[0], value=2, now=now)
    closing.close(batch=work[0].item.batch)

    with page.expect_response(lambda answer: answer.url.endswith("/panel/")) as answer:
        pass

    assert answer.value.status == 286


def test_makes_a_batch_and_assigns_it(alice: User, bob: User, mia: User, open_as: OpenAs) -> None:
    programs = [make_long_program(title=f"Room {number}") for number in range(4)]
    selection = Selection.objects.create(name="sample", benchmark=make_benchmark(), per_score=90, seed="0")
    for rank, program in enumerate(programs):
        selection.picks.create(program=program, target_score=2, rank=rank)
    page = open_as("mia")
    page.goto("/batches/")

    page.get_by_role("link", name="New batch").first.click()
    page.get_by_label("Name", exact=True).fill("Pilot")
    page.get_by_label("Pilot share in percent").fill("50")
    page.get_by_role("button", name="Make the batch").click()
    page.get_by_label("alice").check()
    page.get_by_label("bob").check()
    page.get_by_label("Annotators per item").fill("2")
    page.get_by_role("button", name="Assign").click()

    expect(page.get_by_role("status")).to_contain_text("4 assignments made.")
    expect(page.locator("main")).to_contain_text("0 of 4")
    assert sorted(alice.assignments.values_list("item__batch__name", flat=True)) == ["Pilot", "Pilot"]


def test_wraps_a_name_of_300_characters(mia: User, open_as: OpenAs) -> None:
    make_batch(name="A/B" * 100, programs=[])
    page = open_as("mia")

    page.goto("/batches/")

    assert sideways(page) == 0


def test_shows_the_administration_under_the_policy(db: None, open_as: OpenAs) -> None:
    User.objects.create_superuser("root", password="root")
    page = open_as("root")

    page.goto("/admin/auth/user/")

    expect(page.get_by_role("heading", name="Select user to change")).to_be_visible()
