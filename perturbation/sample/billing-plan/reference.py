"""Plan the invoices of a subscription that renews on a fixed day of the month."""

from calendar import monthrange
from datetime import date, timedelta

MONTHS_PER_YEAR = 12
LAST_ANCHOR_DAY = 31
ONE_DAY = timedelta(days=1)

Invoice = tuple[date, date, int]


def anchor_in_month(month_index: int, anchor_day: int) -> date:
    """Return the anchor of a month counted from year 0, clamped to its last day."""
    year, month_offset = divmod(month_index, MONTHS_PER_YEAR)
    month = month_offset + 1
    last_day = monthrange(year, month)[1]
    return date(year, month, min(anchor_day, last_day))


def surrounding_anchors(day: date, anchor_day: int) -> tuple[date, date]:
    """Return the anchor on or before a day, and the first anchor after that day."""
    month_index = day.year * MONTHS_PER_YEAR + day.month - 1
    candidate = anchor_in_month(month_index, anchor_day)
    if candidate <= day:
        return candidate, anchor_in_month(month_index + 1, anchor_day)
    return anchor_in_month(month_index - 1, anchor_day), candidate


def prorate(cents: int, days_used: int, days_whole: int) -> int:
    """Return the share of an amount for some of its days, half a cent rounded up."""
    return (2 * cents * days_used + days_whole) // (2 * days_whole)


def billing_plan(first_day: date, anchor_day: int, count: int, monthly_cents: int) -> list[Invoice]:
    """Return the first invoices of a subscription as (start, end, cents).

    Both days belong to the period. Raises ValueError on an anchor day outside
    1 to 31 and on a negative count or price.
    """
    if not 1 <= anchor_day <= LAST_ANCHOR_DAY:
        raise ValueError(f"anchor day must be 1 to {LAST_ANCHOR_DAY}: {anchor_day}")
    if count < 0 or monthly_cents < 0:
        raise ValueError("count and monthly price must not be negative")

    invoices: list[Invoice] = []
    start = first_day
    for _ in range(count):
        whole_start, next_start = surrounding_anchors(start, anchor_day)
        days_used = (next_start - start).days
        days_whole = (next_start - whole_start).days
        cents = prorate(monthly_cents, days_used, days_whole)
        invoices.append((start, next_start - ONE_DAY, cents))
        start = next_start
    return invoices
