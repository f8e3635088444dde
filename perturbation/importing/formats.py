"""The source formats by name: one line each. A new format is one module and one line here."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from perturbation.importing import (
    Reader,
    ReaderWithReferences,
    Refusal,
    Row,
    SourceUnreadable,
    aider_polyglot,
    apps,
    axiom,
    bigcodebench,
    humaneval,
    humaneval_x,
    livecodebench,
    mbpp,
)

READERS: dict[str, Reader] = {
    "axiom": axiom.read,
    "humaneval": humaneval.read,
    "humaneval-x": humaneval_x.read,
    "mbpp": mbpp.read,
    "bigcodebench": bigcodebench.read,
    "livecodebench": livecodebench.read,
    "apps": apps.read,
    "aider-polyglot": aider_polyglot.read,
}
ROWS_TRIED = 10
# Formats whose rows have no reference programs: these may come in a file of their own.
WITH_REFERENCES: dict[str, ReaderWithReferences] = {"livecodebench": livecodebench.read}


def reader(name: str) -> Reader:
    """Return the reader of a format; SourceUnreadable names the available ones otherwise."""
    try:
        return READERS[name]
    except KeyError:
        available = ", ".join(READERS)
        raise SourceUnreadable(f"format {name} is not available; available: {available}.") from None


def formats_that_fit(path: Path) -> tuple[str, ...]:
    """Return the formats that read the first rows of a source without a refusal, some with reference and tests."""
    return tuple(name for name in READERS if _fits(name, path))


def _fits(name: str, path: Path) -> bool:
    try:
        first = list(itertools.islice(READERS[name](path), ROWS_TRIED))
    except SourceUnreadable:
        return False
    read = [row for row in first if isinstance(row, Row)]
    return len(read) == len(first) and any(row.reference and row.tests for row in read)


def rows(name: str, path: Path, *, references: Path | None = None) -> Iterator[Row | Refusal]:
    """Stream the rows of a source; `references` is a file with the right programs, for formats that have none.

    Raises SourceUnreadable, also where the format does not take such a file.
    """
    read = reader(name)
    if references is None:
        return read(path)
    if name not in WITH_REFERENCES:
        takers = ", ".join(WITH_REFERENCES)
        raise SourceUnreadable(
            f"--references is not taken by format {name}, whose rows bring their references along (it is for "
            f"{takers}): leave it out."
        )
    return WITH_REFERENCES[name](path, references=references)
