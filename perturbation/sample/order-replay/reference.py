"""Replay the event log of a shop into states of its orders."""

from dataclasses import dataclass

PLACED, PAID, SHIPPED = "placed", "paid", "shipped"
REFUNDED, CANCELLED = "refunded", "cancelled"

STATES_BEFORE = {
    "pay": {PLACED},
    "ship": {PAID},
    "refund": {PAID, SHIPPED},
    "cancel": {PLACED},
}
ACTIONS_WITH_AMOUNT = {"place", "pay", "refund"}


@dataclass
class Order:
    """One order: its price, its state and what it holds, in cents."""

    price: int
    state: str = PLACED
    held: int = 0

    def accepts(self, action: str, cents: int) -> bool:
        """Say whether an action is allowed in the present state."""
        if self.state not in STATES_BEFORE.get(action, set()):
            return False
        return action != "refund" or cents <= self.held

    def apply(self, action: str, cents: int) -> None:
        """Carry out an action that is accepted."""
        if action == "pay":
            self.held += cents
            if self.held >= self.price:
                self.state = PAID
        elif action == "refund":
            self.held -= cents
            if self.held == 0:
                self.state = REFUNDED
        elif action == "ship":
            self.state = SHIPPED
        else:
            self.state, self.held = CANCELLED, 0


def has_valid_amount(action: str, cents: int) -> bool:
    """Say whether the amount is positive where one is due, and 0 elsewhere."""
    return cents > 0 if action in ACTIONS_WITH_AMOUNT else cents == 0


def replay_orders(
    events: list[tuple[str, str, int]],
) -> tuple[dict[str, tuple[str, int]], list[int]]:
    """Return (state, cents held) by order, and the indexes of ignored events."""
    orders: dict[str, Order] = {}
    ignored: list[int] = []
    for index, (order_id, action, cents) in enumerate(events):
        order = orders.get(order_id)
        if not has_valid_amount(action, cents):
            ignored.append(index)
        elif action == "place" and order is None:
            orders[order_id] = Order(price=cents)
        elif order is not None and order.accepts(action, cents):
            order.apply(action, cents)
        else:
            ignored.append(index)
    summary = {order_id: (order.state, order.held) for order_id, order in orders.items()}
    return summary, ignored
