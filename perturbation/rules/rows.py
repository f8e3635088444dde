"""How many rows an edit changes: what tells a refactoring from a tweak. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher

from perturbation.tokens import code_rows

STRUCTURAL_ROWS = 3
KEPT_SHARE = 0.5
WORD = re.compile(r"\w")

RowCount = Callable[[str, str], int]
"""Text before and after -> rows."""


def changed_rows(before: str, after: str) -> int:
    """Rows that differ between two texts; a replaced row counts once."""
    return _different(before.splitlines(), after.splitlines())


def rewritten_rows(before: str, after: str) -> int:
    """Rows with a word in them that differ in more than their indentation; a replaced row counts once.

    What has to be repaired, other than what only has to be moved in or out.
    """
    kept = ([row.strip() for row in text.splitlines() if WORD.search(row)] for text in (before, after))
    return _different(*kept)


def is_far_enough(before: str, after: str, count: RowCount | None, language: str) -> bool:
    """Whether an edit is none of a row or two, as its rule counts; where it does not count, any edit will do.

    What has to be repaired must also be there still: an edit that takes most of a program leaves one to write anew.
    """
    if count is None:
        return True
    is_left = count is not rewritten_rows or KEPT_SHARE * len(code_rows(before, language)) <= len(
        code_rows(after, language)
    )
    return is_left and count(before, after) >= STRUCTURAL_ROWS


def _different(before: list[str], after: list[str]) -> int:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return sum(max(end - start, new_end - new_start) for _, start, end, new_start, new_end in changes)
