"""Files that appear whole or not at all, under names that are safe and differ."""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from annotation.exporting.records import Line

LONGEST_STEM = 80


class DirectoryUnusable(Exception):
    """The directory cannot be made or written to."""


@dataclass(frozen=True)
class Written:
    """One finished file."""

    path: Path
    rows: int
    sha256: str


@dataclass
class _Open:
    part: Path
    final: Path
    stream: IO[bytes]
    rows: int = 0
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)


class FileSet:
    """The files of one release: written beside their place, moved there together by `publish`.

    Used with `with`: what was not published is removed. A character that UTF-8 cannot carry (half of an emoji) is
    written as its escape, and `escaped` names the row.
    """

    def __init__(self, directory: Path, *, suffix: str) -> None:
        self.directory = directory
        self.suffix = suffix
        self.escaped: list[str] = []
        self._open: dict[str, _Open] = {}

    def __enter__(self) -> Self:
        check_directory(self.directory)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._open.values():
            file.stream.close()
            file.part.unlink(missing_ok=True)

    def start(self, group: str) -> None:
        """Make sure that there is a file for `group`, even if no line follows."""
        if group not in self._open:
            taken = {file.final.name.casefold() for file in self._open.values()}
            name = safe_name(group, suffix=self.suffix, taken=taken)
            part = self.directory / f".{uuid.uuid4().hex}.part"
            self._open[group] = _Open(part, self.directory / name, part.open("xb"))

    def write(self, line: Line) -> None:
        """Add a line to the file of its group."""
        self.start(line.group)
        file = self._open[line.group]
        try:
            encoded = line.text.encode()
        except UnicodeEncodeError:
            encoded = line.text.encode(errors="backslashreplace")
            self.escaped.append(line.key)
        file.stream.write(encoded)
        file.digest.update(encoded)
        file.rows += bool(line.key)

    def publish(self) -> list[Written]:
        """Move all files to their places, in the order of their names."""
        for file in self._open.values():
            file.stream.flush()
            os.fsync(file.stream.fileno())
        for file in self._open.values():
            file.part.replace(file.final)
        written = [Written(file.final, file.rows, file.digest.hexdigest()) for file in self._open.values()]
        return sorted(written, key=lambda file: file.path.name)


def check_directory(directory: Path) -> None:
    """Make the directory if needed; raise DirectoryUnusable when nothing can be written there."""
    probe = directory / f".{uuid.uuid4().hex}.part"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        problem = error.strerror or error
        raise DirectoryUnusable(f"Nothing can be written to {directory}: {problem}. Name another directory.") from error


def safe_name(name: str, *, suffix: str, taken: set[str]) -> str:
    """Return a file name for `name`: letters, digits, dashes; a digest follows where that alone is not the name.

    `taken` holds the names in use, in lower case, since some file systems do not tell cases apart.
    """
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:LONGEST_STEM]
    if stem != name or f"{stem}{suffix}".casefold() in taken:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        stem = f"{stem}-{digest}".strip("-")
    return f"{stem}{suffix}"
