"""Batches: which programs, in which order, and what is refused."""

from __future__ import annotations

import json
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from annotation.batching import (
    BatchRefused,
    NameTaken,
    NameUnusable,
    NothingToScore,
    OverlapOutOfRange,
    PilotOutOfRange,
    ProgramsNotAccepted,
    create_batch,
    in_mixed_order,
)
from annotation.models import Batch, Item
from perturbation.models import Benchmark, Program, Requirement, Selection, SelectionPick
from tests.factories import make_benchmark, make_perturbed, make_program, make_requirement


def make_programs(*, requirements: int, targets: tuple[int, ...] = (1, 2, 3, 4)) -> list[Program]:
    made = []
    for number in range(requirements):
        parent = make_program(requirement=make_requirement(external_id=f"r{number}"))
        made += [make_perturbed(parent=parent, target=target) for target in targets]
    return made


def make_selection(programs: list[Program], *, name: str = "picked") -> Selection:
    selection = Selection.objects.create(name=name, benchmark=make_benchmark(), per_score=90, seed="0")
    for rank, program in enumerate(programs):
        SelectionPick.objects.create(selection=selection, program=program, target_score=program.target_score, rank=rank)
    return selection


def keys_of(batch: Batch) -> list[str]:
    items = batch.items.order_by("position").select_related("program__requirement__benchmark")
    return [item.program.content_key for item in items]


@pytest.mark.django_db
def test_makes_one_item_per_program(mia: User) -> None:
    programs = make_programs(requirements=3)

    batch = create_batch(name=" main ", programs=[*programs, programs[0]], by=mia, overlap=2, seed="s")

    assert (batch.name, batch.is_pilot, batch.seed, batch.created_by) == ("main", False, "s", mia)
    assert (batch.rounds.get().number, batch.rounds.get().overlap) == (1, 2)
    assert sorted(keys_of(batch)) == sorted(program.content_key for program in programs)
    assert sorted(batch.items.values_list("position", flat=True)) == list(range(12))


@pytest.mark.django_db
def test_takes_the_overlap_of_the_settings(mia: User, settings: Any) -> None:
    settings.AXIOM_OVERLAP = 4

    batch = create_batch(name="main", programs=make_programs(requirements=1), by=mia)

    assert batch.rounds.get().overlap == 4


@pytest.mark.django_db
def test_mixes_requirements_and_targets(mia: User) -> None:
    make_programs(requirements=6)

    batch = create_batch(name="main", programs=Program.objects.filter(kind="perturbed"), by=mia, seed="s")

    items = list(batch.items.order_by("position").select_related("program"))
    neighbours = [(one.program, other.program) for one, other in pairwise(items)]
    assert all(one.requirement_id != other.requirement_id for one, other in neighbours)
    same_target = sum(one.target_score == other.target_score for one, other in neighbours)
    assert same_target <= 3


@pytest.mark.django_db
def test_orders_by_seed_and_content_alone(mia: User) -> None:
    programs = make_programs(requirements=4)

    one = create_batch(name="one", programs=programs, by=mia, seed=1)
    same = create_batch(name="same", programs=programs[::-1], by=mia, seed=1)
    other = create_batch(name="other", programs=programs, by=mia, seed=2)

    assert keys_of(one) == keys_of(same)
    assert keys_of(one) != keys_of(other)
    assert sorted(keys_of(one)) == sorted(keys_of(other))


@given(counts=st.lists(st.integers(1, 6), min_size=1, max_size=6), seed=st.integers(0, 5))
def test_keeps_requirements_apart_wherever_that_is_possible(counts: list[int], seed: int) -> None:
    benchmark = Benchmark(name="b")
    programs = [
        Program(
            pk=100 * place + draw,
            requirement=Requirement(pk=place, benchmark=benchmark, external_id=f"r{place}"),
            kind="perturbed",
            target_score=1 + draw % 4,
            draw_number=draw,
        )
        for place, count in enumerate(counts)
        for draw in range(count)
    ]

    ordered = in_mixed_order(programs, seed=str(seed))

    assert sorted(program.pk for program in ordered) == sorted(program.pk for program in programs)
    side_by_side = sum(one.requirement_id == other.requirement_id for one, other in pairwise(ordered))
    # With one requirement of m programs among n, m - 1 gaps have to be filled by n - m others.
    unavoidable = max(0, max(counts) - 1 - (len(programs) - max(counts)))
    assert side_by_side == unavoidable


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("requirements", "share", "size"), [(15, 0.10, 6), (2, 0.10, 1), (5, 0.10, 2), (1, 1, 4), (5, 0.35, 7)]
)
def test_draws_a_pilot_of_the_share_rounded_up(mia: User, requirements: int, share: float, size: int) -> None:
    programs = make_programs(requirements=requirements)

    pilot = create_batch(name="pilot", programs=programs, by=mia, pilot=share, seed="s")
    again = create_batch(name="again", programs=programs[::-1], by=mia, pilot=share, seed="s")

    assert pilot.is_pilot
    assert len(keys_of(pilot)) == size
    assert keys_of(pilot) == keys_of(again)


