"""Pick the newest version that satisfies a constraint."""

import operator
import re
from collections.abc import Callable

MAX_NUMBERS = 4
RELEASE_RANK = 3
TAG_RANKS = {"a": 0, "b": 1, "rc": 2}
VERSION = re.compile(r"([0-9]+(?:\.[0-9]+){0,3})(?:(a|b|rc)([0-9]+))?")
CLAUSE = re.compile(r"(==|!=|<=|>=|~=|<|>)\s*(\S+)")

Key = tuple[tuple[int, ...], int, int]
COMPARISONS: dict[str, Callable[[Key, Key], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "~=": operator.ge,
}


def version_key(version: str) -> Key:
    """Return a key that sorts versions; raise ValueError on malformed ones."""
    match = VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"not a version: {version!r}")
    numbers = [int(number) for number in match[1].split(".")]
    padding = [0] * (MAX_NUMBERS - len(numbers))
    rank = TAG_RANKS[match[2]] if match[2] else RELEASE_RANK
    return tuple(numbers + padding), rank, int(match[3] or 0)


def parse_constraint(constraint: str) -> list[tuple[str, Key, int]]:
    """Return (operator, version key, how many numbers must be equal) per clause."""
    clauses: list[tuple[str, Key, int]] = []
    for text in constraint.split(",") if constraint.strip() else []:
        match = CLAUSE.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"not a clause: {text!r}")
        sign, version = match[1], match[2]
        fixed_count = version.count(".") if sign == "~=" else 0
        if sign == "~=" and fixed_count == 0:
            raise ValueError(f"{text!r} needs at least two numbers")
        clauses.append((sign, version_key(version), fixed_count))
    return clauses


def newest_match(versions: list[str], constraint: str) -> str | None:
    """Return the highest matching release, else pre-release, else None."""
    clauses = parse_constraint(constraint)
    best: tuple[bool, Key] | None = None
    best_version: str | None = None
    for version in versions:
        key = version_key(version)
        matches = all(
            COMPARISONS[sign](key, bound) and key[0][:fixed] == bound[0][:fixed] for sign, bound, fixed in clauses
        )
        preference = (key[1] == RELEASE_RANK, key)
        if matches and (best is None or preference > best):
            best, best_version = preference, version
    return best_version
