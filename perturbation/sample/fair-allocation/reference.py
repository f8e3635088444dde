"""Share out whole units in proportion to weights, by largest remainders."""


def _check_arguments(total: int, weights: dict[str, int], minimum: int) -> None:
    """Raise ValueError when the units cannot be shared out as asked."""
    if total < 0 or minimum < 0:
        raise ValueError("total and minimum must not be negative")
    negative_names = [name for name, weight in weights.items() if weight < 0]
    if negative_names:
        raise ValueError(f"negative weight for {', '.join(negative_names)}")
    party_count = sum(1 for weight in weights.values() if weight > 0)
    if party_count == 0:
        raise ValueError("at least one weight must be positive")
    if minimum * party_count > total:
        raise ValueError(f"{total} units cannot give {minimum} to {party_count}")


def _remainder_order(remainders: dict[str, int], weights: dict[str, int]) -> list[str]:
    """Return the names in the order in which they receive a unit that is left."""
    return sorted(remainders, key=lambda name: (-remainders[name], -weights[name], name))


def allocate(total: int, weights: dict[str, int], minimum: int = 0) -> dict[str, int]:
    """Return the units of every party; they sum to total.

    Every party with a positive weight receives at least minimum units. Raises
    ValueError on negative numbers, on weights without a positive one, and when
    the minimum cannot be given to all.
    """
    _check_arguments(total, weights, minimum)
    shares = {name: minimum if weight > 0 else 0 for name, weight in weights.items()}
    pool = total - sum(shares.values())
    weight_sum = sum(weights.values())

    remainders: dict[str, int] = {}
    for name, weight in weights.items():
        # All remainders share the denominator weight_sum and compare as integers.
        whole_part, remainders[name] = divmod(pool * weight, weight_sum)
        shares[name] += whole_part

    units_left = total - sum(shares.values())
    for name in _remainder_order(remainders, weights)[:units_left]:
        shares[name] += 1
    return shares
