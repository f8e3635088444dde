"""What a mechanical rewrite is given and what it gives back. Pure: no files, no clock."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """A program's text and the names that its tests or its entry point use."""

    text: str
    protected: frozenset[str] = field(default_factory=frozenset)


Rewrite = Callable[[Source, random.Random], str | None]
"""Source and seeded generator -> new text; None where the rule has no site."""
