"""The rate of a run and the time left, from the times of its finished units."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from perturbation import pace
from perturbation.models import Run, RunUnit
from tests.factories import make_benchmark


def finished(now: datetime, *seconds_ago: float, created: int = 4) -> list[tuple[datetime, dict[str, int]]]:
    """Units that were finished so long ago, newest first."""
    return [(now - timedelta(seconds=ago), {"created": created}) for ago in seconds_ago]


def test_counts_units_and_what_they_made_a_minute(now: datetime) -> None:
    measured = pace.pace_of(finished(now, 0, 30, 60, 90, 120), until=now, left=10)

    assert measured == pace.Pace(units_per_minute=2.0, made_per_minute=8.0, time_left=timedelta(minutes=5))


@pytest.mark.parametrize("seconds_ago", [(), (1,), (1, 2), (0, 0, 0)])
def test_is_not_known_from_too_little(seconds_ago: tuple[float, ...], now: datetime) -> None:
    measured = pace.pace_of(finished(now, *seconds_ago), until=now, left=10)

    assert measured == pace.Pace(None, None, None)
    assert pace.in_words(measured) == "- units/min (- made/min), - to go"


def test_slows_down_while_nothing_is_finished(now: datetime) -> None:
    units = finished(now, 0, 30, 60)

    later = pace.pace_of(units, until=now + timedelta(minutes=1), left=1)

    assert later.units_per_minute == 1.0


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (59, "59 s"), (61, "2 min"), (3601, "1 h 1 min"), (90_000, "25 h 0 min")]
)
def test_says_the_time_left_in_words(seconds: float, words: str) -> None:
    assert pace.time_in_words(timedelta(seconds=seconds)) == words


@pytest.mark.django_db
@pytest.mark.parametrize(("state", "rate"), [("active", 1.0), ("paused", None), ("finished", 2.0)])
def test_depends_on_where_the_run_stands(state: str, rate: float | None, now: datetime) -> None:
    run = Run.objects.create(kind="verify", benchmark=make_benchmark(), parameters_hash="0", state=state)
    Run.objects.update(created_at=now - timedelta(hours=1))
    run.refresh_from_db()
    for number in range(3):
        at = now - timedelta(seconds=60 + 30 * number)
        RunUnit.objects.create(run=run, key=str(number), position=number, state="done", finished_at=at)

    measured = pace.measure(run=run, left=0, now=now)

    assert measured.units_per_minute == rate
