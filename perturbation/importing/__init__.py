"""Rows of source formats, and how a bad one is refused. Nothing here touches the database: load.py does.

A format is one module with `read(path)`, which streams `Row | Refusal`; formats.py lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class SourceUnreadable(Exception):
    """The source as a whole cannot be read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the source a row stands: a line counted from 1, or a folder of a tree."""

    line: int | None = None
    folder: str = ""

    def __str__(self) -> str:
        return f"line {self.line}" if self.line is not None else f"folder {self.folder}"


@dataclass(frozen=True, slots=True)
class Row:
    """One requirement as its source gives it, texts assembled, nothing checked against the database.

    `reference` and `tests` may be empty: such a row comes in, marked as not usable yet. `unknown_keys` are keys that
    the format does not have; their values are in `metadata`.
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
