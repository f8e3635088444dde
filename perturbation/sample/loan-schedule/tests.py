def _is_refused(amount: int, rate: int, payment: int, extra: dict[int, int] | None = None) -> bool:
    try:
        loan_schedule(amount, rate, payment, extra)
    except ValueError:
        return True
    return False


def _interest(amount: int, rate: int) -> int:
    return loan_schedule(amount, rate, 10**9)[0][1]


def test_repays_in_two_months() -> None:
    assert loan_schedule(10000, 1200, 6000) == [(1, 100, 5900, 4100), (2, 41, 4100, 0)]


def test_loan_without_interest() -> None:
    assert loan_schedule(100, 0, 40) == [(1, 0, 40, 60), (2, 0, 40, 20), (3, 0, 20, 0)]


def test_ends_with_a_payment_that_fits_exactly() -> None:
    assert loan_schedule(100, 0, 50) == [(1, 0, 50, 50), (2, 0, 50, 0)]
    assert loan_schedule(10000, 1200, 10100) == [(1, 100, 10000, 0)]


def test_one_cent_too_little_needs_another_month() -> None:
    assert loan_schedule(10000, 1200, 10099) == [(1, 100, 9999, 1), (2, 0, 1, 0)]


def test_rounds_half_a_cent_up() -> None:
    assert _interest(50, 1200) == 1
    assert _interest(49, 1200) == 0
    assert _interest(150, 1200) == 2
    assert _interest(100, 1200) == 1


def test_rounds_other_fractions_to_the_nearest_cent() -> None:
    assert _interest(250000, 375) == 781
    assert _interest(10**8, 1200) == 10**6
    assert _interest(1, 40000) == 0
    assert _interest(1, 80000) == 1
    assert _interest(7, 60000) == 4


def test_longer_schedule() -> None:
    schedule = loan_schedule(100000, 600, 20000)

    assert schedule == [
        (1, 500, 19500, 80500),
        (2, 403, 19597, 60903),
        (3, 305, 19695, 41208),
        (4, 206, 19794, 21414),
        (5, 107, 19893, 1521),
        (6, 8, 1521, 0),
    ]


def test_extra_payments_lower_the_balance_of_their_month() -> None:
    assert loan_schedule(100, 0, 30, {2: 25}) == [
        (1, 0, 30, 70),
        (2, 0, 55, 15),
        (3, 0, 15, 0),
    ]


def test_extra_payment_may_end_the_loan() -> None:
    assert loan_schedule(100, 0, 30, {2: 500, 3: 9}) == [(1, 0, 30, 70), (2, 0, 70, 0)]


def test_extra_payment_in_the_first_month() -> None:
    assert loan_schedule(100, 0, 99, {1: 1}) == [(1, 0, 100, 0)]


def test_late_extra_payments_are_ignored() -> None:
    assert loan_schedule(10, 0, 10, {7: 3}) == [(1, 0, 10, 0)]


def test_payment_must_exceed_the_interest() -> None:
    assert _is_refused(10000, 1200, 100)
    assert _is_refused(10000, 1200, 99)
    assert loan_schedule(10000, 1200, 101)[0] == (1, 100, 1, 9999)


def test_extra_payment_can_make_up_for_a_small_payment() -> None:
    assert loan_schedule(10000, 1200, 50, {1: 9951}) == [
        (1, 100, 9901, 99),
        (2, 1, 49, 50),
        (3, 1, 49, 1),
        (4, 0, 1, 0),
    ]
    assert _is_refused(10000, 1200, 50, {1: 50})


def test_payment_of_one_cent() -> None:
    assert loan_schedule(2, 0, 1) == [(1, 0, 1, 1), (2, 0, 1, 0)]
    assert loan_schedule(1, 0, 1, {}) == [(1, 0, 1, 0)]


def test_refuses_invalid_terms() -> None:
    assert _is_refused(0, 100, 10)
    assert _is_refused(-5, 100, 10)
    assert _is_refused(10, -1, 10)
    assert _is_refused(10, 0, 0)
    assert _is_refused(10, 0, 10, {0: 5})
    assert _is_refused(10, 0, 10, {1: 0})
    assert _is_refused(10, 0, 10, {1: 5, 9: -1})


def test_leaves_extra_payments_alone() -> None:
    extra = {1: 5, 2: 5}

    loan_schedule(20, 0, 6, extra)

    assert extra == {1: 5, 2: 5}
