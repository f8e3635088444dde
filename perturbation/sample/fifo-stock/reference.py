"""Follow stock movements and take sold units from the oldest lots first."""

from collections import deque

BUY = "buy"
SELL = "sell"

Move = tuple[str, str, int, int]


class Stock:
    """The lots of one item, oldest first, and the profit made with it."""

    def __init__(self) -> None:
        self.lots: deque[tuple[int, int]] = deque()
        self.profit = 0

    def units(self) -> int:
        """Return the number of units in all lots."""
        return sum(quantity for quantity, _ in self.lots)

    def value(self) -> int:
        """Return what the units in stock have cost, in cents."""
        return sum(quantity * cost for quantity, cost in self.lots)

    def buy(self, quantity: int, unit_cents: int) -> None:
        """Add a lot."""
        self.lots.append((quantity, unit_cents))

    def sell(self, quantity: int, unit_cents: int) -> None:
        """Take units from the oldest lots; raise ValueError if there are too few."""
        if quantity > self.units():
            raise ValueError(f"only {self.units()} units in stock, not {quantity}")
        wanted = quantity
        while wanted > 0:
            lot_quantity, lot_cost = self.lots.popleft()
            taken = min(wanted, lot_quantity)
            self.profit += taken * (unit_cents - lot_cost)
            wanted -= taken
            if taken < lot_quantity:
                self.lots.appendleft((lot_quantity - taken, lot_cost))


def stock_report(moves: list[Move]) -> dict[str, tuple[int, int, int]]:
    """Return units, value and profit by item, items in alphabetical order.

    Raises ValueError with the number of the first move that is not possible.
    """
    stocks: dict[str, Stock] = {}
    for number, (kind, item, quantity, unit_cents) in enumerate(moves, start=1):
        if quantity < 1 or unit_cents < 0:
            raise ValueError(f"move {number}: bad quantity or price")
        stock = stocks.setdefault(item, Stock())
        if kind == BUY:
            stock.buy(quantity, unit_cents)
        elif kind == SELL:
            try:
                stock.sell(quantity, unit_cents)
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from error
        else:
            raise ValueError(f"move {number}: unknown kind {kind!r}")
    return {item: (stock.units(), stock.value(), stock.profit) for item, stock in sorted(stocks.items())}
