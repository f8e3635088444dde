"""Who gets which row: permission or 404, and nothing in between."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404

from annotation.access import assignment_for, batch_for
from tests.factories import make_assignment, make_batch

pytestmark = pytest.mark.django_db


def test_gives_an_annotator_the_own_assignment(alice: User) -> None:
    assignment = make_assignment(annotator=alice)

    assert assignment_for(alice, assignment.pk) == assignment


@pytest.mark.parametrize("name", ["bob", "mia", "lena", "otto"])
def test_hides_an_assignment_from_everybody_else(
    alice: User, bob: User, mia: User, lena: User, otto: User, name: str
) -> None:
    assignment = make_assignment(annotator=alice)

    with pytest.raises(Http404, match=r"^No such assignment\.$"):
        assignment_for(User.objects.get(username=name), assignment.pk)


def test_hides_assignments_of_strangers_and_those_that_are_not_there(alice: User) -> None:
    assignment = make_assignment(annotator=alice)

    with pytest.raises(Http404):
        assignment_for(AnonymousUser(), assignment.pk)
    with pytest.raises(Http404):
        assignment_for(alice, assignment.pk + 1)


def test_hides_what_was_withdrawn_or_whose_owner_lost_the_role(alice: User, bob: User) -> None:
    withdrawn = make_assignment(annotator=alice, state="withdrawn")
    former = make_assignment(annotator=bob)
    bob.groups.clear()

    with pytest.raises(Http404):
        assignment_for(alice, withdrawn.pk)
    with pytest.raises(Http404):
        assignment_for(bob, former.pk)


@pytest.mark.parametrize("name", ["mia", "lena"])
def test_gives_admins_and_leads_any_batch(mia: User, lena: User, name: str) -> None:
    batch = make_batch()

    assert batch_for(User.objects.get(username=name), batch.pk) == batch


@pytest.mark.parametrize("name", ["alice", "otto"])
def test_hides_batches_from_everybody_else(alice: User, otto: User, name: str) -> None:
    batch = make_batch()
    make_assignment(annotator=alice, item=batch.items.all()[0])

    with pytest.raises(Http404, match=r"^No such batch\.$"):
        batch_for(User.objects.get(username=name), batch.pk)


def test_answers_the_same_for_a_batch_that_is_not_there(lena: User) -> None:
    with pytest.raises(Http404, match=r"^No such batch\.$"):
        batch_for(lena, 1)
