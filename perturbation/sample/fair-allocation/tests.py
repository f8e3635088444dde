def _is_refused(total: int, weights: dict[str, int], minimum: int = 0) -> bool:
    try:
        allocate(total, weights, minimum)
    except ValueError:
        return True
    return False


def test_gives_the_unit_left_to_the_first_name_on_a_tie() -> None:
    assert allocate(10, {"a": 1, "b": 1, "c": 1}) == {"a": 4, "b": 3, "c": 3}
    assert allocate(10, {"c": 1, "b": 1, "a": 1}) == {"c": 3, "b": 3, "a": 4}
    assert allocate(11, {"c": 1, "b": 1, "a": 1}) == {"c": 3, "b": 4, "a": 4}


def test_divides_without_remainder() -> None:
    assert allocate(12, {"a": 3, "b": 2, "c": 1}) == {"a": 6, "b": 4, "c": 2}


def test_largest_remainder_wins_over_larger_weight() -> None:
    assert allocate(10, {"a": 62, "b": 29, "c": 9}) == {"a": 6, "b": 3, "c": 1}
    assert allocate(3, {"big": 70, "small": 30}) == {"big": 2, "small": 1}


def test_larger_weight_wins_on_equal_remainders() -> None:
    assert allocate(2, {"a": 1, "b": 3}) == {"a": 0, "b": 2}
    assert allocate(6, {"a": 1, "z": 3}) == {"a": 1, "z": 5}


def test_gives_the_minimum_first() -> None:
    assert allocate(5, {"x": 98, "y": 1, "z": 0}, minimum=1) == {"x": 4, "y": 1, "z": 0}
    assert allocate(10, {"x": 3, "y": 1}, 1) == {"x": 7, "y": 3}
    assert allocate(10, {"x": 3, "y": 1}, 3) == {"x": 6, "y": 4}


def test_minimum_may_use_up_everything() -> None:
    assert allocate(6, {"x": 9, "y": 1, "n": 0}, minimum=3) == {"x": 3, "y": 3, "n": 0}
    assert _is_refused(5, {"x": 9, "y": 1}, 3)


def test_weight_zero_receives_nothing() -> None:
    assert allocate(7, {"a": 0, "b": 2, "c": 0}) == {"a": 0, "b": 7, "c": 0}


def test_total_of_zero_gives_zeros() -> None:
    assert allocate(0, {"a": 2, "b": 1}) == {"a": 0, "b": 0}


def test_fewer_units_than_parties() -> None:
    assert allocate(2, {"d": 5, "c": 5, "b": 5, "a": 4}) == {
        "d": 0,
        "c": 1,
        "b": 1,
        "a": 0,
    }


def test_is_exact_for_very_large_weights() -> None:
    huge = 10**30

    assert allocate(3, {"a": huge, "b": huge + 1}) == {"a": 1, "b": 2}
    assert allocate(10**20 + 1, {"a": 1, "b": 1}) == {
        "a": 5 * 10**19 + 1,
        "b": 5 * 10**19,
    }


def test_keeps_the_order_of_keys_and_its_input() -> None:
    weights = {"z": 1, "ä": 2, "a": 1}

    shares = allocate(5, weights)

    assert list(shares.items()) == [("z", 1), ("ä", 3), ("a", 1)]
    assert weights == {"z": 1, "ä": 2, "a": 1}


def test_refuses_negative_numbers() -> None:
    assert _is_refused(-1, {"a": 1})
    assert _is_refused(1, {"a": 1}, -1)
    assert _is_refused(1, {"a": 2, "b": -1})


def test_refuses_weights_without_a_positive_one() -> None:
    assert _is_refused(1, {})
    assert _is_refused(1, {"a": 0})
    assert _is_refused(0, {"a": 0, "b": 0})
    assert not _is_refused(1, {"a": 1})
