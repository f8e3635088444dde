"""Exact overlap, balance, and what a second call does."""

from __future__ import annotations

import json
from datetime import datetime
from io import StringIO

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.assigning import (
    AssigningRefused,
    BatchNotOpen,
    Found,
    NothingLeft,
    OverlapBelowAssigned,
    OverlapTooLarge,
    UnknownPeople,
    assign,
    claim_next,
    find_people,
)
from annotation.calibrating import skip
from annotation.models import Assignment, Batch
from tests.factories import make_batch, make_perturbed, make_program, make_requirement

pytestmark = pytest.mark.django_db


def make_people(*names: str) -> list[User]:
    """Annotators without a password: hashing one takes longer than all else here."""
    people = [User.objects.create(username=name) for name in names]
    for person in people:
        person.groups.add(Group.objects.get_or_create(name="annotator")[0])
    return people


def named_batch(*, items: int, name: str = "main") -> Batch:
    """A batch whose content keys are the same in every call."""
    parents = [make_program(requirement=make_requirement(external_id=f"{name}-{place}")) for place in range(items)]
    return make_batch(name=name, programs=[make_perturbed(parent=parent) for parent in parents])


def table_of(batch: Batch) -> list[tuple[int, str, int, str]]:
    rows = Assignment.objects.filter(item__batch=batch).order_by("item__position", "slot", "pk")
    return list(rows.values_list("item__position", "annotator__username", "slot", "state"))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=st.integers(1, 9), people=st.integers(1, 5), overlap=st.integers(1, 5), seed=st.integers(0, 99))
def test_gives_every_item_the_overlap_and_everybody_the_same(items: int, people: int, overlap: int, seed: int) -> None:
    Assignment.objects.all().delete()
    User.objects.all().delete()
    overlap = min(overlap, people)
    batch = make_batch(programs=[make_perturbed() for _ in range(items)])

    report = assign(
        batch=batch, people=make_people(*(f"p{place}" for place in range(people))), overlap=overlap, seed=seed
    )

    table = table_of(batch)
    holders = [[name for place, name, _slot, _state in table if place == item] for item in range(items)]
    assert [len(set(names)) for names in holders] == [len(names) for names in holders] == [overlap] * items
    loads = [report.per_person.get(f"p{place}", 0) for place in range(people)]
    assert max(loads) - min(loads) <= 1
    assert sum(loads) == items * overlap == report.created == len(table)
    assert (report.unchanged, report.unfilled) == (0, 0)


def test_changes_nothing_the_second_time() -> None:
    batch, people = named_batch(items=4), make_people("ann", "ben", "cem")
    assign(batch=batch, people=people, overlap=2, seed="s")
    before = table_of(batch)

    report = assign(batch=batch, people=people, overlap=2, seed="s")

    assert (report.created, report.unchanged) == (0, 8)
    assert table_of(batch) == before


def test_depends_on_names_and_seed_alone() -> None:
    ann, ben, cem = make_people("ann", "ben", "cem")
    batch = named_batch(items=8)
    assign(batch=batch, people=[ann, ben, cem], overlap=2, seed="s")
    first = table_of(batch)
    Assignment.objects.all().delete()
    assign(batch=batch, people=[cem, ben, ann, ann], overlap=2, seed="s")
    second = table_of(batch)
    Assignment.objects.all().delete()
    User.objects.all().delete()
    newcomers = make_people("cem", "ben", "ann")
    assign(batch=batch, people=newcomers, overlap=2, seed="s")
    third = table_of(batch)
    Assignment.objects.all().delete()

    assign(batch=batch, people=newcomers, overlap=2, seed="t")

    assert first == second == third
    assert table_of(batch) != first


def test_mixes_who_works_with_whom() -> None:
    batch = named_batch(items=12)

    assign(batch=batch, people=make_people("ann", "ben", "cem", "dee"), overlap=2, seed="s")

    table = table_of(batch)
    pairs = {frozenset(name for place, name, _slot, _state in table if place == item) for item in range(12)}
    assert len(pairs) >= 4


def test_fills_the_new_slots_of_a_larger_overlap() -> None:
    batch, people = named_batch(items=4), make_people("ann", "ben", "cem")
    assign(batch=batch, people=people[:2], overlap=1, seed="s")
    before = table_of(batch)

    report = assign(batch=batch, people=people, overlap=2, seed="s")

    assert (report.created, report.unchanged, report.unfilled) == (4, 4, 0)
    assert set(before) <= set(table_of(batch))
    assert sorted(report.per_person.values()) == [2, 3, 3]
    assert batch.rounds.get().overlap == 2
    assert set(Assignment.objects.values_list("overlap", flat=True)) == {2}


def test_gives_nobody_more_when_people_are_added_to_a_full_batch() -> None:
    batch, people = named_batch(items=4), make_people("ann", "ben", "cem")
    assign(batch=batch, people=people[:2], overlap=2, seed="s")

    report = assign(batch=batch, people=people, overlap=2, seed="s")

    assert (report.created, report.per_person) == (0, {"ann": 4, "ben": 4})


def test_fills_the_slot_of_a_skipped_item_with_somebody_else(now: datetime) -> None:
    batch, people = named_batch(items=1), make_people("ann", "ben")
    assign(batch=batch, people=people[:1], overlap=1, seed="s")
    skip(assignment=Assignment.objects.get(), reason="odd", now=now)

    unfilled = assign(batch=batch, people=people[:1], overlap=1, seed="s")
    filled = assign(batch=batch, people=people, overlap=1, seed="s")

    assert (unfilled.created, unfilled.unfilled) == (0, 1)
    assert (filled.created, filled.unfilled) == (1, 0)
    assert table_of(batch) == [(0, "ann", 0, "skipped"), (0, "ben", 0, "open")]


