def test_sets_a_high_outlier_aside() -> None:
    assert summarise([4, 5, 5, 6, 60]) == {
        "count": 4,
        "outliers": [60],
        "mean": 5.0,
        "median": 5.0,
        "spread": 0.8165,
    }


def test_sets_a_low_outlier_aside() -> None:
    summary = summarise([-50, 4, 5, 5, 6])

    assert summary["outliers"] == [-50]
    assert summary["mean"] == 5.0


def test_value_on_the_upper_fence_is_kept() -> None:
    assert summarise([0, 2, 4, 6, 12])["outliers"] == []
    assert summarise([0, 2, 4, 6, 12.01])["outliers"] == [12.01]


def test_value_on_the_lower_fence_is_kept() -> None:
    assert summarise([-12, -6, -4, -2, 0])["outliers"] == []
    assert summarise([-12.01, -6, -4, -2, 0])["outliers"] == [-12.01]


def test_equal_values_leave_no_room_for_others() -> None:
    assert summarise([7, 7, 7, 7, 7, 8]) == {
        "count": 5,
        "outliers": [8],
        "mean": 7.0,
        "median": 7.0,
        "spread": 0.0,
    }


def test_outliers_are_sorted_and_repeated() -> None:
    summary = summarise([90, 5, -80, 5, 90, 5, 5, 6, 4, 5, 5])

    assert summary["outliers"] == [-80, 4, 90, 90]
    assert summary["count"] == 7


def test_four_values_can_hold_no_far_enough_value() -> None:
    assert summarise([1, 1, 1, 100])["outliers"] == [100]
    assert summarise([1, 2, 3, 4])["outliers"] == []


def test_three_values_never_have_outliers() -> None:
    assert summarise([1, 1, 1000]) == {
        "count": 3,
        "outliers": [],
        "mean": 334.0,
        "median": 1,
        "spread": 576.7729,
    }


def test_single_value_has_no_spread() -> None:
    assert summarise([-3]) == {
        "count": 1,
        "outliers": [],
        "mean": -3.0,
        "median": -3,
        "spread": 0.0,
    }


def test_two_values() -> None:
    summary = summarise([1, 2])

    assert (summary["mean"], summary["median"]) == (1.5, 1.5)
    assert summary["spread"] == 0.7071


def test_empty_sample() -> None:
    assert summarise([]) == {
        "count": 0,
        "outliers": [],
        "mean": None,
        "median": None,
        "spread": None,
    }


def test_rounds_to_four_decimals() -> None:
    summary = summarise([1, 1, 2])

    assert summary["mean"] == 1.3333
    assert summary["spread"] == 0.5774


def test_interpolates_quartiles() -> None:
    assert summarise([10, 20, 30, 61.25])["outliers"] == []
    assert summarise([0, 0, 0, 4, 10])["outliers"] == []
    assert summarise([0, 0, 0, 4, 10.01])["outliers"] == [10.01]
    assert summarise([0, 4, 4, 8, 8, 17])["outliers"] == [17]
    assert summarise([0, 4, 4, 8, 8, 14])["outliers"] == []
    assert summarise([0, 4, 4, 8, 8, 14.01])["outliers"] == [14.01]


def test_order_of_values_does_not_matter_and_stays() -> None:
    values = [60.0, 5.0, 4.0, 6.0, 5.0]

    assert summarise(values)["median"] == 5.0
    assert values == [60.0, 5.0, 4.0, 6.0, 5.0]


def test_refuses_values_that_are_not_finite() -> None:
    for bad in [float("nan"), float("inf"), float("-inf")]:
        try:
            summarise([1.0, bad, 2.0])
        except ValueError:
            continue
        raise AssertionError(f"accepted {bad}")
