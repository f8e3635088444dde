"""Agreement arithmetic against published and hand-computed values."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Literal

import numpy as np
import pytest

from annotation.agreement import krippendorff_alpha
from annotation.reliability import (
    RatingsUnusable,
    pair_agreement,
    paired_units,
    undefined_reason,
    warnings_of,
)

Table = list[list[int | None]]
_ = None
TEXTBOOK: Table = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


def slow_alpha(ratings: Table, level: Literal["nominal", "ordinal", "interval"]) -> float:
    """Alpha from its definition, in exact fractions, pair by pair."""
    units = [[row[unit] for row in ratings if row[unit] is not None] for unit in range(len(ratings[0]))]
    paired = [[value for value in unit if value is not None] for unit in units if len(unit) >= 2]
    total = Counter(value for unit in paired for value in unit)
    size = sum(total.values())

    def distance(one: int, other: int) -> Fraction:
        if level == "nominal":
            return Fraction(one != other)
        if level == "interval":
            return Fraction((one - other) ** 2)
        low, high = sorted((one, other))
        between = sum(count for value, count in total.items() if low <= value <= high)
        return (between - Fraction(total[low] + total[high], 2)) ** 2

    observed = sum(
        (sum((distance(a, b) for a, b in permutations(unit, 2)), Fraction(0)) / (len(unit) - 1) for unit in paired),
        Fraction(0),
    )
    expected = sum(
        (count * other_count * distance(a, b) for a, count in total.items() for b, other_count in total.items()),
        Fraction(0),
    )
    return float(1 - observed / size / (expected / (size * (size - 1))))


def transposed(*units: tuple[int | None, ...]) -> Table:
    return [list(row) for row in zip(*units, strict=True)]


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.7434), ("ordinal", 0.8154), ("interval", 0.8491), ("ratio", 0.7974)]
)
def test_gives_the_textbook_values(level: Literal["nominal", "ordinal", "interval", "ratio"], value: float) -> None:
    alpha = krippendorff_alpha(TEXTBOOK, level)

    assert alpha is not None
    assert round(alpha, 4) == value


def test_is_ordinal_unless_told_otherwise() -> None:
    assert krippendorff_alpha(TEXTBOOK) == krippendorff_alpha(TEXTBOOK, "ordinal")


def test_is_undefined_without_variation() -> None:
    ratings = transposed(*[(5, 5, 5)] * 4)

    assert krippendorff_alpha(ratings) is None
    assert undefined_reason(ratings) == "Not defined: no variation, all scores of the 4 paired item(s) are 5."
    assert pair_agreement(ratings).share == 1.0


def test_stays_undefined_when_only_an_unpaired_score_differs() -> None:
    ratings = transposed((5, 5), (5, 5), (1, None))

    assert krippendorff_alpha(ratings) is None
    assert undefined_reason(ratings) == "Not defined: no variation, all scores of the 2 paired item(s) are 5."


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_warns_of_a_single_dissent(level: Literal["nominal", "ordinal", "interval"]) -> None:
    ratings = transposed(*[(5, 5, 5)] * 7, (5, 5, 4))

    alpha = krippendorff_alpha(ratings, level)

    assert alpha == pytest.approx(0.0, abs=1e-12)
    assert (pair_agreement(ratings).agreeing, pair_agreement(ratings).pairs) == (22, 24)
    assert [warning.split(":")[0] for warning in warnings_of(ratings)] == ["Only 8 paired items", "Low variation"]


def test_counts_a_changed_mind_once() -> None:
    once = transposed((5, 5), (4, 4), (3, 3), (2, 4), (1, 3))

    alpha = krippendorff_alpha(once)

    assert alpha == pytest.approx(0.6077, abs=5e-5)


def test_explains_that_no_item_is_shared() -> None:
    ratings: Table = [[1, 2, 3, 4, 5, *[None] * 5], [*[None] * 5, 1, 2, 3, 4, 5]]

    assert krippendorff_alpha(ratings) is None
    assert undefined_reason(ratings) == "Not defined: 0 paired items, no item has scores of two annotators."
    assert paired_units(ratings) == 0


def test_explains_that_one_shared_item_tells_nothing() -> None:
    ratings: Table = [[1, 2, 3, 4, 5, *[None] * 4], [*[None] * 4, 5, 1, 2, 3, 4]]

    assert krippendorff_alpha(ratings) is None
    assert undefined_reason(ratings) == "Not defined: no variation, all scores of the 1 paired item(s) are 5."


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([], "Not defined: no scores yet; agreement needs at least two."),
        ([[], []], "Not defined: no scores yet; agreement needs at least two."),
        ([[None, None]], "Not defined: no scores yet; agreement needs at least two."),
        ([[1, 2, 3]], "Not defined: scores of one annotator only; agreement needs at least two."),
        ([[1, 2, 3], [None] * 3], "Not defined: scores of one annotator only; agreement needs at least two."),
    ],
    ids=["nothing", "no units", "nothing given", "one rater", "one rater who rated"],
)
def test_explains_that_raters_are_missing(ratings: Table, reason: str) -> None:
    assert krippendorff_alpha(ratings) is None
    assert undefined_reason(ratings) == reason
    assert warnings_of(ratings) == []
    assert pair_agreement(ratings).share is None


def test_takes_any_numbers_and_arrays() -> None:
    halves = np.array([[0.5, 3.5, np.nan, 5.0], [0.5, 3.0, 1.0, 5.0]])

    alpha = krippendorff_alpha(halves)

    assert alpha == krippendorff_alpha([[0, 2, None, 3], [0, 1, 1, 3]])


@pytest.mark.parametrize("ratings", [[[1, 2], [1]], [["good"], ["bad"]], [1, 2, 3]], ids=["ragged", "words", "flat"])
def test_refuses_what_is_no_table_of_numbers(ratings: Table) -> None:
    with pytest.raises(RatingsUnusable):
        krippendorff_alpha(ratings)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_equals_the_definition_on_200_items(
    rng: random.Random, level: Literal["nominal", "ordinal", "interval"]
) -> None:
    ratings = many_ratings(rng, items=200)

    assert krippendorff_alpha(ratings, level) == pytest.approx(slow_alpha(ratings, level), abs=1e-9)


def test_handles_ten_thousand_items(rng: random.Random) -> None:
    ratings = many_ratings(rng, items=200)
    repeated = [row * 50 for row in ratings]

    alpha = krippendorff_alpha(repeated)

    # Alpha of a table repeated k times: 1 - (1 - alpha) * (kn - 1) / (k (n - 1)), n being the paired scores.
    once = krippendorff_alpha(ratings)
    assert once is not None
    columns = zip(*ratings, strict=True)
    given = [sum(value is not None for value in column) for column in columns]
    size = sum(count for count in given if count >= 2)
    assert len(repeated[0]) == 10_000
    assert alpha == pytest.approx(1 - (1 - once) * (50 * size - 1) / (50 * (size - 1)), abs=1e-9)


def many_ratings(rng: random.Random, *, items: int) -> Table:
    """Five raters near a true score, a tenth of the ratings missing."""
    true = [rng.randrange(6) for _ in range(items)]
    return [
        [None if rng.random() < 0.1 else min(5, max(0, score + rng.choice([-1, 0, 0, 0, 1]))) for score in true]
        for _ in range(5)
    ]
