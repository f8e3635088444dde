"""The workbench in a real browser: keys, saving once, conflicts, drafts, folding, no sideways scrolling."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from annotation.models import Score
from tests.pages.builders import make_work

pytestmark = pytest.mark.browser

OpenAs = Callable[..., Page]


def chosen(page: Page) -> str | None:
    """The value of the score that is chosen now."""
    value: str | None = page.evaluate("document.querySelector('input[name=value]:checked')?.value ?? null")
    return value


def scores() -> list[tuple[int, str]]:
    """Value and reason of every revision."""
    return list(Score.objects.order_by("pk").values_list("value", "reason"))


def test_scores_by_two_presses_of_a_key_and_goes_on(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.keyboard.press("3")
    expect(page.locator("#saved")).to_have_text("3: Not saved yet")
    page.keyboard.press("3")
    page.wait_for_url(f"**/work/{work[1].pk}/")

    assert scores() == [(3, "")]


def test_saves_by_enter(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/work/{work[1].pk}/")

    assert scores() == [(2, "")]


def test_only_types_in_the_reason(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")
    page.keyboard.press("4")
    page.keyboard.press("r")

    page.keyboard.type("0 1 2 3 5 jkxrsitalbfq?")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")

    expect(page.locator("#reason")).to_have_value("0 1 2 3 5 jkxrsitalbfq\n?")
    assert chosen(page) == "4"
    assert scores() == []
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/work/{work[1].pk}/")
    assert [value for value, _ in scores()] == [4]


def test_ignores_keys_with_modifiers_and_held_keys(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.keyboard.press("Alt+3")
    after_modifier = chosen(page)
    for _ in range(10):
        page.keyboard.down("3")
    page.keyboard.up("3")

    assert after_modifier is None
    assert chosen(page) == "3"
    assert scores() == []


def test_leaves_the_score_alone_while_arrow_keys_scroll(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=1)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.keyboard.press("3")
    page.keyboard.press("ArrowDown")
    by_key = chosen(page)
    page.locator(".score-choice").nth(1).click()
    page.keyboard.press("ArrowDown")

    assert by_key == "3"
    assert chosen(page) == "1"


def test_saves_a_double_click_once(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=3)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.locator(".score-choice").nth(2).click()
    page.locator(".save").dblclick()
    page.wait_for_url(f"**/work/{work[1].pk}/")

    assert scores() == [(2, "")]


def test_shows_both_values_when_two_tabs_disagree(alice: User, open_as: OpenAs, troubles: list[str]) -> None:
    work = make_work(annotator=alice, items=2)
    older = open_as("alice")
    older.goto(f"/work/{work[0].pk}/")
    newer = older.context.new_page()
    newer.goto(f"/work/{work[0].pk}/")
    newer.keyboard.press("4")
    newer.keyboard.press("Enter")
    newer.wait_for_url(f"**/work/{work[1].pk}/")

    older.keyboard.press("2")
    older.fill("#reason", "From the older tab.")
    older.keyboard.press("Control+Enter")

    problem = older.locator("#decision-problem")
    expect(problem).to_contain_text(re.compile(r"Saved now\s*4.*Entered here\s*2 From the older tab\.", re.DOTALL))
    expect(older.locator("#reason")).to_have_value("From the older tab.")
    expect(older.locator("#saved")).to_have_attribute("data-state", "failed")
    assert scores() == [(4, "")]
    older.get_by_role("button", name="Replace it by what is entered here").click()
    older.wait_for_url(f"**/work/{work[1].pk}/")
    assert scores() == [(4, ""), (2, "From the older tab.")]
    troubles.clear()  # Chromium reports the status 409 as an error


def test_keeps_text_over_a_reload_without_the_server(alice: User, open_as: OpenAs, troubles: list[str]) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")
    page.keyboard.press("1")
    page.fill("#reason", "Wrong algorithm 🙂\tno search.")

    page.context.set_offline(True)  # noqa: FBT003
    page.click(".save")
    expect(page.locator("#saved")).to_have_attribute("data-state", "failed")
    page.context.set_offline(False)  # noqa: FBT003
    page.reload()

    expect(page.locator("#reason")).to_have_value("Wrong algorithm 🙂\tno search.")
    assert chosen(page) == "1"
    assert scores() == []
    page.click(".save")
    page.wait_for_url(f"**/work/{work[1].pk}/")
    assert scores() == [(1, "Wrong algorithm 🙂\tno search.")]
    troubles.clear()  # the failed request


def test_saves_after_a_lost_answer_once(alice: User, open_as: OpenAs, troubles: list[str]) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")
    lost = []

    def lose_first(route: object) -> None:
        if lost:
            route.continue_()  # type: ignore[attr-defined]
            return
        lost.append(route.fetch().status)  # type: ignore[attr-defined]
        route.abort()  # type: ignore[attr-defined]

    page.route("**/score/", lose_first)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_attribute("data-state", "failed")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/work/{work[1].pk}/")

    assert lost == [200]
    assert scores() == [(2, "")]
    troubles.clear()


def test_goes_on_after_signing_in_again_elsewhere(alice: User, open_as: OpenAs, troubles: list[str]) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")
    page.keyboard.press("2")
    page.fill("#reason", "Typed before the session ended.")
    Session.objects.all().delete()

    page.click(".save")
    expect(page.locator("#decision-problem")).to_contain_text("signed out")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in (new tab)").click()
    tab = opened.value
    tab.fill("#id_username", "alice")
    tab.fill("#id_password", "alice")
    tab.click("main button")
    tab.wait_for_url("**/queue/")
    page.click(".save")
    page.wait_for_url(f"**/work/{work[1].pk}/")

    assert scores() == [(2, "Typed before the session ended.")]
    troubles.clear()


def test_folds_and_walks_the_diff_by_keys(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=1)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")
    folded = page.locator("tbody[data-collapsible][hidden]")
    count = folded.count()

    page.keyboard.press("j")
    first = page.locator("tbody.here").get_attribute("id")
    page.keyboard.press("j")
    second = page.locator("tbody.here").get_attribute("id")
    page.keyboard.press("k")
    page.keyboard.press("x")

    assert count > 0
    assert (first, second) == ("hunk-1", "hunk-2")
    assert page.locator("tbody.here").get_attribute("id") == "hunk-1"
    assert folded.count() == 0


def test_shows_the_line_of_a_finding_and_the_lines_of_a_step(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=1)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.locator("#static-analysis .findings a[data-line='51']").click()
    line = page.locator("tr.shown > :nth-child(3)").get_attribute("data-n")
    page.locator("[data-step-show='2']").click()

    assert line == "51"
    assert page.locator("tr.shown").count() == 1
    expect(page.locator("tr.shown b[data-step='2']")).to_be_visible()


def test_lists_every_key_in_the_sheet(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=1)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    caps = page.locator("#help [data-key-sheet] kbd").all_inner_texts()
    page.keyboard.press("3")
    page.keyboard.press("Escape")

    expect(page.locator("#help")).to_be_hidden()
    assert chosen(page) is None
    assert {"0", "5", "Enter", "Ctrl+Enter", "j", "k", "x", "r", "s", "b", "?"} <= set(caps)
    assert len(caps) == len(set(caps))


def test_refuses_to_register_a_key_twice(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=1)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    message = page.evaluate(
        "(() => { try { axiom.keys.register({ keys: ['j'], group: 'x', word: 'y', run() {} }); return ''; }"
        " catch (error) { return error.message; } })()"
    )

    assert message == "The key j is registered twice: key_next_change and y"


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (640, 400)])
def test_fits_the_window(width: int, height: int, alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=1, with_quality=True)
    page = open_as("alice", width=width, height=height)
    page.goto(f"/work/{work[0].pk}/")

    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert overflow <= 0
    expect(page.locator(".scores")).to_be_in_viewport()
    expect(page.locator(".save")).to_be_in_viewport()


def test_works_without_script(alice: User, open_as: OpenAs, browser: object, live_server: object) -> None:
    work = make_work(annotator=alice, items=2)
    signed_in = open_as("alice")
    context = browser.new_context(  # type: ignore[attr-defined]
        java_script_enabled=False,
        base_url=live_server.url,
        storage_state=signed_in.context.storage_state(),  # type: ignore[attr-defined]
    )
    page = context.new_page()
    page.goto(f"/work/{work[0].pk}/")

    page.locator(".score-choice").nth(5).click()
    page.fill("#reason", "No script.")
    page.click(".save")
    page.wait_for_url(f"**/work/{work[1].pk}/")
    context.close()

    assert scores() == [(5, "No script.")]


def page_box(page: Page) -> dict[str, int]:
    """How far the page itself is scrolled, and how far its content reaches beyond the window."""
    box: dict[str, int] = page.evaluate(
        """() => { const root = document.documentElement; return {
            down: window.scrollY, right: window.scrollX, wide: root.scrollWidth - root.clientWidth,
            tall: root.scrollHeight - root.clientHeight } }"""
    )
    return box


def test_stays_in_place_whatever_scrolls_in_its_panels(alice: User, open_as: OpenAs) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")
    links = page.locator(".side-nav a")

    boxes = []
    for number in range(links.count()):
        links.nth(number).click()
        boxes.append(page_box(page))
    for key in ("j", "j", "x", "k"):
        page.keyboard.press(key)
        boxes.append(page_box(page))

    assert boxes == [{"down": 0, "right": 0, "wide": 0, "tall": 0}] * (4 + 4)


def test_keeps_the_decision_in_view_beside_a_long_message(alice: User, open_as: OpenAs, troubles: list[str]) -> None:
    work = make_work(annotator=alice, items=2)
    page = open_as("alice")
    page.goto(f"/work/{work[0].pk}/")

    page.context.set_offline(True)  # noqa: FBT003
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_attribute("data-state", "failed")

    button = page.locator("#score-form button[type=submit]").first.bounding_box()
    assert page_box(page) == {"down": 0, "right": 0, "wide": 0, "tall": 0}
    assert button is not None
    assert button["x"] + button["width"] <= 1280
    troubles.clear()  # the failed request
