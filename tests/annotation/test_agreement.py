"""Agreement and progress of a batch, from the scores in the database."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries

from annotation import agreement
from annotation.agreement import AnnotatorProgress, measure, progress_of
from annotation.calibrating import content_version, skip, submit_score
from annotation.models import AgreementRun, Assignment, Batch
from annotation.tasks import measure_batch
from tests.factories import make_assignment, make_batch, make_perturbed

pytestmark = pytest.mark.django_db


def score(assignment: Assignment, value: int, now: datetime, *, revision: int = 0) -> None:
    submit_score(
        assignment=assignment,
        value=value,
        reason="",
        idempotency_key=uuid.uuid4(),
        content_version=content_version(program=assignment.item.program),
        expected_revision=revision,
        now=now,
    )


def scored_batch(people: list[User], values: list[tuple[int | None, ...]], now: datetime) -> Batch:
    """A batch with one item per tuple, scored by the people in that order."""
    batch = make_batch(programs=[make_perturbed(target=2) for _ in values], overlap=len(people))
    for item, given in zip(batch.items.order_by("position"), values, strict=True):
        for slot, (person, value) in enumerate(zip(people, given, strict=True)):
            assignment = make_assignment(annotator=person, item=item, slot=slot)
            if value is not None:
                score(assignment, value, now)
    return batch


def test_measures_the_scores_that_count(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 5), (4, 4), (3, 3), (2, 4), (1, 2)], now)
    last = Assignment.objects.get(annotator=bob, item__batch=batch, item__position=4)
    score(last, 3, now, revision=1)

    run = measure(batch=batch, now=now)

    assert run.alpha == pytest.approx(0.6077, abs=5e-5)
    assert run.undefined_reason == ""
    assert (run.content["items"], run.content["paired_items"], run.content["scores"]) == (5, 5, 10)
    assert (run.content["agreeing_pairs"], run.content["pairs"], run.content["raw_agreement"]) == (3, 5, 0.6)
    assert run.content["by_target"]["2"]["ordinal"] == run.alpha


def test_gives_no_number_but_a_reason_without_variation(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 5), (5, 5)], now)

    run = measure(batch=batch, now=now)

    assert run.alpha is None
    assert run.undefined_reason == "Not defined: no variation, all scores of the 2 paired item(s) are 5."
    assert run.content["raw_agreement"] == 1.0


def test_measures_a_batch_without_scores(now: datetime) -> None:
    run = measure(batch=make_batch(), now=now)

    assert run.alpha is None
    assert run.undefined_reason == "Not defined: no scores yet; agreement needs at least two."


def test_keeps_the_run_while_no_score_changes(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 4), (1, 1)], now)
    first = measure(batch=batch, now=now)

    again = measure(batch=batch, now=now + timedelta(hours=1))

    assert again.pk == first.pk
    assert AgreementRun.objects.count() == 1


def test_measures_again_after_a_change_and_back(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 4), (1, 1)], now)
    first = measure(batch=batch, now=now)
    changed = Assignment.objects.get(annotator=bob, item__batch=batch, item__position=0)
    score(changed, 0, now, revision=1)
    second = measure(batch=batch, now=now + timedelta(hours=1))
    score(changed, 4, now, revision=2)

    third = measure(batch=batch, now=now + timedelta(hours=2))

    assert second.alpha != first.alpha
    assert third.alpha == first.alpha
    assert len({first.pk, second.pk, third.pk}) == 3


def test_counts_what_each_annotator_has_done(
    alice: User, bob: User, now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    batch = scored_batch([alice, bob], [(5, None), (4, None), (3, 1)], now)
    skip(assignment=Assignment.objects.filter(annotator=bob, state="open").order_by("pk")[0], reason="odd", now=now)

    with django_assert_num_queries(1):
        rows = progress_of(batch)

    assert rows == [
        AnnotatorProgress(alice.pk, "alice", assigned=3, scored=3, skipped=0, open=0, last_finished_at=now),
        AnnotatorProgress(bob.pk, "bob", assigned=3, scored=1, skipped=1, open=1, last_finished_at=now),
    ]


def test_is_measured_by_its_task(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 4), (1, 1)], now)

    measure_batch.apply(kwargs={"batch_id": batch.pk}, throw=True)
    measure_batch.apply(kwargs={"batch_id": batch.pk + 1}, throw=True)

    assert batch.agreement_runs.get().content["pairs"] == 2


def test_does_not_overwrite_a_run_from_newer_scores(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 4), (1, 1)], now)
    seen_early = agreement._load(batch)
    score(Assignment.objects.get(annotator=bob, item__batch=batch, item__position=0), 5, now, revision=1)
    newer = measure(batch=batch, now=now)

    late = AgreementRun(batch=batch, alpha=0.0, content=agreement._content(seen_early), measured_at=now)

    assert agreement._save(late) == newer
    assert list(batch.agreement_runs.all()) == [newer]


def test_is_printed_by_the_command(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 5), (5, None)], now)
    out = StringIO()

    call_command("measure_agreement", "--batch", batch.name, "--json", stdout=out)

    printed = json.loads(out.getvalue().splitlines()[-1])
    assert printed["alpha"] is None
    assert printed["undefined_reason"].startswith("Not defined: no variation")
    assert (printed["paired_items"], printed["raw_agreement"], printed["scores"]) == (1, 1.0, 3)
    assert printed["progress"] == {
        "alice": {"assigned": 2, "scored": 2, "skipped": 0, "open": 0},
        "bob": {"assigned": 2, "scored": 1, "skipped": 0, "open": 1},
    }


def test_is_printed_for_people_as_two_tables(alice: User, bob: User, now: datetime) -> None:
    batch = scored_batch([alice, bob], [(5, 4), (1, 1), (3, None)], now)
    out = StringIO()

    call_command("measure_agreement", "--batch", batch.name, stdout=out)

    lines = [line.split() for line in out.getvalue().splitlines()]
    run = batch.agreement_runs.get()
    alphas = [f"{run.content[level]:.3f}" for level in ("ordinal", "nominal", "interval")]
    assert ["alpha", "(ordinal):", alphas[0]] in lines
    assert ["all", *alphas, "0.500", "2", "3", "5"] in lines
    assert ["alice", "3", "3", "0", "0"] in lines
    assert ["bob", "3", "2", "0", "1"] in lines
    assert "{" not in out.getvalue()


def test_refuses_by_the_command_a_batch_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="No batch is called 'x'. There are: none yet"):
        call_command("measure_agreement", "--batch", "x")
