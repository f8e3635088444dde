"""Typed access to the values of a row, with refusals that name the field. Knows no format and no database."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from pathlib import PurePosixPath

from perturbation.files import file_and_folder, split
from perturbation.importing import FieldRefused, Row
from perturbation.languages import registry

MAX_LENGTHS = {
    "external_id": 200,
    "title": 300,
    "entry_point": 200,
    "text": 200_000,
    "reference": 1_000_000,
    "tests": 10_000_000,
}
TITLE_WIDTH = 100
CRLF_NOTE = "rows whose CRLF line ends became LF"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f\u2028\u2029]")


def check_text(value: object, path: str = "") -> None:
    """Raise FieldRefused for a NUL or half of a surrogate pair anywhere in a JSON value, naming where it is."""
    if isinstance(value, str):
        if found := _UNSTORABLE.search(value):
            name = "a NUL character" if found[0] == "\x00" else f"half of a character (\\u{ord(found[0]):04x} alone)"
            raise FieldRefused(path, f"holds {name} at position {found.start() + 1}, which no text has: remove it.")
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_text(key, f"{path}.(key)".lstrip("."))
            check_text(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            check_text(inner, f"{path}[{number}]")


def required_text(values: Mapping[str, object], name: str) -> str:
    """Return a string that must be there and not blank."""
    if name not in values:
        raise FieldRefused(name, "missing: every row needs it.")
    text = optional_text(values, name)
    if not text.strip():
        raise FieldRefused(name, "empty: every row needs it.")
    return text


def optional_text(values: Mapping[str, object], name: str) -> str:
    """Return a string, or "" where the key is missing or null."""
    value = values.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise FieldRefused(name, f"must be a string, not {type_name(value)}.")
    return value


def type_name(value: object) -> str:
    """The JSON name of a value's type."""
    names = {dict: "an object", list: "a list", bool: "true or false", int: "a number", float: "a number", str: "text"}
    return names.get(type(value), "null")


def known_language(language: str) -> str:
    """Return `language` if it is one of the ids; FieldRefused with the list otherwise."""
    ids = [known.id for known in registry.all_languages()]
    if language not in ids:
        raise FieldRefused("language", f"unknown language {language[:40]!r}: use one of {', '.join(ids)}.")
    return language


def ended(text: str) -> str:
    """Return a program text with a newline at its end; a blank one becomes empty: it counts as missing."""
    return with_last_line_ended(text) if text.strip() else ""


def with_last_line_ended(text: str) -> str:
    """Return a text whose last line, if there is one, ends in a newline."""
    return text if not text or text.endswith("\n") else text + "\n"


def plain_lines(text: str) -> str:
    """Return a text with every CRLF as LF; tabs and lone CRs stay as they are."""
    return text.replace("\r\n", "\n")


def crlf_note(*texts: str) -> tuple[tuple[str, int], ...]:
    """Return the note of a row some of whose texts had CRLF line ends."""
    return ((CRLF_NOTE, 1),) if any("\r\n" in text for text in texts) else ()


def external_id_of(values: Mapping[str, object], name: str) -> str:
    """Return an id that the source writes as a whole number or as a string."""
    value = values.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return required_text(values, name)


def text_list(values: Mapping[str, object], name: str) -> list[str]:
    """Return a list of strings, empty where the key is missing or null."""
    value = values.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(element, str) for element in value):
        raise FieldRefused(name, f"must be a list of strings, not {type_name(value)}.")
    return list(value)


def with_starter_code(statement: str, starter: str) -> str:
    """Return a statement with the code that the program is to start from, where there is such code."""
    code = f"\n\nStart from this code:\n\n{starter.strip(chr(10)).rstrip()}" if starter.strip() else ""
    return f"{statement.strip()}{code}\n"


def title_of_sentence(text: str) -> str:
    """Return the first sentence of a statement's first line as a heading, cut at a word."""
    line = text.strip().partition("\n")[0].strip(" #*\t\r")
    sentence = re.split(r"(?<=[.!?])\s", line, maxsplit=1)[0].rstrip(".")
    return textwrap.shorten(" ".join(_CONTROL.sub(" ", sentence).split()), width=TITLE_WIDTH, placeholder="…")


def title_from(entry_point: str) -> str:
    """Return words for a heading: `has_close_elements` and `hasCloseElements` become "Has close elements"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", entry_point).replace("_", " ").split()
    return " ".join(words).lower().capitalize()


def check_row(row: Row) -> None:
    """Raise FieldRefused where a row of any format cannot be stored: sizes, paths, blanks, control characters."""
    for name, limit in MAX_LENGTHS.items():
        length = len(getattr(row, name))
        if length > limit:
            raise FieldRefused(name, f"{length:,} characters, at most {limit:,} are allowed: shorten it.")
    for text in row.alternatives:
        if len(text) > MAX_LENGTHS["reference"]:
            raise FieldRefused("reference", f"{len(text):,} characters in one of several: shorten it or leave it out.")
    _check_files(row)
    if row.test_kind == "calls" and row.tests and not row.entry_point:
        raise FieldRefused("entry_point", "missing: tests that call a function need its name.")
    for name in ("external_id", "title", "entry_point"):
        value: str = getattr(row, name)
        if _CONTROL.search(value):
            raise FieldRefused(name, "holds a line break or control character: write it on one line.")
    if row.external_id != row.external_id.strip():
        raise FieldRefused("external_id", "begins or ends with white space: remove it, ids are compared exactly.")


def _check_files(row: Row) -> None:
    for name, text in (*(("reference", text) for text in row.references), ("tests", row.tests)):
        _check_paths(name, text)
    for text in row.references:
        _check_folders(text, row.tests)


def _check_paths(name: str, text: str) -> None:
    """The files of a program lie in a folder of its own, wherever it runs."""
    for file in split(text):
        path = PurePosixPath(file.path)
        if path.is_absolute() or ".." in path.parts or (file.path and not path.parts):
            raise FieldRefused(name, f"the file {file.path[:80]!r} leads out of the program's folder: name one inside.")


def _check_folders(reference: str, tests: str) -> None:
    """A name is a file or a folder: program and tests lie in one folder when they run."""
    doubled = file_and_folder(file.path for text in (reference, tests) for file in split(text) if file.path)
    if doubled:
        raise FieldRefused("reference", f"{doubled[:80]!r} is a file and also a folder of others: rename one of them.")
