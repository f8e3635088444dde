"""Read and write durations such as 2d4h."""

import re

SECONDS_PER_UNIT = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
UNIT_ORDER = list(SECONDS_PER_UNIT)
SIGN = "-"
PART = re.compile(r"\s*([0-9]+)([wdhms])")


def _split_parts(text: str) -> list[tuple[int, str]]:
    """Return the (amount, unit) pairs of a text, or raise ValueError."""
    parts: list[tuple[int, str]] = []
    position = 0
    while position < len(text):
        match = PART.match(text, position)
        if match is None:
            raise ValueError(f"no amount with a unit at {text[position:]!r}")
        parts.append((int(match.group(1)), match.group(2)))
        position = match.end()
    if not parts:
        raise ValueError("a duration needs at least one part")
    return parts


def _check_order(parts: list[tuple[int, str]]) -> None:
    """Raise ValueError unless every unit is smaller than the one before it."""
    ranks = [UNIT_ORDER.index(unit) for _, unit in parts]
    for earlier, later in zip(ranks, ranks[1:], strict=False):
        if later <= earlier:
            raise ValueError(f"unit {UNIT_ORDER[later]!r} is out of order")


def parse_duration(text: str) -> int:
    """Return the seconds of a duration; raise ValueError if it is malformed."""
    remaining = text.strip().lower()
    is_negative = remaining.startswith(SIGN)
    if is_negative:
        remaining = remaining.removeprefix(SIGN)
    parts = _split_parts(remaining)
    _check_order(parts)
    seconds = sum(amount * SECONDS_PER_UNIT[unit] for amount, unit in parts)
    return -seconds if is_negative else seconds


def format_duration(seconds: int) -> str:
    """Write seconds with the largest units first, leaving out parts of zero."""
    if seconds == 0:
        return "0s"
    pieces = [SIGN] if seconds < 0 else []
    remaining = abs(seconds)
    for unit, size in SECONDS_PER_UNIT.items():
        amount, remaining = divmod(remaining, size)
        if amount > 0:
            pieces.append(f"{amount}{unit}")
    return "".join(pieces)
