from datetime import date


def test_prorates_a_first_period_in_the_middle_of_a_month() -> None:
    assert billing_plan(date(2023, 4, 16), 1, 2, 3000) == [
        (date(2023, 4, 16), date(2023, 4, 30), 1500),
        (date(2023, 5, 1), date(2023, 5, 31), 3000),
    ]


def test_first_day_on_the_anchor_is_a_full_period() -> None:
    assert billing_plan(date(2023, 6, 10), 10, 1, 999) == [(date(2023, 6, 10), date(2023, 7, 9), 999)]


def test_day_before_the_anchor_costs_one_day() -> None:
    assert billing_plan(date(2023, 6, 9), 10, 2, 3100) == [
        (date(2023, 6, 9), date(2023, 6, 9), 100),
        (date(2023, 6, 10), date(2023, 7, 9), 3100),
    ]


def test_day_after_the_anchor_costs_all_but_one_day() -> None:
    assert billing_plan(date(2023, 6, 11), 10, 1, 3000) == [(date(2023, 6, 11), date(2023, 7, 9), 2900)]


def test_crosses_the_end_of_a_year() -> None:
    assert billing_plan(date(2022, 12, 15), 15, 2, 100) == [
        (date(2022, 12, 15), date(2023, 1, 14), 100),
        (date(2023, 1, 15), date(2023, 2, 14), 100),
    ]


def test_looks_back_over_the_end_of_a_year() -> None:
    assert billing_plan(date(2023, 1, 10), 15, 1, 3100) == [(date(2023, 1, 10), date(2023, 1, 14), 500)]


def test_anchor_31_is_clamped_to_short_months() -> None:
    assert billing_plan(date(2023, 1, 31), 31, 4, 50) == [
        (date(2023, 1, 31), date(2023, 2, 27), 50),
        (date(2023, 2, 28), date(2023, 3, 30), 50),
        (date(2023, 3, 31), date(2023, 4, 29), 50),
        (date(2023, 4, 30), date(2023, 5, 30), 50),
    ]


def test_leap_year_moves_the_clamped_anchor() -> None:
    assert billing_plan(date(2024, 2, 28), 30, 2, 3000) == [
        (date(2024, 2, 28), date(2024, 2, 28), 100),
        (date(2024, 2, 29), date(2024, 3, 29), 3000),
    ]


def test_rounds_half_a_cent_up() -> None:
    assert billing_plan(date(2023, 4, 16), 1, 1, 1)[0][2] == 1
    assert billing_plan(date(2023, 4, 16), 1, 1, 3)[0][2] == 2
    assert billing_plan(date(2023, 4, 17), 1, 1, 1)[0][2] == 0
    assert billing_plan(date(2023, 5, 16), 1, 1, 100)[0][2] == 52
    assert billing_plan(date(2023, 5, 17), 1, 1, 100)[0][2] == 48


def test_count_of_zero_gives_no_invoice() -> None:
    assert billing_plan(date(2023, 5, 1), 1, 0, 100) == []


def test_free_subscription_still_has_periods() -> None:
    assert billing_plan(date(2023, 5, 3), 1, 1, 0) == [(date(2023, 5, 3), date(2023, 5, 31), 0)]


def test_periods_follow_each_other_without_gap() -> None:
    plan = billing_plan(date(2023, 8, 30), 29, 14, 10)

    assert len(plan) == 14
    assert plan[0][:2] == (date(2023, 8, 30), date(2023, 9, 28))
    assert plan[-1][:2] == (date(2024, 9, 29), date(2024, 10, 28))
    assert all((later[0] - earlier[1]).days == 1 for earlier, later in zip(plan, plan[1:], strict=False))


def test_refuses_values_out_of_range() -> None:
    for anchor, count, cents in [(0, 1, 1), (0, 0, 1), (32, 1, 1), (1, -1, 1), (1, 1, -1)]:
        try:
            billing_plan(date(2023, 5, 1), anchor, count, cents)
        except ValueError:
            continue
        raise AssertionError(f"accepted {anchor}, {count}, {cents}")
