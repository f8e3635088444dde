"""What a run has counted so far, against the exact counts, and without loading its units."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from perturbation import pipeline, tally
from perturbation.models import Run, RunUnit
from tests.factories import make_benchmark

pytestmark = pytest.mark.django_db

DONE: dict[str, Any] = {"accepted": 2, "refused": 1, "refused_by_reason": {"it passes": 1}}
NO_GO: dict[str, Any] = {
    "accepted": 0,
    "refused": 0,
    "not_runnable": 1,
    "missing": {"Go tool chain": 1},
    "how_to": {"Go is not installed.": 1},
}
NO_PACKAGES: dict[str, Any] = {"not_runnable": 1, "missing": {"numpy": 1, 'it\'s "odd"': 1}, "how_to": {}}


def make_run(*outcomes: dict[str, Any]) -> Run:
    run = Run.objects.create(kind="verify", benchmark=make_benchmark(), parameters_hash="0")
    for position, outcome in enumerate(outcomes):
        RunUnit.objects.create(run=run, key=str(position), position=position, state="done", outcome=outcome)
    return run


def test_sums_what_the_exact_counts_sum() -> None:
    run = make_run(DONE, NO_GO, NO_PACKAGES, {}, {"before": 7}, DONE, NO_GO)

    counted = tally.of(run)

    exact = pipeline.counts(run=run)
    assert (counted.accepted, counted.refused) == (exact["accepted"], exact["refused"]) == (4, 2)
    assert counted.missing == exact["missing"] == {"Go tool chain": 2, "numpy": 1, 'it\'s "odd"': 1}
    assert counted.how_to == exact["how_to"] == {"Go is not installed.": 2}


def test_counts_nothing_of_a_run_that_has_not_begun() -> None:
    assert tally.of(make_run({}, {})) == tally.Tally(accepted=0, refused=0, missing={}, how_to={})


def test_reads_one_row_for_each_set_of_missing_things(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    run = make_run(*[DONE] * 20, *[NO_GO] * 20)

    with django_assert_num_queries(1):
        tally.of(run)

    assert len(tally._by_what_is_missing(run)) == 2
