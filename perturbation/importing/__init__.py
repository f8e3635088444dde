"""Rows of source formats, and how a bad one is refused. Nothing here touches the database: load.py does.

A format is one module with `read(path)`, which streams `Row | Refusal`; formats.py lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

# Some sources have hundreds of right programs for one requirement: each costs test runs, and five are diverse enough.
MAX_REFERENCES = 5


class SourceUnreadable(Exception):
    """The source as a whole cannot be read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the source a row stands: a line or an entry of a JSON array, counted from 1, or a folder of a tree."""

    line: int | None = None
    folder: str = ""
    entry: int | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"line {self.line}"
        return f"entry {self.entry}" if self.entry is not None else f"folder {self.folder}"


@dataclass(frozen=True, slots=True)
class Row:
    """One requirement as its source gives it, texts assembled, nothing checked against the database.

    `reference` and `tests` may be empty: such a row comes in, marked as not usable yet. `alternatives` are further
    right programs, at most MAX_REFERENCES with the reference. `test_kind` is code, stdin or calls, as
    languages/base.py describes them. `unknown_keys` are keys that the format does not have; their values are in
    `metadata`. `notes` say what the reader changed or left out, as (phrase, how many): an import sums them up.
    """

    external_id: str
    language: str
    text: str
    place: Place
    entry_point: str = ""
    reference: str = ""
    tests: str = ""
    title: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)
    unknown_keys: tuple[str, ...] = ()
    test_kind: str = "code"
    alternatives: tuple[str, ...] = ()
    notes: tuple[tuple[str, int], ...] = ()

    @property
    def references(self) -> tuple[str, ...]:
        """The right programs in the order of their draw numbers; empty where there is none."""
        return (self.reference, *self.alternatives) if self.reference else ()

    @property
    def line(self) -> int | None:
        """The line of the row, counted from 1; None in a tree of folders."""
        return self.place.line


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one row cannot come in: where, which field (empty: the row as a whole), what is wrong and what to do."""

    place: Place
    field: str
    message: str

    @property
    def line(self) -> int | None:
        """The line of the refused row, counted from 1; None in a tree of folders."""
        return self.place.line

    def __str__(self) -> str:
        return f"{self.place}, {self.field}: {self.message}" if self.field else f"{self.place}: {self.message}"


class FieldRefused(Exception):
    """One field of a row is wrong. A reader turns it into a Refusal at the row's place."""

    def __init__(self, field_name: str, message: str) -> None:
        super().__init__(message)
        self.field = field_name
        self.message = message


class Reader(Protocol):
    """Streams the rows of one source; raises SourceUnreadable when there is nothing to stream."""

    def __call__(self, path: Path) -> Iterator[Row | Refusal]: ...


class ReaderWithReferences(Protocol):
    """A reader of rows that have no reference programs: these come from a file of their own."""

    def __call__(self, path: Path, *, references: Path | None = None) -> Iterator[Row | Refusal]: ...
