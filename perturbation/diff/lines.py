"""One line model for the whole diff: text to lines and back without loss.

Lines end at LF, CRLF or CR only; form feeds, NEL and U+2028 stay inside their line, as in every compiler.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_ENDING = re.compile(r"(\r\n|\r|\n)")
_STYLES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


@dataclass(frozen=True)
class LineText:
    """Lines without their endings, and each line's ending as it stood (empty where the last line has none)."""

    lines: tuple[str, ...]
    endings: tuple[str, ...]

    @property
    def original(self) -> str:
        """The text as it was given."""
        return "".join(line + ending for line, ending in zip(self.lines, self.endings, strict=True))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """What makes two lines equal: the line and whether a newline ends it; which newline is a fact of the file."""
        return tuple(line + ("\n" if ending else "") for line, ending in zip(self.lines, self.endings, strict=True))

    @property
    def text(self) -> str:
        """The text with every ending as LF."""
        return "".join(self.keys)

    @property
    def has_final_newline(self) -> bool:
        return not self.endings or self.endings[-1] != ""

    @property
    def ending_style(self) -> str:
        """One of LF, CRLF, CR, mixed, none."""
        used = sorted({ending for ending in self.endings if ending})
        if not used:
            return "none"
        return _STYLES[used[0]] if len(used) == 1 else "mixed"


def split(text: str) -> LineText:
    """Split `text`; an empty text has no line, and a final newline opens no further line."""
    pieces = _ENDING.split(text)
    lines, endings = pieces[::2], [*pieces[1::2], ""]
    if lines[-1] == "":
        lines, endings = lines[:-1], endings[:-1]
    return LineText(tuple(lines), tuple(endings))


def have_different_endings(left: LineText, right: LineText) -> bool:
    """Whether the two files use different kinds of line ending; a missing final newline is another matter."""
    styles = {left.ending_style, right.ending_style} - {"none"}
    if styles == {"mixed"}:
        return left.endings != right.endings
    return len(styles) > 1
