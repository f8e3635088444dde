"""What must hold about scores and assignments holds in the database itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction

from annotation.models import Assignment, Score
from tests.factories import make_assignment, make_batch, make_perturbed

pytestmark = pytest.mark.django_db


def add_score(assignment: Assignment, now: datetime, **values: Any) -> Score:
    fields = {"value": 3, "content_version": "v", "created_at": now}
    return Score.objects.create(
        assignment=assignment,
        annotator=assignment.annotator,
        item=assignment.item,
        round=assignment.round,
        **(fields | values),
    )


@pytest.mark.parametrize("value", [6, -1])
def test_refuses_a_score_outside_0_to_5(alice: User, now: datetime, value: int) -> None:
    assignment = make_assignment(annotator=alice)

    with pytest.raises(IntegrityError), transaction.atomic():
        add_score(assignment, now, value=value)

    assert Score.objects.count() == 0


def test_keeps_one_current_score_per_annotator_item_and_round(alice: User, now: datetime) -> None:
    assignment = make_assignment(annotator=alice)
    add_score(assignment, now)

    with pytest.raises(IntegrityError), transaction.atomic():
        add_score(assignment, now, revision=2)

    assert Score.objects.count() == 1


@pytest.mark.parametrize("change", [{"value": 0}, {"reason": "later"}, {"revision": 9}])
def test_refuses_to_change_a_saved_revision(alice: User, now: datetime, change: dict[str, Any]) -> None:
    score = add_score(make_assignment(annotator=alice), now)

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Score.objects.filter(pk=score.pk).update(**change)

    score.refresh_from_db()
    assert (score.value, score.reason, score.revision) == (3, "", 1)


def test_refuses_to_delete_a_score(alice: User, now: datetime) -> None:
    score = add_score(make_assignment(annotator=alice), now)

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Score.objects.filter(pk=score.pk)._raw_delete("default")

    assert Score.objects.count() == 1


def test_lets_only_the_current_mark_move(alice: User, now: datetime) -> None:
    first = add_score(make_assignment(annotator=alice), now)

    Score.objects.filter(pk=first.pk).update(is_current=False)
    add_score(first.assignment, now, revision=2, value=4)

    assert list(Score.objects.order_by("revision").values_list("value", "is_current")) == [(3, False), (4, True)]


def test_allows_one_open_assignment_per_person_and_item(alice: User) -> None:
    item = make_batch(programs=[make_perturbed()], overlap=2).items.get()
    make_assignment(annotator=alice, item=item)

    with pytest.raises(IntegrityError), transaction.atomic():
        make_assignment(annotator=alice, item=item, slot=1)

    assert item.assignments.count() == 1


def test_gives_a_slot_to_one_person_only(alice: User, bob: User) -> None:
    item = make_batch(programs=[make_perturbed()], overlap=1).items.get()
    make_assignment(annotator=alice, item=item)

    with pytest.raises(IntegrityError), transaction.atomic():
        make_assignment(annotator=bob, item=item)

    assert item.assignments.count() == 1


def test_has_no_slot_beyond_the_overlap(alice: User) -> None:
    item = make_batch(programs=[make_perturbed()], overlap=1).items.get()

    with pytest.raises(IntegrityError), transaction.atomic():
        make_assignment(annotator=alice, item=item, slot=1)

    assert item.assignments.count() == 0
