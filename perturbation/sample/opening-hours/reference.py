"""Find the next time at which a shop is open."""

from datetime import date, timedelta

MINUTES_PER_DAY = 1440
LAST_WEEKDAY = 6
SEARCH_DAYS = 14
ONE_DAY = timedelta(days=1)

Hours = dict[int, list[tuple[int, int]]]


def check_arguments(hours: Hours, minute: int) -> None:
    """Raise ValueError on a minute, weekday or opening time out of range."""
    if not 0 <= minute < MINUTES_PER_DAY:
        raise ValueError(f"no minute of a day: {minute}")
    for weekday, times in hours.items():
        if not 0 <= weekday <= LAST_WEEKDAY:
            raise ValueError(f"no weekday: {weekday}")
        for opens, closes in times:
            if not 0 <= opens < MINUTES_PER_DAY:
                raise ValueError(f"no opening minute: {opens}")
            if not opens < closes <= 2 * MINUTES_PER_DAY:
                raise ValueError(f"no closing minute after {opens}: {closes}")


def times_on(hours: Hours, holidays: set[date], day: date) -> list[tuple[int, int]]:
    """Return the opening times that begin on a day, in order."""
    if day in holidays:
        return []
    return sorted(hours.get(day.weekday(), []))


def is_open(hours: Hours, holidays: set[date], day: date, minute: int) -> bool:
    """Say whether the shop is open, also by a time that began the day before."""
    today = times_on(hours, holidays, day)
    yesterday = times_on(hours, holidays, day - ONE_DAY)
    late_minute = minute + MINUTES_PER_DAY
    return any(opens <= minute < closes for opens, closes in today) or any(
        late_minute < closes for _, closes in yesterday
    )


def next_opening(hours: Hours, holidays: set[date], day: date, minute: int) -> tuple[date, int] | None:
    """Return the date and minute from which on the shop is open, if it is soon.

    Raises ValueError on values out of range.
    """
    check_arguments(hours, minute)
    if is_open(hours, holidays, day, minute):
        return day, minute
    earliest = minute
    for offset in range(SEARCH_DAYS + 1):
        candidate = day + timedelta(days=offset)
        for opens, _ in times_on(hours, holidays, candidate):
            if opens >= earliest:
                return candidate, opens
        earliest = 0
    return None
