"""Puts each row under exactly one definition and counts the changes there; a text that does not parse is one node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perturbation.diff.lines import LineText
from perturbation.diff.outline import WHOLE_FILE, Scope, innermost, scopes


@dataclass(frozen=True, slots=True)
class OutlineNode:
    """A definition on either side. Line spans from 1, None where that side has none; node 0 is the whole file.

    `status` is one of same, changed, added, removed.
    """

    id: int
    name: str
    kind: str
    left_first: int | None
    left_last: int | None
    right_first: int | None
    right_last: int | None
    edited: int
    added: int
    removed: int
    status: str


def outline(
    left: LineText,
    right: LineText,
    language: str,
    places: Sequence[tuple[int | None, int | None]],
    kinds: Sequence[str],
) -> tuple[tuple[OutlineNode, ...], list[int]]:
    """The nodes, in child order first, and the node id of each row: where its child line stands, if it has one."""
    found = scopes(left.text, language), scopes(right.text, language)
    ours, theirs = ((), ()) if found[0] is None or found[1] is None else (found[0], found[1])
    names = _names(ours, theirs)
    left_owner, right_owner = innermost(ours, len(left.lines)), innermost(theirs, len(right.lines))
    owners: list[int] = []
    for i, j in places:
        scope = right_owner[j] if j is not None else left_owner[i] if i is not None else None
        owners.append(names[scope.name] if scope else 0)
    counts = Counter(zip(owners, kinds, strict=True))
    return tuple(_nodes(names, ours, theirs, (left, right), counts)), owners


def _names(ours: Sequence[Scope], theirs: Sequence[Scope]) -> dict[str, int]:
    """Node ids from 1: names in child order, then those only the parent has."""
    names: dict[str, int] = {}
    for scope in (*theirs, *ours):
        names.setdefault(scope.name, len(names) + 1)
    return names


def _nodes(
    names: dict[str, int],
    ours: Sequence[Scope],
    theirs: Sequence[Scope],
    texts: tuple[LineText, LineText],
    counts: Counter[tuple[int, str]],
) -> Iterator[OutlineNode]:
    left_of, right_of = {s.name: s for s in ours}, {s.name: s for s in theirs}
    whole = [Scope(WHOLE_FILE, "file", 1, len(text.lines)) for text in texts]
    yield _node(0, WHOLE_FILE, whole[0], whole[1], counts)
    for name, number in names.items():
        yield _node(number, name, left_of.get(name), right_of.get(name), counts)


def _node(
    number: int, name: str, left: Scope | None, right: Scope | None, counts: Counter[tuple[int, str]]
) -> OutlineNode:
    edited, added, removed = (counts[number, kind] for kind in ("edited", "added", "removed"))
    changed = "changed" if edited or added or removed else "same"
    return OutlineNode(
        id=number,
        name=name,
        kind=next(side.kind for side in (right, left) if side),
        left_first=left.first if left else None,
        left_last=left.last if left else None,
        right_first=right.first if right else None,
        right_last=right.last if right else None,
        edited=edited,
        added=added,
        removed=removed,
        status="removed" if right is None else "added" if left is None else changed,
    )
