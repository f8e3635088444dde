"""No score is lost, doubled or silently overwritten."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from annotation.calibrating import (
    AssignmentNotOpen,
    BatchClosed,
    KeyReused,
    ReasonMissing,
    ReasonUnusable,
    ScoreOutOfRange,
    SlotTaken,
    StaleRevision,
    SubmissionRefused,
    Submitted,
    WrongContent,
    content_version,
    open_assignment,
    reopen,
    skip,
    submit_score,
)
from annotation.models import Assignment, Batch, Draft, Score
from perturbation.models import Outbox, RenderedDiff, Report
from tests.factories import make_assignment, make_batch, make_perturbed

pytestmark = pytest.mark.django_db

KEY = uuid.UUID(int=7)


def submit(assignment: Assignment, now: datetime, **values: Any) -> Submitted:
    fields: dict[str, Any] = {
        "value": 3,
        "reason": "",
        "idempotency_key": uuid.uuid4(),
        "content_version": content_version(program=assignment.item.program),
        "expected_revision": 0,
        "now": now,
    }
    return submit_score(assignment=assignment, **(fields | values))


def revisions(assignment: Assignment) -> list[tuple[int, int, str, bool]]:
    rows = Score.objects.filter(assignment=assignment).order_by("revision")
    return list(rows.values_list("revision", "value", "reason", "is_current"))


def test_saves_a_score_and_marks_the_assignment(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)

    submitted = submit(assignment, now, value=0, reason="hopeless", idempotency_key=KEY)

    assert submitted.is_new
    assert revisions(assignment) == [(1, 0, "hopeless", True)]
    assert (submitted.score.annotator, submitted.score.item, submitted.score.idempotency_key) == (
        alice,
        assignment.item,
        KEY,
    )
    assignment.refresh_from_db()
    assert (assignment.state, assignment.finished_at) == ("scored", now)


def test_keeps_every_byte_of_the_reason(alice: User, now: datetime) -> None:
    reason = ' a,"b"\r\n;x\ty \u202e\U0001f600 '

    submitted = submit(make_assignment(annotator=alice), now, reason=reason)

    assert Score.objects.get(pk=submitted.score.pk).reason == reason


def test_gives_the_same_score_for_the_same_key(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    first = submit(assignment, now, idempotency_key=KEY)

    again = submit(assignment, now, idempotency_key=KEY)

    assert (again.score.pk, again.is_new) == (first.score.pk, False)
    assert revisions(assignment) == [(1, 3, "", True)]


def test_answers_a_repeated_post_even_after_the_batch_closed(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    first = submit(assignment, now, idempotency_key=KEY)
    Batch.objects.update(state=Batch.State.CLOSED)

    again = submit(assignment, now, idempotency_key=KEY)

    assert (again.score.pk, again.is_new) == (first.score.pk, False)


@pytest.mark.parametrize("change", [{"value": 4}, {"reason": "other"}], ids=["value", "reason"])
def test_refuses_a_key_with_another_body(alice: User, now: datetime, change: dict[str, Any]) -> None:
    assignment = make_assignment(annotator=alice)
    submit(assignment, now, idempotency_key=KEY)

    with pytest.raises(KeyReused):
        submit(assignment, now, idempotency_key=KEY, **change)

    assert revisions(assignment) == [(1, 3, "", True)]


def test_refuses_a_key_of_another_item(alice: User, bob: User, now: datetime) -> None:
    submit(make_assignment(annotator=alice), now, idempotency_key=KEY)
    other = make_assignment(annotator=bob)

    with pytest.raises(KeyReused):
        submit(other, now, idempotency_key=KEY)

    assert revisions(other) == []


def test_takes_a_double_click_with_two_keys_as_one(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    first = submit(assignment, now, value=2, reason="slow")

    second = submit(assignment, now, value=2, reason="slow")

    assert (second.score.pk, second.is_new) == (first.score.pk, False)
    assert revisions(assignment) == [(1, 2, "slow", True)]


def test_keeps_a_changed_mind_as_a_revision(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    submit(assignment, now, value=2)

    changed = submit(assignment, now + timedelta(hours=1), value=4, expected_revision=1)

    assert changed.is_new
    assert revisions(assignment) == [(1, 2, "", False), (2, 4, "", True)]
    assignment.refresh_from_db()
    assert assignment.finished_at == now


def test_adds_no_revision_that_says_the_same(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    submit(assignment, now, value=2)

    again = submit(assignment, now, value=2, expected_revision=1)

    assert not again.is_new
    assert revisions(assignment) == [(1, 2, "", True)]


def test_adds_a_revision_that_says_the_same_about_new_content(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    submit(assignment, now, value=2)
    Report.objects.create(
        program=assignment.item.program, kind="execution", status="done", tool_version="1", input_hash="h"
    )

    again = submit(assignment, now, value=2, expected_revision=1)

    assert again.is_new
    assert revisions(assignment) == [(1, 2, "", False), (2, 2, "", True)]


def test_shows_the_older_tab_what_counts_now(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    submit(assignment, now, value=4, reason="from the second tab")

    with pytest.raises(StaleRevision, match=r"it holds 4 \(revision 1\)") as refusal:
        submit(assignment, now, value=2)

    assert refusal.value.current is not None
    assert (refusal.value.current.value, refusal.value.current.reason) == (4, "from the second tab")
    assert revisions(assignment) == [(1, 4, "from the second tab", True)]


def test_refuses_a_revision_that_never_was(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)

    with pytest.raises(StaleRevision, match="it holds no score") as refusal:
        submit(assignment, now, expected_revision=1)

    assert refusal.value.current is None
    assert revisions(assignment) == []


@pytest.mark.parametrize("value", [6, -1, 2.5, "3", None, True])
def test_refuses_what_is_no_score(alice: User, now: datetime, value: Any) -> None:
    assignment = make_assignment(annotator=alice)

    with pytest.raises(ScoreOutOfRange, match="use a whole number from 0 to 5"):
        submit(assignment, now, value=value)

    assert revisions(assignment) == []


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("ok \ud83d", r"Character 4 of the reason \(U\+D83D\)"),
        ("a\0b", r"Character 2 of the reason \(U\+0000\)"),
        ("x" * 10_001, "has 10,001 characters"),
    ],
    ids=["half an emoji", "zero", "long"],
)
def test_refuses_a_reason_that_cannot_be_kept(alice: User, now: datetime, reason: str, message: str) -> None:
    assignment = make_assignment(annotator=alice)

    with pytest.raises(ReasonUnusable, match=message):
        submit(assignment, now, reason=reason)
    with pytest.raises(ReasonUnusable, match=message):
        skip(assignment=assignment, reason=reason, now=now)

    assert revisions(assignment) == []


def test_takes_the_longest_reason(alice: User, now: datetime) -> None:
    submitted = submit(make_assignment(annotator=alice), now, reason="\U0001f600" * 10_000)

    assert len(submitted.score.reason) == 10_000


def test_refuses_a_closed_batch(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    Batch.objects.update(state=Batch.State.CLOSED)

    with pytest.raises(BatchClosed, match="is closed"):
        submit(assignment, now)
    with pytest.raises(BatchClosed):
        skip(assignment=assignment, reason="odd", now=now)

    assert revisions(assignment) == []
    assignment.refresh_from_db()
    assert assignment.state == "open"


@pytest.mark.parametrize("changed", ["program", "diff", "report"])
def test_refuses_what_was_shown_before_a_change(alice: User, now: datetime, changed: str) -> None:
    assignment = make_assignment(annotator=alice)
    program = assignment.item.program
    shown = content_version(program=program)
    if changed == "program":
        type(program).objects.filter(pk=program.pk).update(text_hash="other")
    elif changed == "diff":
        RenderedDiff.objects.create(program=program, input_hash="h", summary={}, html="")
    else:
        Report.objects.create(program=program, kind="quality", status="done", tool_version="1", input_hash="h")

    with pytest.raises(WrongContent):
        submit(assignment, now, content_version=shown)

    assert revisions(assignment) == []


def test_ignores_reports_that_are_no_longer_shown(alice: User) -> None:
    program = make_perturbed()
    before = content_version(program=program)

    Report.objects.create(
        program=program, kind="quality", status="done", tool_version="1", input_hash="h", is_current=False
    )

    assert content_version(program=program) == before


@pytest.mark.parametrize("state", [Assignment.State.SKIPPED, Assignment.State.WITHDRAWN])
def test_refuses_a_score_for_what_is_not_open(alice: User, now: datetime, state: str) -> None:
    assignment = make_assignment(annotator=alice, state=state, skip_reason="odd")

    with pytest.raises(AssignmentNotOpen, match=str(Assignment.State(state).label)):
        submit(assignment, now)

    assert revisions(assignment) == []


def test_leaves_one_unsent_request_to_measure_per_batch(alice: User, now: datetime) -> None:
    batch = make_batch()
    for item in batch.items.all():
        submit(make_assignment(annotator=alice, item=item), now)
    other = make_assignment(annotator=alice)
    submit(other, now)

    waiting = Outbox.objects.order_by("pk").values_list("task", "arguments", "sent_at")

    assert list(waiting) == [
        ("annotation.measure_batch", {"batch_id": batch.pk}, None),
        ("annotation.measure_batch", {"batch_id": other.item.batch_id}, None),
    ]


def test_asks_again_after_the_request_was_sent(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    submit(assignment, now)
    Outbox.objects.update(sent_at=now)

    submit(assignment, now, value=1, expected_revision=1)

    assert Outbox.objects.filter(sent_at=None).count() == 1


def test_leaves_no_request_when_it_refuses(alice: User, now: datetime) -> None:
    with pytest.raises(SubmissionRefused):
        submit(make_assignment(annotator=alice), now, content_version="other")

    assert Outbox.objects.count() == 0


def test_notes_when_an_item_was_first_seen(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)

    open_assignment(assignment=assignment, now=now)
    open_assignment(assignment=Assignment.objects.get(), now=now + timedelta(hours=1))

    assert Assignment.objects.get().first_opened_at == now


def test_puts_an_item_aside_and_takes_it_up_again(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    Draft.objects.create(assignment=assignment, value=2, reason="half-way")

    skip(assignment=assignment, reason="tests look wrong", now=now)
    skip(assignment=assignment, reason="tests look wrong", now=now)

    skipped = Assignment.objects.get()
    assert (skipped.state, skipped.skip_reason, skipped.finished_at) == ("skipped", "tests look wrong", now)

    reopen(assignment=assignment)

    opened = Assignment.objects.get()
    assert (opened.state, opened.skip_reason, opened.finished_at, opened.slot) == ("open", "", None, 0)
    assert opened.draft.reason == "half-way"
    assert submit(assignment, now).is_new


def test_refuses_a_skip_without_a_reason(alice: User, now: datetime) -> None:
    with pytest.raises(ReasonMissing):
        skip(assignment=make_assignment(annotator=alice), reason=" \n", now=now)

    assert Assignment.objects.get().state == "open"


def test_refuses_to_skip_what_has_a_score(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    submit(assignment, now)

    with pytest.raises(AssignmentNotOpen):
        skip(assignment=assignment, reason="odd", now=now)
    with pytest.raises(AssignmentNotOpen):
        reopen(assignment=assignment)

    assert Assignment.objects.get().state == "scored"


def test_frees_the_slot_of_a_skipped_item(alice: User, bob: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    skip(assignment=assignment, reason="odd", now=now)
    make_assignment(annotator=bob, item=assignment.item)

    with pytest.raises(SlotTaken):
        reopen(assignment=assignment)

    assert list(Assignment.objects.order_by("pk").values_list("state", flat=True)) == ["skipped", "open"]


def test_takes_up_again_in_another_free_slot(alice: User, bob: User, now: datetime) -> None:
    item = make_batch(programs=[make_perturbed()], overlap=2).items.get()
    assignment = make_assignment(annotator=alice, item=item)
    skip(assignment=assignment, reason="odd", now=now)
    make_assignment(annotator=bob, item=item)

    reopen(assignment=assignment)

    assert list(item.assignments.order_by("slot").values_list("annotator__username", "slot")) == [
        ("bob", 0),
        ("alice", 1),
    ]
