"""Find where a meeting fits between the appointments of a day."""

Interval = tuple[int, int]

MIN_LENGTH = 1


def _check_arguments(day: Interval, busy: list[Interval], length: int, pause: int) -> None:
    """Raise ValueError on intervals that end before they start and bad lengths."""
    for start, end in [day, *busy]:
        if end < start:
            raise ValueError(f"interval {start} to {end} ends before it starts")
    if length < MIN_LENGTH:
        raise ValueError(f"length must be at least {MIN_LENGTH}")
    if pause < 0:
        raise ValueError("pause must not be negative")


def _blocked_times(busy: list[Interval], pause: int) -> list[Interval]:
    """Return the times that appointments block with their pauses, by start."""
    widened = [(start - pause, end + pause) for start, end in busy]
    # An interval without length holds no minute that could be blocked.
    return sorted((start, end) for start, end in widened if start < end)


def _gaps(day: Interval, blocked: list[Interval]) -> list[Interval]:
    """Return what is left of the day outside the sorted blocked times."""
    gaps: list[Interval] = []
    free_from, day_end = day
    for start, end in blocked:
        gap_end = min(start, day_end)
        if gap_end > free_from:
            gaps.append((free_from, gap_end))
        free_from = max(free_from, end)
    if free_from < day_end:
        gaps.append((free_from, day_end))
    return gaps


def free_slots(day: Interval, busy: list[Interval], length: int, pause: int = 0) -> list[Interval]:
    """Return the free intervals of a day that last at least length minutes.

    Raises ValueError when an interval ends before it starts, length is below 1
    or pause is negative.
    """
    _check_arguments(day, busy, length, pause)
    blocked = _blocked_times(busy, pause)
    slots: list[Interval] = []
    for start, end in _gaps(day, blocked):
        duration = end - start
        if duration >= length:
            slots.append((start, end))
    return slots
