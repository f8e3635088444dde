"""Characters that a reader cannot see or cannot tell apart: found, named and placed; markup shows them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple


class HazardKind(StrEnum):
    BIDI = "direction"
    INVISIBLE = "invisible"
    SPACE = "space"
    CONTROL = "control"
    BROKEN = "broken"
    LOOK_ALIKE = "look-alike"


class Hazard(NamedTuple):
    """One suspicious character; `column` counts code points from 0."""

    column: int
    code_point: str
    name: str
    kind: HazardKind


_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and marks without a glyph that the general categories do not reveal.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_VARIATION = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d]")
_WORD = re.compile(r"[^\W\d_]\w*")
_TEXT_CLASSES = frozenset({"c", "s", "sd"})
# Scripts whose letters are drawn like Latin ones often enough to fool a reader.
_LATIN_LIKE = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
_CONTROL_NAMES = {
    0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0B: "LINE TABULATION", 0x0C: "FORM FEED",
    0x1A: "SUBSTITUTE", 0x1B: "ESCAPE", 0x7F: "DELETE", 0x85: "NEXT LINE",
}  # fmt: skip


def find(line: str, *, colours: Sequence[tuple[int, int, str]] = ()) -> tuple[Hazard, ...]:
    """Hazards of one line by column; `colours` are its (start, end, class) spans, which tell names from prose."""
    if line.isascii() and line.replace("\t", "").isprintable():
        return ()
    found = {column: kind for column, char in enumerate(line) if (kind := _kind(char))}
    for column in _look_alikes(line, colours):
        found.setdefault(column, HazardKind.LOOK_ALIKE)
    return tuple(_describe(line[column], column, found[column]) for column in sorted(found))


def _describe(char: str, column: int, kind: HazardKind) -> Hazard:
    return Hazard(column, f"U+{ord(char):04X}", _name(char), kind)


def _name(char: str) -> str:
    if unicodedata.category(char) == "Cs":
        return "LONE SURROGATE"
    return unicodedata.name(char, "") or _CONTROL_NAMES.get(ord(char), "UNNAMED CHARACTER")


def _kind(char: str) -> HazardKind | None:
    if char == "\t" or " " <= char <= "~":
        return None
    if char in _BIDI:
        return HazardKind.BIDI
    if char in _BLANK_LETTERS or _VARIATION.match(char):
        return HazardKind.INVISIBLE
    return _BY_CATEGORY.get(unicodedata.category(char))


_BY_CATEGORY = {
    "Cc": HazardKind.CONTROL,
    "Cf": HazardKind.INVISIBLE,
    "Cs": HazardKind.BROKEN,
    "Cn": HazardKind.BROKEN,
    "Co": HazardKind.BROKEN,
    "Zs": HazardKind.SPACE,
    "Zl": HazardKind.SPACE,
    "Zp": HazardKind.SPACE,
}


def _look_alikes(line: str, colours: Sequence[tuple[int, int, str]]) -> Iterator[int]:
    """Letters that make a word of mixed scripts, or, in a name, stand for another letter."""
    prose = [(start, end) for start, end, css in colours if css in _TEXT_CLASSES]
    for word in _WORD.finditer(line):
        if word.group().isascii():
            continue
        is_name = not any(start <= word.start() < end for start, end in prose)
        scripts = {_script(char) for char in word.group() if char.isalpha()}
        is_mixed = "LATIN" in scripts and bool(scripts & _LATIN_LIKE)
        for column, char in enumerate(word.group(), word.start()):
            if _may_deceive(char, is_name=is_name, is_mixed=is_mixed):
                yield column


def _may_deceive(char: str, *, is_name: bool, is_mixed: bool) -> bool:
    """In a name Python reads compatibility forms (ligatures, full-width letters) as the plain ones."""
    if char.isascii() or not char.isalnum():
        return False
    if is_name and unicodedata.normalize("NFKC", char) != char:
        return True
    return (is_name or is_mixed) and _script(char) in _LATIN_LIKE


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]
