from datetime import date

MONDAY = date(2024, 3, 4)
TUESDAY = date(2024, 3, 5)
FRIDAY = date(2024, 3, 1)
SATURDAY = date(2024, 3, 2)
LATE = {4: [(1200, 1500)]}


def _is_refused(hours: dict[int, list[tuple[int, int]]], minute: int = 0) -> bool:
    try:
        next_opening(hours, set(), MONDAY, minute)
    except ValueError:
        return True
    return False


def test_open_now() -> None:
    hours = {0: [(540, 720)]}

    assert next_opening(hours, set(), MONDAY, 540) == (MONDAY, 540)
    assert next_opening(hours, set(), MONDAY, 719) == (MONDAY, 719)


def test_opens_later_today() -> None:
    assert next_opening({0: [(540, 720)]}, set(), MONDAY, 539) == (MONDAY, 540)
    assert next_opening({0: [(540, 720)]}, set(), MONDAY, 0) == (MONDAY, 540)


def test_closing_minute_is_closed() -> None:
    hours = {0: [(540, 720)], 1: [(600, 700)]}

    assert next_opening(hours, set(), MONDAY, 720) == (TUESDAY, 600)


def test_break_at_noon() -> None:
    hours = {0: [(840, 1080), (540, 720)]}

    assert next_opening(hours, set(), MONDAY, 500) == (MONDAY, 540)
    assert next_opening(hours, set(), MONDAY, 750) == (MONDAY, 840)
    assert next_opening(hours, set(), MONDAY, 900) == (MONDAY, 900)


def test_stays_open_past_midnight() -> None:
    assert next_opening(LATE, set(), FRIDAY, 1439) == (FRIDAY, 1439)
    assert next_opening(LATE, set(), SATURDAY, 0) == (SATURDAY, 0)
    assert next_opening(LATE, set(), SATURDAY, 59) == (SATURDAY, 59)
    assert next_opening(LATE, set(), SATURDAY, 60) == (date(2024, 3, 8), 1200)


def test_may_stay_open_for_the_whole_next_day() -> None:
    hours = {4: [(1439, 2880)]}

    assert next_opening(hours, set(), SATURDAY, 1439) == (SATURDAY, 1439)
    assert next_opening(hours, set(), date(2024, 3, 3), 0) == (date(2024, 3, 8), 1439)


def test_holiday_is_closed() -> None:
    hours = {0: [(540, 720)], 1: [(600, 700)]}

    assert next_opening(hours, {MONDAY}, MONDAY, 600) == (TUESDAY, 600)
    assert next_opening(hours, {MONDAY}, MONDAY, 0) == (TUESDAY, 600)


def test_holiday_does_not_end_the_night_before() -> None:
    assert next_opening(LATE, {SATURDAY}, SATURDAY, 30) == (SATURDAY, 30)
    assert next_opening(LATE, {FRIDAY}, SATURDAY, 30) == (date(2024, 3, 8), 1200)


def test_early_opening_of_a_later_day_counts() -> None:
    assert next_opening({1: [(0, 60)]}, set(), MONDAY, 1439) == (TUESDAY, 0)
    assert next_opening({1: [(5, 60)]}, set(), MONDAY, 800) == (TUESDAY, 5)


def test_searches_fourteen_days() -> None:
    hours = {0: [(540, 720)]}
    next_monday, last_monday = date(2024, 3, 11), date(2024, 3, 18)

    assert next_opening(hours, set(), MONDAY, 800) == (next_monday, 540)
    assert next_opening(hours, {next_monday}, MONDAY, 800) == (last_monday, 540)
    assert next_opening(hours, {next_monday, last_monday}, MONDAY, 800) is None


def test_fifteenth_day_is_too_late() -> None:
    hours = {1: [(540, 720)]}

    assert next_opening(hours, {TUESDAY}, MONDAY, 0) == (date(2024, 3, 12), 540)
    assert next_opening(hours, {TUESDAY, date(2024, 3, 12)}, MONDAY, 0) is None


def test_never_open() -> None:
    assert next_opening({}, set(), MONDAY, 0) is None
    assert next_opening({3: []}, set(), MONDAY, 0) is None


def test_crosses_the_end_of_a_year() -> None:
    sunday = date(2023, 12, 31)

    assert next_opening({0: [(600, 660)]}, set(), sunday, 0) == (date(2024, 1, 1), 600)


def test_sunday_is_the_last_weekday() -> None:
    assert next_opening({6: [(600, 660)]}, set(), MONDAY, 0) == (date(2024, 3, 10), 600)


def test_refuses_minutes_out_of_range() -> None:
    assert _is_refused({}, -1)
    assert _is_refused({}, 1440)
    assert not _is_refused({}, 1439)


def test_refuses_bad_hours() -> None:
    for hours in [{7: []}, {-1: []}, {0: [(-1, 5)]}, {0: [(1440, 1500)]}]:
        assert _is_refused(hours), hours
    for closes in [0, 9, 10, 2881]:
        assert _is_refused({0: [(5, 6), (10, closes)]}), closes
    assert not _is_refused({0: [(0, 1), (1439, 2880)], 6: []})


def test_leaves_its_input_alone() -> None:
    hours = {0: [(840, 1080), (540, 720)]}

    next_opening(hours, set(), MONDAY, 0)

    assert hours == {0: [(840, 1080), (540, 720)]}
