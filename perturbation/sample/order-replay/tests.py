PAID_ORDER = [("a", "place", 50), ("a", "pay", 50)]


def test_pays_an_order() -> None:
    events = [("a", "place", 50), ("a", "pay", 60), ("a", "place", 9)]

    assert replay_orders(events) == ({"a": ("paid", 60)}, [2])


def test_order_is_paid_once_payments_reach_the_price() -> None:
    placed = [("a", "place", 50), ("a", "pay", 20)]

    assert replay_orders(placed) == ({"a": ("placed", 20)}, [])
    assert replay_orders([*placed, ("a", "pay", 29)]) == ({"a": ("placed", 49)}, [])
    assert replay_orders([*placed, ("a", "pay", 30)]) == ({"a": ("paid", 50)}, [])


def test_ships_only_what_is_paid() -> None:
    assert replay_orders([("a", "place", 50), ("a", "ship", 0)]) == (
        {"a": ("placed", 0)},
        [1],
    )
    assert replay_orders([*PAID_ORDER, ("a", "ship", 0)]) == ({"a": ("shipped", 50)}, [])


def test_refunds_a_part_and_then_the_rest() -> None:
    part = [*PAID_ORDER, ("a", "refund", 20)]

    assert replay_orders(part) == ({"a": ("paid", 30)}, [])
    assert replay_orders([*part, ("a", "refund", 30)]) == ({"a": ("refunded", 0)}, [])


def test_refuses_to_refund_more_than_is_held() -> None:
    assert replay_orders([*PAID_ORDER, ("a", "refund", 51)]) == (
        {"a": ("paid", 50)},
        [2],
    )


def test_refunds_a_shipped_order() -> None:
    events = [*PAID_ORDER, ("a", "ship", 0), ("a", "refund", 1)]

    assert replay_orders(events) == ({"a": ("shipped", 49)}, [])
    assert replay_orders([*events, ("a", "refund", 49)])[0] == {"a": ("refunded", 0)}


def test_ships_after_a_partial_refund() -> None:
    events = [*PAID_ORDER, ("a", "refund", 10), ("a", "ship", 0)]

    assert replay_orders(events) == ({"a": ("shipped", 40)}, [])


def test_cancel_pays_back_everything() -> None:
    events = [("a", "place", 50), ("a", "pay", 20), ("a", "cancel", 0)]

    assert replay_orders(events) == ({"a": ("cancelled", 0)}, [])


def test_paid_orders_cannot_be_cancelled_or_paid_again() -> None:
    events = [*PAID_ORDER, ("a", "cancel", 0), ("a", "pay", 5)]

    assert replay_orders(events) == ({"a": ("paid", 50)}, [2, 3])


def test_final_states_accept_nothing() -> None:
    later = [("pay", 5), ("ship", 0), ("refund", 5), ("cancel", 0), ("place", 5)]
    cancelled = [("a", "place", 50), ("a", "cancel", 0)]
    cancelled += [("a", action, cents) for action, cents in later]
    refunded = [*PAID_ORDER, ("a", "refund", 50)]
    refunded += [("a", action, cents) for action, cents in later]

    assert replay_orders(cancelled) == ({"a": ("cancelled", 0)}, [2, 3, 4, 5, 6])
    assert replay_orders(refunded) == ({"a": ("refunded", 0)}, [3, 4, 5, 6, 7])


def test_placed_orders_cannot_be_refunded() -> None:
    events = [("a", "place", 50), ("a", "pay", 20), ("a", "refund", 20)]

    assert replay_orders(events) == ({"a": ("placed", 20)}, [2])


def test_checks_amounts() -> None:
    events = [
        ("b", "place", 0),
        ("a", "place", 50),
        ("a", "pay", 0),
        ("a", "pay", -5),
        ("a", "cancel", 1),
        ("a", "pay", 50),
        ("a", "refund", 0),
        ("a", "ship", 50),
        ("a", "ship", -1),
    ]

    assert replay_orders(events) == ({"a": ("paid", 50)}, [0, 2, 3, 4, 6, 7, 8])


def test_smallest_amounts_are_accepted() -> None:
    events = [("a", "place", 1), ("a", "pay", 1), ("a", "refund", 1)]

    assert replay_orders(events) == ({"a": ("refunded", 0)}, [])


def test_ignores_unknown_orders_and_actions() -> None:
    events = [("a", "pay", 5), ("a", "place", 9), ("a", "Pay", 0), ("b", "ship", 0)]

    assert replay_orders(events) == ({"a": ("placed", 0)}, [0, 2, 3])


def test_orders_keep_the_order_of_placing() -> None:
    events = [("z", "place", 5), ("ä", "place", 7), ("b", "place", 6), ("z", "pay", 5)]

    orders, ignored = replay_orders(events)

    assert list(orders.items()) == [("z", ("paid", 5)), ("ä", ("placed", 0)), ("b", ("placed", 0))]
    assert ignored == []
    assert replay_orders([]) == ({}, [])
