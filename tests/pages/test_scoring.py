"""Saving a score through the pages: once, to the right item, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation import closing
from annotation.models import Assignment, Batch, Score
from tests.pages import html
from tests.pages.builders import assign_all, make_work, new_score

ClientFor = Callable[[User], Client]
SCRIPTED = {"X-Requested-With": "fetch"}


def show(client: Client, assignment: Assignment) -> dict[str, str]:
    """Open the workbench and return the hidden fields of its form."""
    answer = client.get(reverse("annotation:work-show", kwargs={"pk": assignment.pk}))
    assert answer.status_code == 200
    return html.inputs(html.document(answer))


def save(
    client: Client,
    assignment: Assignment,
    fields: dict[str, str],
    *,
    headers: dict[str, str] | None = None,
    **typed: str,
) -> HttpResponse:
    """Post the score form."""
    address = reverse("annotation:work-score", kwargs={"pk": assignment.pk})
    return client.post(address, fields | typed, headers=headers or {})


def scores() -> list[tuple[int, str, int, bool]]:
    """All revisions there are: value, reason, revision, whether it counts."""
    return list(Score.objects.order_by("pk").values_list("value", "reason", "revision", "is_current"))


def test_saves_and_goes_on_to_the_next_item(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=2)
    client = client_for(alice)

    answer = save(client, work[0], show(client, work[0]), value="2", reason="Off by one.")

    assert (answer.status_code, answer.headers["Location"]) == (303, f"/work/{work[1].pk}/")
    assert scores() == [(2, "Off by one.", 1, True)]


def test_tells_the_script_where_to_go(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=2)
    client = client_for(alice)

    answer = save(client, work[0], show(client, work[0]), value="2", headers=SCRIPTED)

    assert answer.json() == {"next": f"/work/{work[1].pk}/"}


def test_returns_to_the_queue_after_the_last_item(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=1)
    client = client_for(alice)

    answer = save(client, work[0], show(client, work[0]), value="2")

    assert answer.headers["Location"] == "/queue/"
    assert "Nothing waits for you" in client.get("/queue/").content.decode()


def test_saves_a_repeated_post_once(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=2)
    client = client_for(alice)
    fields = show(client, work[0])

    statuses = [save(client, work[0], fields, value="2").status_code for _ in range(3)]

    assert statuses == [303, 303, 303]
    assert scores() == [(2, "", 1, True)]


def test_keeps_both_revisions_of_a_changed_mind(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=2)
    client = client_for(alice)
    save(client, work[0], show(client, work[0]), value="2")

    save(client, work[0], show(client, work[0]), value="4", reason="Looked again.")

    assert scores() == [(2, "", 1, False), (4, "Looked again.", 2, True)]


@pytest.mark.parametrize("headers", [{}, SCRIPTED], ids=["plain form", "script"])
def test_shows_both_values_when_another_tab_was_faster(
    headers: dict[str, str], alice: User, client_for: ClientFor
) -> None:
    work = make_work(annotator=alice, items=2)
    client = client_for(alice)
    older, newer = show(client, work[0]), show(client, work[0])
    save(client, work[0], newer, value="4", reason="From the newer tab.")

    answer = save(client, work[0], older, value="2", reason="From the older tab.", headers=headers)

    page = html.fragment(answer) if headers else html.document(answer)
    problem = html.text_of(html.by_id(page, "decision-problem"))
    assert answer.status_code == 409
    assert "Saved now 4 From the newer tab." in problem
    assert "Entered here 2 From the older tab." in problem
    assert html.text_of(html.by_id(page, "reason")) == "From the older tab."
    assert scores() == [(4, "From the newer tab.", 1, True)]


def test_replaces_the_other_tab_only_when_told_to(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=2)
    client = client_for(alice)
    older = show(client, work[0])
    new_score(assignment=work[0], value=4, now=datetime.fromisoformat("2026-03-02T09:00Z"))
    refused = save(client, work[0], older, value="2", headers=SCRIPTED)

    answer = save(client, work[0], html.inputs(html.fragment(refused)), value="2", headers=SCRIPTED)

    assert answer.status_code == 200
    assert scores() == [(4, "", 1, False), (2, "", 2, True)]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"value": ""}, 422),
        ({"value": "6"}, 422),
        ({"value": "2.5"}, 422),
        ({"value": "2", "idempotency_key": "no key"}, 422),
        ({"value": "2", "item": "0"}, 409),
        ({"value": "2", "round": "0"}, 409),
        ({"value": "2", "content_version": "another"}, 409),
        ({"value": "2", "expected_revision": "1"}, 409),
        ({"value": "2", "reason": "Binary zero \0."}, 422),
        ({"value": "2", "reason": "x" * 10_001}, 422),
    ],
    ids=lambda change: ",".join(change) if isinstance(change, dict) else str(change),
)
def test_refuses_and_keeps_what_was_typed(
    change: dict[str, str], status: int, alice: User, client_for: ClientFor
) -> None:
    work = make_work(annotator=alice, items=1)
    client = client_for(alice)
    fields = {**show(client, work[0]), "reason": "Kept."} | change

    answer = save(client, work[0], fields, headers=SCRIPTED)

    typed = html.text_of(html.by_id(html.fragment(answer), "reason"))
    assert answer.status_code == status
    assert typed == fields["reason"].replace("\0", "\ufffd")
    assert scores() == []


def test_takes_no_score_for_a_closed_batch(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=1)
    client = client_for(alice)
    fields = show(client, work[0])
    closing.close(batch=work[0].item.batch)

    answer = save(client, work[0], fields, value="2")

    assert answer.status_code == 422
    assert "is closed" in answer.content.decode()
    assert scores() == []


def test_skips_with_a_reason_and_takes_up_again(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=2)
    client = client_for(alice)

    skipped = client.post(f"/work/{work[0].pk}/skip/", {"reason": "It contradicts itself."})
    work[0].refresh_from_db()
    state_after_skip = work[0].state
    client.post(f"/work/{work[0].pk}/reopen/")
    work[0].refresh_from_db()

    assert skipped.headers["Location"] == f"/work/{work[1].pk}/"
    assert (state_after_skip, work[0].state) == ("skipped", "open")


def test_skips_nothing_without_a_reason(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=1)

    answer = client_for(alice).post(f"/work/{work[0].pk}/skip/", {"reason": "  "}, follow=True)

    work[0].refresh_from_db()
    assert work[0].state == "open"
    assert "Say in a few words" in answer.content.decode()


def test_gives_the_next_waiting_item(alice: User, now: datetime, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=3)
    new_score(assignment=work[0], value=2, now=now)

    answer = client_for(alice).post("/work/next/")

    assert answer.headers["Location"] == f"/work/{work[1].pk}/"


def test_never_shows_what_others_said(alice: User, bob: User, now: datetime, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=2, overlap=2)
    theirs = assign_all(batch=work[0].item.batch, annotator=bob, slot=1)
    client = client_for(alice)
    addresses = ["/queue/", f"/work/{work[0].pk}/"]
    before = [html.text_of(html.document(client.get(address))) for address in addresses]

    new_score(assignment=theirs[0], value=5, now=now, reason="A secret remark.")

    assert [html.text_of(html.document(client.get(address))) for address in addresses] == before


@pytest.mark.parametrize("signed_in", [True, False])
def test_tells_an_open_page_who_is_signed_in(*, signed_in: bool, alice: User, client_for: ClientFor) -> None:
    client = client_for(alice) if signed_in else Client()

    session = client.get("/session/").json()

    assert session["person"] == (alice.pk if signed_in else None)
    assert ("token" in session) is signed_in


def test_lists_what_was_scored_in_a_closed_batch(alice: User, client_for: ClientFor) -> None:
    work = make_work(annotator=alice, items=1)
    client = client_for(alice)
    client.post(f"/work/{work[0].pk}/skip/", {"reason": "unclear"})
    Batch.objects.update(state=Batch.State.CLOSED)

    page = client.get("/queue/").content.decode()

    assert f'href="/work/{work[0].pk}/"' in page
    assert client.get(f"/work/{work[0].pk}/").status_code == 200
