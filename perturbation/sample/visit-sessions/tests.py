def _starts(seconds: list[int], idle_limit: int, max_length: int) -> list[object]:
    visits = [("ann", second, "/") for second in seconds]
    return [session["start"] for session in split_sessions(visits, idle_limit, max_length)]


def _pages(*pages: str) -> object:
    visits = [("ann", moment, page) for moment, page in enumerate(pages)]
    (session,) = split_sessions(visits, 60, 600)
    return session["pages"], session["bounce"]


def test_cuts_after_an_idle_time() -> None:
    visits = [("ann", 0, "/"), ("ann", 40, "/buy"), ("ann", 101, "/")]

    assert split_sessions(visits, 60, 600) == [
        {"user": "ann", "start": 0, "length": 40, "pages": ["/", "/buy"], "bounce": False},
        {"user": "ann", "start": 101, "length": 0, "pages": ["/"], "bounce": True},
    ]


def test_idle_limit_is_inclusive() -> None:
    assert _starts([0, 60], 60, 600) == [0]
    assert _starts([0, 61], 60, 600) == [0, 61]


def test_idle_time_counts_from_the_previous_visit() -> None:
    assert _starts([0, 50, 100, 150], 60, 600) == [0]


def test_sessions_end_at_their_maximum_length() -> None:
    assert _starts([0, 50, 100], 60, 100) == [0]
    assert _starts([0, 50, 101], 60, 100) == [0, 101]


def test_length_counts_from_the_first_visit_of_each_session() -> None:
    assert _starts([0, 60, 120, 180, 240, 300], 60, 120) == [0, 180]
    assert _starts([0, 60, 120, 180, 240, 301], 70, 120) == [0, 180, 301]


def test_limits_of_zero_keep_equal_times_together() -> None:
    assert _starts([5, 5, 6], 0, 0) == [5, 6]
    assert _starts([5, 6, 7], 5, 0) == [5, 6, 7]
    assert _starts([5, 6, 7], 0, 5) == [5, 6, 7]


def test_order_of_the_log_does_not_matter() -> None:
    visits = [("ann", 30, "c"), ("ann", 10, "a"), ("ann", 20, "b")]

    (session,) = split_sessions(visits, 60, 600)

    assert session == {
        "user": "ann",
        "start": 10,
        "length": 20,
        "pages": ["a", "b", "c"],
        "bounce": False,
    }
    assert visits == [("ann", 30, "c"), ("ann", 10, "a"), ("ann", 20, "b")]


def test_equal_times_keep_the_order_of_the_log() -> None:
    visits = [("ann", 1, "z"), ("ann", 1, "a"), ("ann", 0, "m")]

    assert split_sessions(visits, 60, 600)[0]["pages"] == ["m", "z", "a"]


def test_users_do_not_influence_each_other() -> None:
    visits = [("bob", 0, "x"), ("ann", 50, "y"), ("bob", 100, "z"), ("ann", 110, "y")]

    sessions = split_sessions(visits, 60, 600)

    assert [(s["user"], s["start"], s["length"]) for s in sessions] == [
        ("bob", 0, 0),
        ("ann", 50, 60),
        ("bob", 100, 0),
    ]


def test_sessions_with_equal_start_are_ordered_by_user() -> None:
    visits = [("zoë", 5, "z"), ("bob", 5, "b"), ("ann", 5, "c")]

    assert [s["user"] for s in split_sessions(visits, 60, 600)] == ["ann", "bob", "zoë"]


def test_page_repeated_directly_is_kept_once() -> None:
    assert _pages("a", "a", "b", "b", "a") == (["a", "b", "a"], False)
    assert _pages("a", "a", "a") == (["a"], True)
    assert _pages("a", "A") == (["a", "A"], False)


def test_visits_without_user_are_dropped() -> None:
    assert split_sessions([("", 1, "a"), ("", 2, "b")], 60, 600) == []
    assert len(split_sessions([("", 1, "a"), ("x", 2, "b")], 60, 600)) == 1


def test_negative_times_and_empty_logs() -> None:
    assert _starts([-100, -40, 21], 60, 600) == [-100, 21]
    assert split_sessions([], 60, 600) == []


def test_refuses_negative_limits() -> None:
    for idle_limit, max_length in [(-1, 5), (5, -1)]:
        try:
            split_sessions([], idle_limit, max_length)
        except ValueError:
            continue
        raise AssertionError(f"accepted {idle_limit}, {max_length}")
