from __future__ import annotations

import random
import tracemalloc
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturbation.selection import SelectionResult, select
from perturbation.tokens import normalised_distance as distance
from tests import factories


@dataclass(frozen=True)
class Sample:
    key: str
    tokens: str
    target_score: int = 2


def samples(*texts: str, target: int = 2) -> list[Sample]:
    return [Sample(f"{number:03}", text, target) for number, text in enumerate(texts)]


def plain_levenshtein(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        previous, row[0] = row[0], i
        for j, b in enumerate(second, start=1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def plain_distance(first: str, second: str) -> float:
    longer = max(len(first), len(second))
    return plain_levenshtein(first, second) / longer if longer else 0.0


def plain_picks(programs: Sequence[Sample], cap: int, first: Sample) -> list[tuple[str, float | None]]:
    """Farthest-first as one writes it down: every distance, no bounds."""
    picked: list[tuple[str, float | None]] = [(first.key, None)]
    chosen, left = [first], [one for one in programs if one.key != first.key]
    while left and len(chosen) < cap:
        reach = {one.key: min(plain_distance(one.tokens, pick.tokens) for pick in chosen) for one in left}
        best = min(left, key=lambda one: (-reach[one.key], one.key))
        picked.append((best.key, reach[best.key]))
        chosen.append(best)
        left.remove(best)
    return picked


def picked(result: SelectionResult) -> list[tuple[str, float | None]]:
    return [(pick.program.key, pick.distance) for pick in result.picks]


@settings(max_examples=1000, deadline=None)
@given(
    texts=st.lists(st.text(alphabet="abc", max_size=12), min_size=1, max_size=14),
    cap=st.integers(1, 16),
    seed=st.integers(0, 3),
    order=st.randoms(use_true_random=False),
)
def test_picks_what_the_plain_algorithm_picks_whatever_the_order(
    texts: list[str], cap: int, seed: int, order: random.Random
) -> None:
    programs = samples(*texts)
    shuffled = list(programs)
    order.shuffle(shuffled)

    result = select(programs=shuffled, cap=cap, seed=seed)

    assert picked(result) == plain_picks(programs, cap, result.programs[0])
    assert picked(select(programs=programs, cap=cap, seed=seed)) == picked(result)


@given(first=st.text(alphabet="abcd", max_size=15), second=st.text(alphabet="abcd", max_size=15))
def test_distance_is_levenshtein_over_the_longer_length(first: str, second: str) -> None:
    assert distance(first, second) == plain_distance(first, second)


def random_programs(count: int) -> list[Sample]:
    rng = random.Random(f"programs|{count}")
    return samples(*["".join(rng.choices("abcdefgh", k=rng.randrange(20, 60))) for _ in range(count)])


def test_picks_the_same_whatever_else_runs_in_other_threads() -> None:
    programs = random_programs(120)
    alone = picked(select(programs=programs, cap=30, seed=0))

    with ThreadPoolExecutor(max_workers=4) as pool:
        together = list(pool.map(lambda _: picked(select(programs=programs, cap=30, seed=0)), range(8)))

    assert together == [alone] * 8


def test_tells_its_progress_over_all_cells() -> None:
    told: list[int] = []

    select(programs=[*random_programs(5), *samples("x", "y", "z", target=4)], cap=3, seed=0, on_progress=told.append)

    assert told == [1, 2, 3, 4, 5, 6]


def test_keeps_no_matrix_of_all_pairs() -> None:
    programs = random_programs(2000)

    tracemalloc.start()
    select(programs=programs, cap=5, seed=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 2000 * 2000  # one byte a pair; a matrix of floats takes eight


def test_starts_at_the_medoid() -> None:
    programs = samples("zzzzzz", "aaaabb", "aaaaab", "aaaaaa", "aaaacc")

    assert select(programs=programs, cap=1, seed=0).programs[0].tokens == "aaaaab"


def test_does_not_rely_on_the_triangle_inequality() -> None:
    # ab-ba 1.0, ab-aba and aba-ba 1/3: a bound for metrics would skip the second distance.
    programs = samples("aba", "ab", "ba")

    assert picked(select(programs=programs, cap=3, seed=0)) == [("000", None), ("001", 1 / 3), ("002", 1 / 3)]


def test_picks_nothing_from_nothing() -> None:
    result = select(programs=[], cap=90, seed=0)

    assert result.picks == ()
    assert result.cells == ()
    assert result.min_distance is None
    assert result.random_mean is None


def test_one_program_has_no_distances() -> None:
    result = select(programs=samples("abc"), cap=3, seed=0)

    cell = result.cells[0]
    assert picked(result) == [("000", None)]
    assert (cell.available, cell.picked, cell.shortfall) == (1, 1, 2)
    assert (cell.min_distance, cell.mean_distance, cell.nearest_mean, cell.random_min) == (None, None, None, None)


def test_picks_duplicates_last() -> None:
    result = select(programs=samples("aaaa", "aaaa", "aaab", "bbbb"), cap=4, seed=0)

    assert [pick.distance for pick in result.picks][-1] == 0.0
    assert {pick.program.tokens for pick in result.picks[:3]} == {"aaaa", "aaab", "bbbb"}


def test_takes_identical_and_empty_programs() -> None:
    assert [pick.distance for pick in select(programs=samples("", "", ""), cap=3, seed=0).picks] == [None, 0.0, 0.0]
    assert [pick.distance for pick in select(programs=samples("ab", "ab"), cap=3, seed=0).picks] == [None, 0.0]


def test_fills_every_target_score_up_to_the_cap() -> None:
    programs = samples("aaa", "bbb", "ccc", target=1) + samples("aaa", "abc", target=4)

    result = select(programs=programs, cap=2, seed=0)

    assert [(pick.target_score, pick.rank) for pick in result.picks] == [(1, 0), (1, 1), (4, 0), (4, 1)]
    assert [(cell.target_score, cell.picked, cell.shortfall) for cell in result.cells] == [(1, 2, 0), (4, 2, 0)]


def test_reports_distances_beside_a_random_choice() -> None:
    rng = random.Random("statistics")
    families = ["".join(rng.choices("abcdefgh", k=30)) for _ in range(6)]
    programs = samples(*[family[:-1] + str(number) for family in families for number in range(10)])

    cell = select(programs=programs, cap=6, seed=1).cells[0]

    chosen = select(programs=programs, cap=6, seed=1).programs
    pairs = [distance(a.tokens, b.tokens) for i, a in enumerate(chosen) for b in chosen[:i]]
    assert cell.min_distance == min(pairs)
    assert cell.mean_distance == pytest.approx(sum(pairs) / 15)
    assert cell.random_min is not None
    assert cell.min_distance > 0.5 > cell.random_min


def test_refuses_a_cap_below_one() -> None:
    with pytest.raises(ValueError, match="cap is 0"):
        select(programs=samples("a"), cap=0, seed=0)


@pytest.mark.django_db
def test_takes_saved_programs_by_benchmark_and_lexes_those_without_tokens() -> None:
    one = factories.make_perturbed()
    other = factories.make_perturbed(
        parent=factories.make_program(
            requirement=factories.make_requirement(benchmark=factories.make_benchmark(name="other"))
        )
    )

    result = select(programs=[one, other], cap=1, seed=0)

    assert result.programs == (other, one)
    assert [cell.benchmark for cell in result.cells] == ["other", "sample"]
