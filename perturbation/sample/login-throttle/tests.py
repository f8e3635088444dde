def _fail(throttle: object, *moments: int) -> list[str]:
    return [throttle.attempt("ann", moment, is_correct=False) for moment in moments]


def test_blocks_after_repeated_failures() -> None:
    throttle = LoginThrottle(2, 60, 30)

    assert _fail(throttle, 0, 10, 39, 40) == ["refused", "refused", "blocked", "refused"]


def test_correct_password_is_blocked_too() -> None:
    throttle = LoginThrottle(1, 60, 30)

    _fail(throttle, 0)

    assert throttle.attempt("ann", 0, is_correct=True) == "blocked"
    assert throttle.attempt("ann", 29, is_correct=True) == "blocked"
    assert throttle.attempt("ann", 30, is_correct=True) == "accepted"


def test_failures_leave_the_window() -> None:
    throttle = LoginThrottle(2, 60, 30)

    assert _fail(throttle, 0, 60, 61) == ["refused", "refused", "refused"]
    assert throttle.blocked_users(61) == ["ann"]


def test_last_second_of_the_window_counts() -> None:
    throttle = LoginThrottle(2, 60, 30)

    _fail(throttle, 0, 59)

    assert throttle.blocked_users(59) == ["ann"]


def test_window_slides_over_several_failures() -> None:
    throttle = LoginThrottle(3, 10, 5)

    assert _fail(throttle, 0, 6, 12, 15, 16) == [
        "refused",
        "refused",
        "refused",
        "refused",
        "blocked",
    ]


def test_success_forgets_failures() -> None:
    throttle = LoginThrottle(2, 60, 30)

    _fail(throttle, 0)
    assert throttle.attempt("ann", 1, is_correct=True) == "accepted"
    _fail(throttle, 2)

    assert throttle.blocked_users(2) == []


def test_failures_before_a_block_are_forgotten() -> None:
    throttle = LoginThrottle(2, 1000, 10)

    _fail(throttle, 0, 1, 11)

    assert throttle.blocked_users(11) == []
    assert _fail(throttle, 12, 13) == ["refused", "blocked"]


def test_attempts_while_blocked_do_not_count() -> None:
    throttle = LoginThrottle(2, 60, 10)

    _fail(throttle, 0, 1, 5, 6, 7)
    _fail(throttle, 11)

    assert throttle.blocked_users(11) == []


def test_blocks_double() -> None:
    throttle = LoginThrottle(1, 60, 10)

    assert _fail(throttle, 0, 9, 10, 29, 30, 69, 70) == [
        "refused",
        "blocked",
        "refused",
        "blocked",
        "refused",
        "blocked",
        "refused",
    ]


def test_success_resets_the_doubling() -> None:
    throttle = LoginThrottle(1, 60, 10)

    _fail(throttle, 0, 10)
    throttle.attempt("ann", 30, is_correct=True)

    assert _fail(throttle, 31, 40, 41) == ["refused", "blocked", "refused"]


def test_block_lasts_at_most_a_day() -> None:
    throttle = LoginThrottle(1, 60, 50_000)

    _fail(throttle, 0, 50_000)

    assert throttle.blocked_users(50_000 + 86_399) == ["ann"]
    assert throttle.blocked_users(50_000 + 86_400) == []
    assert LoginThrottle(1, 1, 100_000).attempt("x", 0, is_correct=False) == "refused"


def test_users_are_independent_and_case_folded() -> None:
    throttle = LoginThrottle(2, 60, 30)

    throttle.attempt("Straße", 0, is_correct=False)
    throttle.attempt("bob", 0, is_correct=False)
    throttle.attempt("STRASSE", 1, is_correct=False)

    assert throttle.blocked_users(1) == ["strasse"]
    assert throttle.attempt("bob", 2, is_correct=True) == "accepted"
    assert throttle.attempt("strasse", 2, is_correct=True) == "blocked"


def test_blocked_users_are_sorted_and_end() -> None:
    throttle = LoginThrottle(1, 60, 10)

    for moment, user in enumerate(["zoe", "Bob", "ann"]):
        throttle.attempt(user, moment, is_correct=False)

    assert throttle.blocked_users(2) == ["ann", "bob", "zoe"]
    assert throttle.blocked_users(10) == ["ann", "bob"]
    assert throttle.blocked_users(12) == []


def test_works_with_negative_times() -> None:
    throttle = LoginThrottle(1, 1, 1)

    assert _fail(throttle, -5, -4) == ["refused", "refused"]
    assert throttle.blocked_users(-4) == ["ann"]


def test_refuses_limits_below_one() -> None:
    for limits in [(0, 1, 1), (1, 0, 1), (1, 1, 0)]:
        try:
            LoginThrottle(*limits)
        except ValueError:
            continue
        raise AssertionError(f"accepted {limits}")
