def _error_of(moves: list[tuple[str, str, int, int]]) -> str:
    try:
        stock_report(moves)
    except ValueError as error:
        return str(error)
    raise AssertionError("the moves were accepted")


def test_takes_the_oldest_lots_first() -> None:
    moves = [("buy", "nut", 10, 5), ("buy", "nut", 10, 7), ("sell", "nut", 12, 9)]

    assert stock_report(moves) == {"nut": (8, 56, 44)}


def test_goes_on_with_a_lot_that_was_opened() -> None:
    moves = [
        ("buy", "nut", 10, 5),
        ("sell", "nut", 4, 6),
        ("buy", "nut", 1, 100),
        ("sell", "nut", 6, 8),
    ]

    assert stock_report(moves) == {"nut": (1, 100, 22)}


def test_sale_of_a_whole_lot_leaves_the_next() -> None:
    moves = [("buy", "a", 3, 2), ("buy", "a", 2, 4), ("sell", "a", 3, 2)]

    assert stock_report(moves) == {"a": (2, 8, 0)}


def test_sold_out_item_stays_in_the_report() -> None:
    moves = [("buy", "a", 2, 3), ("sell", "a", 2, 5)]

    assert stock_report(moves) == {"a": (0, 0, 4)}


def test_sale_over_three_lots() -> None:
    moves = [
        ("buy", "a", 1, 1),
        ("buy", "a", 1, 2),
        ("buy", "a", 5, 3),
        ("sell", "a", 4, 10),
    ]

    assert stock_report(moves) == {"a": (3, 9, 31)}


def test_losses_are_negative() -> None:
    moves = [("buy", "a", 2, 9), ("sell", "a", 1, 4), ("sell", "a", 1, 0)]

    assert stock_report(moves) == {"a": (0, 0, -14)}


def test_items_are_kept_apart_and_sorted() -> None:
    moves = [
        ("buy", "pear", 2, 10),
        ("buy", "apple", 3, 1),
        ("sell", "pear", 1, 12),
        ("buy", "Öl", 1, 7),
    ]

    report = stock_report(moves)

    assert list(report.items()) == [
        ("apple", (3, 3, 0)),
        ("pear", (1, 10, 2)),
        ("Öl", (1, 7, 0)),
    ]


def test_free_goods_are_allowed() -> None:
    assert stock_report([("buy", "a", 1, 0)]) == {"a": (1, 0, 0)}


def test_no_moves_give_an_empty_report() -> None:
    assert stock_report([]) == {}


def test_refuses_to_sell_more_than_in_stock() -> None:
    moves = [("buy", "a", 2, 1), ("buy", "b", 9, 1), ("sell", "a", 3, 1)]

    assert "move 3" in _error_of(moves)
    assert "move 1" in _error_of([("sell", "a", 1, 1)])


def test_order_of_moves_counts() -> None:
    assert "move 1" in _error_of([("sell", "a", 1, 1), ("buy", "a", 1, 1)])


def test_refuses_bad_quantities_and_prices() -> None:
    good = ("buy", "a", 1, 1)

    assert "move 2" in _error_of([good, ("buy", "a", 0, 1)])
    assert "move 2" in _error_of([good, ("sell", "a", -1, 1)])
    assert "move 2" in _error_of([good, ("buy", "a", 1, -1)])


def test_refuses_unknown_kinds() -> None:
    assert "move 1" in _error_of([("Buy", "a", 1, 1)])
    assert "move 2" in _error_of([("buy", "a", 1, 1), ("return", "a", 1, 1)])


def test_leaves_its_input_alone() -> None:
    moves = [("buy", "a", 2, 3), ("sell", "a", 1, 5)]

    stock_report(moves)

    assert moves == [("buy", "a", 2, 3), ("sell", "a", 1, 5)]
