def _is_refused(bookings: list[tuple[str, int, int, int]]) -> bool:
    try:
        plan_rooms({"A": 10}, bookings)
    except ValueError:
        return True
    return False


def test_refuses_a_booking_when_nothing_is_free() -> None:
    bookings = [("plan", 0, 60, 3), ("demo", 30, 90, 3), ("talk", 30, 60, 5)]

    placed, refused = plan_rooms({"A": 4, "B": 10}, bookings)

    assert placed == {"plan": "A", "talk": "B"}
    assert refused == ["demo"]


def test_takes_the_smallest_room_that_fits() -> None:
    rooms = {"hall": 100, "box": 2, "den": 6}

    assert plan_rooms(rooms, [("a", 0, 10, 3)]) == ({"a": "den"}, [])
    assert plan_rooms(rooms, [("a", 0, 10, 6)]) == ({"a": "den"}, [])
    assert plan_rooms(rooms, [("a", 0, 10, 7)]) == ({"a": "hall"}, [])
    assert plan_rooms(rooms, [("a", 0, 10, 101)]) == ({}, ["a"])


def test_equal_rooms_are_taken_by_name() -> None:
    rooms = {"C": 5, "A": 5, "B": 5}

    placed, _ = plan_rooms(rooms, [("x", 0, 10, 1), ("y", 1, 10, 1), ("z", 2, 10, 1)])

    assert placed == {"x": "A", "y": "B", "z": "C"}


def test_booking_may_begin_when_another_ends() -> None:
    rooms = {"A": 5}

    assert plan_rooms(rooms, [("x", 0, 30, 1), ("y", 30, 60, 1)])[1] == []
    assert plan_rooms(rooms, [("x", 0, 31, 1), ("y", 30, 60, 1)])[1] == ["y"]


def test_places_by_start_whatever_the_order_given() -> None:
    bookings = [("late", 20, 30, 1), ("early", 0, 25, 1)]

    assert plan_rooms({"A": 5}, bookings) == ({"early": "A"}, ["late"])


def test_more_people_go_first_at_equal_start() -> None:
    bookings = [("a", 0, 10, 2), ("b", 0, 10, 4)]

    assert plan_rooms({"A": 5}, bookings) == ({"b": "A"}, ["a"])


def test_title_decides_last() -> None:
    bookings = [("b", 0, 10, 2), ("a", 0, 20, 2)]

    assert plan_rooms({"A": 5}, bookings) == ({"a": "A"}, ["b"])


def test_refused_booking_does_not_block_a_room() -> None:
    bookings = [("x", 0, 10, 1), ("y", 5, 100, 1), ("z", 10, 20, 1)]

    assert plan_rooms({"A": 1}, bookings) == ({"x": "A", "z": "A"}, ["y"])


def test_results_are_in_order_of_placing() -> None:
    bookings = [
        ("d", 9, 12, 1),
        ("c", 8, 12, 9),
        ("b", 7, 12, 1),
        ("a", 6, 12, 9),
        ("e", 5, 6, 1),
    ]

    placed, refused = plan_rooms({"A": 2, "B": 1}, bookings)

    assert list(placed.items()) == [("e", "B"), ("b", "B"), ("d", "A")]
    assert refused == ["a", "c"]


def test_works_with_negative_times() -> None:
    bookings = [("x", -60, -30, 1), ("y", -31, 0, 1), ("z", -30, 0, 1)]

    assert plan_rooms({"A": 1}, bookings) == ({"x": "A", "z": "A"}, ["y"])


def test_empty_input() -> None:
    assert plan_rooms({}, []) == ({}, [])
    assert plan_rooms({}, [("a", 0, 1, 1)]) == ({}, ["a"])
    assert plan_rooms({"A": 1}, []) == ({}, [])


def test_leaves_its_input_alone() -> None:
    rooms = {"B": 1, "A": 1}
    bookings = [("b", 5, 6, 1), ("a", 0, 1, 1)]

    plan_rooms(rooms, bookings)

    assert list(rooms) == ["B", "A"]
    assert bookings == [("b", 5, 6, 1), ("a", 0, 1, 1)]


def test_refuses_bookings_that_make_no_sense() -> None:
    assert _is_refused([("a", 5, 5, 1)])
    assert _is_refused([("a", 5, 4, 1)])
    assert _is_refused([("a", 5, 6, 0)])
    assert _is_refused([("a", 0, 1, 1), ("b", 1, 2, 1), ("a", 2, 3, 1)])
    assert not _is_refused([("a", 5, 6, 1)])
