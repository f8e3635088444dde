"""Compute the monthly repayment schedule of a loan in whole cents."""

MONTHS_PER_YEAR = 12
BASIS_POINTS_PER_UNIT = 10_000
YEARLY_DIVISOR = MONTHS_PER_YEAR * BASIS_POINTS_PER_UNIT

Entry = tuple[int, int, int, int]


def round_half_up(numerator: int, denominator: int) -> int:
    """Return a fraction of positive integers rounded, halves upwards."""
    return (2 * numerator + denominator) // (2 * denominator)


def monthly_interest(balance: int, yearly_basis_points: int) -> int:
    """Return the interest of one month on a balance, in cents."""
    return round_half_up(balance * yearly_basis_points, YEARLY_DIVISOR)


def check_terms(amount: int, yearly_basis_points: int, payment: int, extra: dict[int, int]) -> None:
    """Raise ValueError on terms no loan can have."""
    if amount < 1 or payment < 1:
        raise ValueError("amount and payment must be at least one cent")
    if yearly_basis_points < 0:
        raise ValueError("the rate must not be negative")
    for month, cents in extra.items():
        if month < 1 or cents < 1:
            raise ValueError(f"bad extra payment of {cents} in month {month}")


def loan_schedule(
    amount: int, yearly_basis_points: int, payment: int, extra: dict[int, int] | None = None
) -> list[Entry]:
    """Return (month, interest, principal, balance) until the loan is repaid.

    Raises ValueError on invalid terms and when a payment does not lower the
    balance.
    """
    extra_payments = extra or {}
    check_terms(amount, yearly_basis_points, payment, extra_payments)
    schedule: list[Entry] = []
    balance = amount
    month = 0
    while balance > 0:
        month += 1
        interest = monthly_interest(balance, yearly_basis_points)
        available = payment + extra_payments.get(month, 0) - interest
        if available < 1:
            raise ValueError(f"month {month}: the payment does not cover the interest")
        principal = min(available, balance)
        balance -= principal
        schedule.append((month, interest, principal, balance))
    return schedule
