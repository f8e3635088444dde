def _links(page: int, pages: int, around: int = 1) -> object:
    return page_window(pages, 1, page, around)["links"]


def test_describes_a_page_in_the_middle() -> None:
    assert page_window(95, 10, 5) == {
        "page": 5,
        "pages": 10,
        "first": 41,
        "last": 50,
        "previous": 4,
        "next": 6,
        "links": [1, None, 4, 5, 6, None, 10],
    }


def test_first_page_has_no_previous() -> None:
    window = page_window(95, 10, 1)

    assert (window["previous"], window["next"]) == (None, 2)
    assert (window["first"], window["last"]) == (1, 10)


def test_last_page_has_no_next_and_may_be_short() -> None:
    window = page_window(95, 10, 10)

    assert (window["previous"], window["next"]) == (9, None)
    assert (window["first"], window["last"]) == (91, 95)


def test_second_and_last_but_one_page_have_both_neighbours() -> None:
    assert page_window(30, 10, 2)["previous"] == 1
    assert page_window(30, 10, 2)["next"] == 3


def test_last_page_may_be_full() -> None:
    window = page_window(20, 10, 2)

    assert (window["pages"], window["first"], window["last"]) == (2, 11, 20)


def test_one_item_more_needs_one_page_more() -> None:
    assert page_window(21, 10, 1)["pages"] == 3
    assert page_window(21, 10, 3)["first"] == 21
    assert page_window(21, 10, 3)["last"] == 21
    assert page_window(19, 10, 1)["pages"] == 2


def test_page_is_clamped() -> None:
    assert page_window(30, 10, 0)["page"] == 1
    assert page_window(30, 10, -7)["page"] == 1
    assert page_window(30, 10, 4)["page"] == 3
    assert page_window(30, 10, 3)["page"] == 3


def test_no_items_still_make_one_page() -> None:
    assert page_window(0, 10, 3) == {
        "page": 1,
        "pages": 1,
        "first": 0,
        "last": 0,
        "previous": None,
        "next": None,
        "links": [1],
    }


def test_gap_of_one_page_is_filled() -> None:
    assert _links(4, 10) == [1, 2, 3, 4, 5, None, 10]
    assert _links(7, 10) == [1, None, 6, 7, 8, 9, 10]


def test_gap_of_two_pages_stays_a_gap() -> None:
    assert _links(5, 10) == [1, None, 4, 5, 6, None, 10]
    assert _links(6, 10) == [1, None, 5, 6, 7, None, 10]


def test_links_without_any_gap() -> None:
    assert _links(1, 1) == [1]
    assert _links(1, 2) == [1, 2]
    assert _links(2, 4) == [1, 2, 3, 4]
    assert _links(3, 5) == [1, 2, 3, 4, 5]


def test_links_at_the_ends() -> None:
    assert _links(1, 9) == [1, 2, None, 9]
    assert _links(9, 9) == [1, None, 8, 9]


def test_around_widens_and_narrows_the_window() -> None:
    assert _links(5, 9, 0) == [1, None, 5, None, 9]
    assert _links(3, 5, 0) == [1, 2, 3, 4, 5]
    assert _links(10, 20, 2) == [1, None, 8, 9, 10, 11, 12, None, 20]
    assert _links(2, 3, 50) == [1, 2, 3]


def test_refuses_values_out_of_range() -> None:
    for count, size, around in [(-1, 1, 1), (1, 0, 1), (1, -1, 1), (1, 1, -1)]:
        try:
            page_window(count, size, 1, around)
        except ValueError:
            continue
        raise AssertionError(f"accepted {count}, {size}, {around}")