@pytest.mark.parametrize(("overlap", "message"), [(3, "needs 3 different annotators, and there are 2"), (0, "1 or")])
def test_refuses_an_overlap_that_cannot_be_met(overlap: int, message: str) -> None:
    batch = named_batch(items=2)

    with pytest.raises(OverlapTooLarge, match=message):
        assign(batch=batch, people=make_people("ann", "ben"), overlap=overlap, seed="s")

    assert Assignment.objects.count() == 0
    assert batch.rounds.get().overlap == 1


def test_refuses_to_take_work_away() -> None:
    batch, people = named_batch(items=2), make_people("ann", "ben")
    assign(batch=batch, people=people, overlap=2, seed="s")

    with pytest.raises(OverlapBelowAssigned, match="up to 2 annotators already"):
        assign(batch=batch, people=people, overlap=1, seed="s")

    assert Assignment.objects.count() == 4


def test_refuses_a_closed_batch() -> None:
    batch = named_batch(items=2)
    Batch.objects.update(state=Batch.State.CLOSED)

    with pytest.raises(BatchNotOpen):
        assign(batch=batch, people=make_people("ann"), overlap=1, seed="s")

    assert Assignment.objects.count() == 0


def test_refuses_who_is_no_annotator(otto: User, mia: User) -> None:
    ann, gone = make_people("ann", "gone")
    gone.is_active = False
    gone.save()

    with pytest.raises(UnknownPeople, match="'otto' is not .*; 'mia' is not .*; 'gone' is not an active annotator"):
        assign(batch=named_batch(items=1), people=[ann, otto, mia, gone], overlap=1, seed="s")

    assert Assignment.objects.count() == 0


def test_finds_people_by_name_each_once() -> None:
    ann, ben = make_people("ann", "ben")

    assert find_people(usernames=["ben", "ann", "ben"]) == [ben, ann]


def test_names_everybody_who_is_not_there() -> None:
    make_people("ann")

    with pytest.raises(UnknownPeople, match="no user 'bim'; there is no user 'bam'"):
        find_people(usernames=["bim", "ann", "bam"])


def test_hands_out_in_work_order(now: datetime) -> None:
    (ann,) = make_people("ann")
    assign(batch=named_batch(items=3), people=[ann], overlap=1, seed="s")
    assign(batch=named_batch(items=1, name="second"), people=[ann], overlap=1, seed="s")

    seen, after = [], None
    for _ in range(5):
        found = claim_next(person=ann, now=now, after=after)
        assert isinstance(found, Found)
        after = found.assignment
        seen.append((after.item.batch.name, after.item.position))

    assert seen == [("main", 0), ("main", 1), ("main", 2), ("second", 0), ("main", 0)]


def test_continues_behind_a_skipped_item(now: datetime) -> None:
    (ann,) = make_people("ann")
    assign(batch=named_batch(items=3), people=[ann], overlap=1, seed="s")
    second = Assignment.objects.get(item__position=1)
    skip(assignment=second, reason="odd", now=now)

    found = claim_next(person=ann, now=now, after=second)

    assert isinstance(found, Found)
    assert found.assignment.item.position == 2


def test_says_that_nothing_is_left(now: datetime) -> None:
    ann, ben = make_people("ann", "ben")
    assign(batch=named_batch(items=2), people=[ann], overlap=1, seed="s")
    for assignment in Assignment.objects.all():
        skip(assignment=assignment, reason="odd", now=now)

    assert claim_next(person=ann, now=now) == NothingLeft(scored=0, skipped=2)
    assert claim_next(person=ben, now=now) == NothingLeft(scored=0, skipped=0)


def test_hands_out_nothing_of_a_closed_batch(now: datetime) -> None:
    (ann,) = make_people("ann")
    assign(batch=named_batch(items=2), people=[ann], overlap=1, seed="s")
    Batch.objects.update(state=Batch.State.CLOSED)

    assert claim_next(person=ann, now=now) == NothingLeft(scored=0, skipped=0)


def test_is_assigned_by_the_command() -> None:
    named_batch(items=4)
    make_people("ann", "ben", "cem")
    out = StringIO()

    call_command("assign", "--batch", "main", "--annotators", "ann, ben,cem", "--overlap", "3", "--json", stdout=out)

    assert json.loads(out.getvalue().splitlines()[-1]) == {
        "batch": "main",
        "created": 12,
        "unchanged": 0,
        "unfilled": 0,
        "overlap": 3,
        "per_annotator": {"ann": 4, "ben": 4, "cem": 4},
    }


@pytest.mark.parametrize(
    ("batch", "names", "message"),
    [
        ("other", "ann", "No batch is called 'other'. There are: main."),
        ("main", "ann,bim", "there is no user 'bim'"),
        ("main", "ann", "An overlap of 3 needs 3 different annotators, and there are 1"),
    ],
)
def test_refuses_by_the_command_in_one_line(batch: str, names: str, message: str) -> None:
    named_batch(items=1)
    make_people("ann")

    with pytest.raises(CommandError, match=message) as refusal:
        call_command("assign", "--batch", batch, "--annotators", names)

    assert "\n" not in str(refusal.value)
    assert isinstance(refusal.value.__cause__, (AssigningRefused, LookupError))
    assert Assignment.objects.count() == 0
