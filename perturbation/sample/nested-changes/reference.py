"""List the changes between two nested values."""

from collections.abc import Iterator
from itertools import zip_longest

ROOT = "$"
ADDED = "added"
REMOVED = "removed"
CHANGED = "changed"
MISSING = object()

Change = tuple[str, str, object, object]
Pair = tuple[str, object, object]


def key_path(path: str, key: str) -> str:
    """Return the path of a key below another path."""
    if key.isidentifier():
        return f"{path}.{key}"
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'{path}["{escaped}"]'


def is_equal_scalar(old: object, new: object) -> bool:
    """Say whether two values are equal, keeping booleans apart from numbers."""
    if isinstance(old, bool) != isinstance(new, bool):
        return False
    return old == new


def child_pairs(path: str, old: object, new: object) -> list[Pair] | None:
    """Return the pairs to compare inside two dicts or lists, or None."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = sorted(old.keys() | new.keys())
        return [(key_path(path, key), old.get(key, MISSING), new.get(key, MISSING)) for key in keys]
    if isinstance(old, list) and isinstance(new, list):
        pairs = zip_longest(old, new, fillvalue=MISSING)
        return [(f"{path}[{index}]", left, right) for index, (left, right) in enumerate(pairs)]
    return None


def walk(path: str, old: object, new: object) -> Iterator[Change]:
    """Yield the changes of one pair of values and of all pairs inside it."""
    if old is MISSING:
        yield path, ADDED, None, new
        return
    if new is MISSING:
        yield path, REMOVED, old, None
        return
    pairs = child_pairs(path, old, new)
    if pairs is None:
        if not is_equal_scalar(old, new):
            yield path, CHANGED, old, new
        return
    for child_path, old_child, new_child in pairs:
        yield from walk(child_path, old_child, new_child)


def find_changes(old: object, new: object) -> list[Change]:
    """Return (path, kind, old value, new value) of every difference."""
    return list(walk(ROOT, old, new))
