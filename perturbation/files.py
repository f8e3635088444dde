"""Programs and tests of several files as one text, and back. Pure.

Each file follows a line comment that names its path, `// ==== src/Board.java ====` or `# ==== board.py ====`. A text
without such a first line is a single file without a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

HEADING = re.compile(r"^(?://|#) ==== (?P<path>[^\s=][^\n]*?) ====$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file; `path` is relative, with slashes, and empty for the single file of a plain text."""

    path: str
    text: str


def join(files: Iterable[SourceFile], *, comment: str) -> str:
    """Return the files as one text; `comment` is the language's line comment, `//` or `#`.

    A file that does not end in a line break is given one. split(join(files)) gives the files back.
    """
    return "".join(f"{comment} ==== {file.path} ====\n{_ended(file.text)}" for file in files)


def split(text: str) -> tuple[SourceFile, ...]:
    """Return the files of a text in their order; at least one."""
    headings = list(HEADING.finditer(text))
    if not headings or headings[0].start() != 0:
        return (SourceFile("", text),)
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    return tuple(
        SourceFile(heading["path"], text[heading.end() + 1 : end]) for heading, end in zip(headings, ends, strict=True)
    )


def file_and_folder(paths: Iterable[str]) -> str | None:
    """Return the first path, in order of paths, that is a file and also the folder of another; None where none is."""
    named = {PurePosixPath(path) for path in paths}
    folders = {folder for path in named for folder in path.parents}
    return min((str(path) for path in named & folders), default=None)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