@pytest.mark.django_db
def test_draws_another_pilot_for_another_seed(mia: User) -> None:
    programs = make_programs(requirements=10)

    drawn = {
        tuple(keys_of(create_batch(name=f"pilot {seed}", programs=programs, by=mia, pilot=0.1, seed=seed)))
        for seed in range(3)
    }

    assert len(drawn) == 3


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"name": "  "}, NameUnusable, "1 to 300 characters"),
        ({"name": "x" * 301}, NameUnusable, "this one has 301"),
        ({"name": "a\ud83d"}, NameUnusable, "cannot be stored"),
        ({"programs": []}, NothingToScore, "the selection is empty"),
        ({"pilot": 0.0}, PilotOutOfRange, "above 0 and up to 1"),
        ({"pilot": 1.1}, PilotOutOfRange, "above 0 and up to 1"),
        ({"pilot": float("nan")}, PilotOutOfRange, "above 0 and up to 1"),
        ({"overlap": 0}, OverlapOutOfRange, "use 1 or more"),
    ],
    ids=["no name", "long name", "half an emoji", "empty", "pilot of 0", "pilot of 110 %", "pilot of nan", "overlap"],
)
def test_refuses_what_makes_no_batch(
    mia: User, values: dict[str, Any], error: type[BatchRefused], message: str
) -> None:
    fields = {"name": "main", "programs": make_programs(requirements=1), "by": mia}

    with pytest.raises(error, match=message):
        create_batch(**(fields | values))

    assert Batch.objects.count() == 0


@pytest.mark.django_db
def test_refuses_a_name_that_is_taken(mia: User) -> None:
    programs = make_programs(requirements=1)
    create_batch(name="main", programs=programs, by=mia)

    with pytest.raises(NameTaken, match="'main' already"):
        create_batch(name="main", programs=programs, by=mia)

    assert (Batch.objects.count(), Item.objects.count()) == (1, 4)


@pytest.mark.django_db
def test_refuses_programs_that_are_not_accepted(mia: User) -> None:
    accepted = make_programs(requirements=1)
    pending = make_perturbed(state="pending")

    with pytest.raises(ProgramsNotAccepted, match=f"1 of 5 programs .*{pending.content_key}"):
        create_batch(name="main", programs=[*accepted, pending], by=mia)

    assert Batch.objects.count() == 0


@pytest.mark.django_db
def test_is_made_by_the_command() -> None:
    make_selection(make_programs(requirements=5))
    out = StringIO()

    call_command("create_batch", "--name", "main", "--selection", "picked", "--json", stdout=out)

    assert json.loads(out.getvalue().splitlines()[-1]) == {
        "batch": "main",
        "selection": "picked",
        "created": 20,
        "created_by_target": {"1": 5, "2": 5, "3": 5, "4": 5},
        "is_pilot": False,
        "overlap": 3,
        "seed": "0",
    }
    assert Batch.objects.get().selection == Selection.objects.get()


@pytest.mark.django_db
@pytest.mark.parametrize(("arguments", "size"), [(["--pilot"], 2), (["--pilot", "0.5"], 10)])
def test_makes_a_pilot_by_the_command(arguments: list[str], size: int) -> None:
    make_selection(make_programs(requirements=5))
    out = StringIO()

    call_command("create_batch", "--name", "p", "--selection", "picked", "--json", *arguments, stdout=out)

    printed = json.loads(out.getvalue().splitlines()[-1])
    assert (printed["created"], printed["is_pilot"]) == (size, True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("selection", "message"), [("other", "No selection is called 'other'. There are: picked."), ("picked", "empty")]
)
def test_refuses_by_the_command_in_one_line(selection: str, message: str) -> None:
    make_selection([])

    with pytest.raises(CommandError, match=message) as refusal:
        call_command("create_batch", "--name", "main", "--selection", selection)

    assert "\n" not in str(refusal.value)
    assert Batch.objects.count() == 0
