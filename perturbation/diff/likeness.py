"""Whether two programs are related at all. Foreign programs are shown side by side without a diff."""

from __future__ import annotations

from collections import Counter

from perturbation.diff.intraline import tokenize
from perturbation.diff.lines import split

# Between the real pairs and the foreign pairs of the bench, see tests/bench/bench_diff.py.
UNRELATED_BELOW = 0.25


def likeness(parent: str, child: str) -> float:
    """Share of line content in common, 0 to 1: the Dice coefficient of the two bags of neighbouring token pairs."""
    left, right = _bigrams(parent), _bigrams(child)
    total = sum(left.values()) + sum(right.values())
    return 2 * sum((left & right).values()) / total if total else 1.0


def is_unrelated(parent: str, child: str) -> bool:
    """True for programs that share no more than two programs for different tasks do."""
    return likeness(parent, child) < UNRELATED_BELOW


def _bigrams(text: str) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for line in split(text).lines:
        tokens = ["", *(token for token in tokenize(line) if not token.isspace())]
        found.update(zip(tokens, tokens[1:], strict=False))
    return found
