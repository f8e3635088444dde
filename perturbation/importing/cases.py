"""Writes tests of the kinds `stdin` and `calls` as the JSON that languages/base.py describes. Knows no format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Some problems come with files of a hundred megabytes. Every case costs a run, and the largest add the least.
MAX_CHARACTERS = 8_000_000
LEFT_OUT = f"test cases left out, because those of one row may have {MAX_CHARACTERS // 1_000_000} million characters"


@dataclass(frozen=True, slots=True)
class WrittenTests:
    """The tests of a row and their kind; `text` is empty where no case is left."""

    text: str
    kind: str
    notes: tuple[tuple[str, int], ...] = ()


def stdin_tests(cases: Iterable[tuple[str, str]]) -> WrittenTests:
    """Write (input, output) pairs, each of them once."""
    return _written([{"input": given, "output": wanted} for given, wanted in cases], "stdin")


def call_tests(cases: Iterable[tuple[list[object], object]], *, is_wrapped: bool = False) -> WrittenTests:
    """Write (arguments, output) pairs, each of them once.

    `is_wrapped`: an output that is a list of one element may stand for that element.
    """
    rest = {"wrapped": True} if is_wrapped else {}
    return _written([{"arguments": arguments, "output": wanted} for arguments, wanted in cases], "calls", rest)


def _written(cases: list[dict[str, object]], kind: str, rest: Mapping[str, object] | None = None) -> WrittenTests:
    once = dict.fromkeys(json.dumps(case, ensure_ascii=False) for case in cases)
    kept, size = [], 0
    for case in once:
        if size + len(case) <= MAX_CHARACTERS:
            kept.append(case)
            size += len(case)
    notes = ((LEFT_OUT, len(once) - len(kept)),) if len(kept) < len(once) else ()
    if not kept:
        return WrittenTests("", kind, notes)
    members = "".join(f", {json.dumps(name)}: {json.dumps(value)}" for name, value in (rest or {}).items())
    return WrittenTests('{"cases": [\n' + ",\n".join(kept) + f"\n]{members}}}\n", kind, notes)
