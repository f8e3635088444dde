"""How fast a run goes, from the times at which its last units were finished; unknown is None, never 0 or NaN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from perturbation.models import Run

# Older than this says little about now; more than this many units say nothing more.
WINDOW = timedelta(minutes=15)
UNITS_LOOKED_AT = 60
# A first rate from two units a moment apart would be noise.
MIN_UNITS = 3
SECONDS_A_MINUTE = 60
MINUTES_AN_HOUR = 60


@dataclass(frozen=True)
class Pace:
    """Units and what they made a minute, and how long what is left takes; None while it is not known."""

    units_per_minute: float | None = None
    made_per_minute: float | None = None
    time_left: timedelta | None = None


def measure(*, run: Run, left: int, now: datetime) -> Pace:
    """Return the pace of an active run over its last units, of a closed one over all of them; a paused one has none.

    k units finished after the oldest one looked at, within t minutes, are k / t units a minute.
    """
    if run.state == Run.State.PAUSED:
        return Pace()
    if run.state == Run.State.ACTIVE:
        return pace_of(_finished_since(run, now - WINDOW)[:UNITS_LOOKED_AT], until=now, left=left)
    finished = _finished_since(run, run.created_at)
    return pace_of(finished, until=finished[0][0] if finished else now, left=0)


def pace_of(finished: Sequence[tuple[datetime, Mapping[str, Any]]], *, until: datetime, left: int) -> Pace:
    """Return the pace of units as (finished at, counts), newest first, up to the moment `until`."""
    if len(finished) < MIN_UNITS:
        return Pace()
    minutes = (until - finished[-1][0]) / timedelta(minutes=1)
    if minutes <= 0:
        return Pace()
    counted = finished[:-1]
    units = len(counted) / minutes
    made = sum(int(outcome.get("created", 0)) for _, outcome in counted) / minutes
    return Pace(units_per_minute=units, made_per_minute=made, time_left=timedelta(minutes=left / units))


def in_words(pace: Pace) -> str:
    """Return the pace for a terminal; a dash stands for what is not known yet."""
    units = "-" if pace.units_per_minute is None else f"{pace.units_per_minute:.1f}"
    made = "-" if pace.made_per_minute is None else f"{pace.made_per_minute:.0f}"
    return f"{units} units/min ({made} made/min), {time_in_words(pace.time_left)} to go"


def time_in_words(time_left: timedelta | None) -> str:
    """Return a duration in its two largest units, rounded up; a dash for an unknown one."""
    if time_left is None:
        return "-"
    seconds = ceil(time_left.total_seconds())
    if seconds < SECONDS_A_MINUTE:
        return f"{seconds} s"
    minutes = ceil(seconds / SECONDS_A_MINUTE)
    if minutes < MINUTES_AN_HOUR:
        return f"{minutes} min"
    return f"{minutes // MINUTES_AN_HOUR} h {minutes % MINUTES_AN_HOUR} min"


def _finished_since(run: Run, moment: datetime) -> list[tuple[datetime, Mapping[str, Any]]]:
    return [(at, outcome) for at, outcome in run.units.finished_since(moment) if at is not None]
