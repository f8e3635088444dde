"""Exact edits of a text by character positions. Everything outside an edit stays byte for byte."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


class OverlappingEdits(ValueError):
    """Two edits of one site replace the same characters: a fault of the rule that made them."""


@dataclass(frozen=True)
class Edit:
    """Replace the characters start..end (end exclusive) by text; start == end inserts."""

    start: int
    end: int
    text: str


Site = tuple[Edit, ...]
"""The edits that carry out a rule at one place."""


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits carried out; insertions at one place keep their order. Raises OverlappingEdits."""
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position or edit.end < edit.start:
            raise OverlappingEdits(f"the edit at {edit.start}-{edit.end} overlaps the one that ends at {position}")
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])


def choose(rng: random.Random, sites: Sequence[T]) -> T | None:
    """Draw one of the sites, which stand in source order; None where there is none."""
    return rng.choice(sites) if sites else None
