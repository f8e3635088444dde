"""Threads on a real database: one score counts, whoever posts together."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import Group, User

from annotation.assigning import AssignedMeanwhile, AssignReport, assign
from annotation.calibrating import AssignmentNotOpen, StaleRevision, Submitted, content_version, skip, submit_score
from annotation.models import Assignment, Batch, Score
from perturbation.models import Outbox
from tests.annotation.conftest import AtOnce
from tests.factories import make_assignment, make_batch, make_perturbed

pytestmark = pytest.mark.django_db(transaction=True)

REPETITIONS = 50


def posting(
    assignment: Assignment, now: datetime, *, value: int, key: uuid.UUID, revision: int = 0
) -> Callable[[], Submitted]:
    version = content_version(program=assignment.item.program)

    def post() -> Submitted:
        return submit_score(
            assignment=assignment,
            value=value,
            reason="",
            idempotency_key=key,
            content_version=version,
            expected_revision=revision,
            now=now,
        )

    return post


@pytest.mark.parametrize("same_key", [True, False], ids=["repeated post", "double click"])
def test_keeps_one_row_of_two_equal_posts(
    at_once: AtOnce[Submitted], people: tuple[User, User], now: datetime, same_key: bool
) -> None:
    program = make_perturbed()
    for _ in range(REPETITIONS):
        assignment = make_assignment(annotator=people[0], item=make_batch(programs=[program]).items.get())
        keys = [uuid.uuid4(), uuid.uuid4()]
        keys[1] = keys[0] if same_key else keys[1]

        outcomes = at_once([posting(assignment, now, value=3, key=key) for key in keys])

        saved = Score.objects.get(assignment=assignment)
        assert [outcome.score.pk for outcome in outcomes if isinstance(outcome, Submitted)] == [saved.pk] * 2
        assert sorted(outcome.is_new for outcome in outcomes if isinstance(outcome, Submitted)) == [False, True]
        assert saved.item.assignments.holding_slots().count() == 1


def test_lets_one_of_two_different_posts_win(
    at_once: AtOnce[Submitted], people: tuple[User, User], now: datetime
) -> None:
    assignment = make_assignment(annotator=people[0])
    posting(assignment, now, value=5, key=uuid.uuid4())()
    for revision in range(1, 21):
        values = [value for value in range(6) if value != Score.objects.current().get().value][:2]

        outcomes = at_once(
            [posting(assignment, now, value=value, key=uuid.uuid4(), revision=revision) for value in values]
        )

        current = Score.objects.current().get()
        lost = [outcome for outcome in outcomes if isinstance(outcome, StaleRevision)]
        assert len(lost) == 1
        assert lost[0].current == current
        assert current.revision == revision + 1
    assert Score.objects.count() == 21


def test_leaves_one_request_to_measure(at_once: AtOnce[Submitted], people: tuple[User, User], now: datetime) -> None:
    for _ in range(20):
        batch = make_batch(programs=[make_perturbed(), make_perturbed()])
        assignments = [make_assignment(annotator=people[0], item=item) for item in batch.items.all()]

        outcomes = at_once([posting(each, now, value=3, key=uuid.uuid4()) for each in assignments])

        assert all(isinstance(outcome, Submitted) for outcome in outcomes), outcomes
        assert Outbox.objects.filter(arguments={"batch_id": batch.pk}).count() == 1


def test_either_skips_or_scores(at_once: AtOnce[object], people: tuple[User, User], now: datetime) -> None:
    for _ in range(20):
        assignment = make_assignment(annotator=people[0])

        def put_aside(assignment: Assignment = assignment) -> None:
            skip(assignment=assignment, reason="odd", now=now)

        outcomes = at_once([posting(assignment, now, value=3, key=uuid.uuid4()), put_aside])

        assignment.refresh_from_db()
        scores = Score.objects.filter(assignment=assignment).count()
        assert (assignment.state, scores) in {("scored", 1), ("skipped", 0)}
        assert sum(isinstance(outcome, AssignmentNotOpen) for outcome in outcomes) == 1


def test_never_exceeds_the_overlap(at_once: AtOnce[AssignReport], people: tuple[User, User]) -> None:
    programs = [make_perturbed() for _ in range(3)]
    for number in range(20):
        batch = make_batch(programs=programs)

        outcomes = at_once(
            [lambda seed=seed, batch=batch: give_out(batch, people, seed) for seed in (number, number + 1)]  # type: ignore[misc]
        )

        assert all(isinstance(outcome, (AssignReport, AssignedMeanwhile)) for outcome in outcomes), outcomes
        assert [item.assignments.count() for item in batch.items.all()] == [1, 1, 1]


def give_out(batch: Batch, people: tuple[User, User], seed: int) -> AssignReport:
    return assign(batch=batch, people=people, overlap=1, seed=seed)


@pytest.fixture
def people(shared_database: None) -> tuple[User, User]:
    """Two annotators in the database that the threads share."""
    annotators = Group.objects.get_or_create(name="annotator")[0]
    alice, bob = (User.objects.create(username=name) for name in ("alice", "bob"))
    annotators.user_set.add(alice, bob)
    return alice, bob
