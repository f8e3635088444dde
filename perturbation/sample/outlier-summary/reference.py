"""Describe a sample after setting its outliers aside."""

import math

FENCE_FACTOR = 1.5
MIN_SAMPLE_FOR_OUTLIERS = 4
DECIMALS = 4


def quantile(ordered: list[float], fraction: float) -> float:
    """Return a quantile of sorted values by linear interpolation (type 7)."""
    position = fraction * (len(ordered) - 1)
    lower = math.floor(position)
    upper = math.ceil(position)
    weight = position - lower
    return ordered[lower] + weight * (ordered[upper] - ordered[lower])


def find_fences(ordered: list[float]) -> tuple[float, float]:
    """Return the bounds outside which a value is an outlier."""
    if len(ordered) < MIN_SAMPLE_FOR_OUTLIERS:
        return -math.inf, math.inf
    first_quartile = quantile(ordered, 0.25)
    third_quartile = quantile(ordered, 0.75)
    reach = FENCE_FACTOR * (third_quartile - first_quartile)
    return first_quartile - reach, third_quartile + reach


def sample_deviation(values: list[float], mean: float) -> float:
    """Return the standard deviation with divisor n - 1; 0.0 for one value."""
    if len(values) == 1:
        return 0.0
    squares = sum((value - mean) ** 2 for value in values)
    return math.sqrt(squares / (len(values) - 1))


def summarise(values: list[float]) -> dict[str, object]:
    """Return count, outliers, mean, median and spread of a sample.

    Raises ValueError on values that are not finite.
    """
    if not all(math.isfinite(value) for value in values):
        raise ValueError("all values must be finite numbers")
    ordered = sorted(values)
    lowest, highest = find_fences(ordered)
    kept = [value for value in ordered if lowest <= value <= highest]
    outliers = [value for value in ordered if not lowest <= value <= highest]

    summary: dict[str, object] = {"count": len(kept), "outliers": outliers}
    if not kept:
        return summary | {"mean": None, "median": None, "spread": None}
    mean = sum(kept) / len(kept)
    summary["mean"] = round(mean, DECIMALS)
    summary["median"] = round(quantile(kept, 0.5), DECIMALS)
    summary["spread"] = round(sample_deviation(kept, mean), DECIMALS)
    return summary
