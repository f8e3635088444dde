"""Selection against the plain full-matrix version, in the same run: `python -m tests.bench.bench_selection`.

Prints ratios and what the picks are worth against random choice; asserts only that both pick the same programs.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import numpy
import numpy.typing
import pytest
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from perturbation import selection

LENGTH, FAMILY, CAP = 150, 33, 90


@dataclass(frozen=True)
class Sample:
    """A stand-in for a program."""

    key: str
    tokens: str


def near_duplicates(count: int) -> list[Sample]:
    """Programs of about 150 tokens in families of near-duplicates, as perturbation makes them."""
    rng = random.Random(f"bench|{count}")
    alphabet = [chr(0x4E00 + number) for number in range(400)]
    samples: list[Sample] = []
    while len(samples) < count:
        founder = rng.choices(alphabet, k=rng.randrange(LENGTH // 2, LENGTH * 3 // 2))
        for _ in range(min(FAMILY, count - len(samples))):
            tokens = list(founder)
            for _ in range(rng.randrange(1, 25)):
                tokens[rng.randrange(len(tokens))] = rng.choice(alphabet)
            samples.append(Sample(f"{len(samples):06}", "".join(tokens)))
    return samples


def full_matrix(samples: list[Sample], first: int) -> list[int]:
    """Farthest-first over the whole matrix of normalised distances."""
    texts = [sample.tokens for sample in samples]
    matrix: numpy.typing.NDArray[numpy.float64] = cdist(
        texts, texts, scorer=Levenshtein.normalized_distance, dtype=numpy.float64, workers=1
    )
    picked = [first]
    nearest = matrix[first].copy()
    while len(picked) < CAP:
        nearest[picked] = -1
        picked.append(int(nearest.argmax()))
        nearest = numpy.minimum(nearest, matrix[picked[-1]])
    return picked


def main() -> None:
    """Print one line a size."""
    for count in (500, 2000, 10_000):
        samples = near_duplicates(count)
        started = time.perf_counter()
        result = selection.select(programs=samples, cap=CAP, seed=0)
        ours = time.perf_counter() - started
        started = time.perf_counter()
        plain = full_matrix(samples, samples.index(result.programs[0]))
        theirs = time.perf_counter() - started
        assert [samples[index] for index in plain] == list(result.programs)
        print(
            f"{count:6} programs, {CAP} picks: {ours:.2f} s, full matrix {theirs:.2f} s, ratio {theirs / ours:.1f}; "
            f"min distance {result.min_distance:.3f} against {result.random_min:.3f} by chance"
        )


@pytest.mark.bench
def test_prints_the_figures_of_the_selection() -> None:
    main()


if __name__ == "__main__":
    main()
