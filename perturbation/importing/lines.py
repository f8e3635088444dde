"""JSON lines or a JSON array, plain or gzip, as untrusted bytes: with the place of everything that is wrong.

Lines are streamed; an array is read whole, up to a limit.
A byte order mark at the start, CRLF and blank lines are accepted; they do not shift the line numbers.
"""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from perturbation.importing import FieldRefused, Place, Refusal, Row, SourceUnreadable
from perturbation.importing.values import check_text

MAX_LINE_BYTES = 128 << 20  # packed tests of one row can have tens of megabytes
# Arguments of tests may be long integers; more digits than Python reads by default are refused.
MAX_DIGITS = 100
MAX_DIGITS_OF_TESTS = 4300
GZIP_MAGIC = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
JSON_KINDS = {list: "a list", str: "a string", int: "a number", float: "a number", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One JSON object and where it stands."""

    place: Place
    values: dict[str, object]


def read_objects(path: Path) -> Iterator[Entry | Refusal]:
    """Yield one object, or one refusal, for each line that is not blank. Memory holds one line at a time.

    Raises SourceUnreadable when the path is no readable file, is empty, or ends inside its gzip stream.
    """
    seen = False
    for number, line in _numbered_lines(path):
        if not line.strip():
            continue
        seen = True
        yield _entry(number, line)
    if not seen:
        raise SourceUnreadable(f"{path} holds no rows: one JSON object a line is expected.")


def _numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    if not path.exists():
        raise SourceUnreadable(f"{path} does not exist: check the path.")
    if path.is_dir():
        raise SourceUnreadable(f"{path} is a folder: this format is read from one file, give the path of the file.")
    if not path.is_file():
        raise SourceUnreadable(f"{path} is no regular file: give the path of a file.")
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            yield from _lines_of(gzip.GzipFile(fileobj=raw) if packed else raw, path)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise SourceUnreadable(f"{path} is a damaged or cut-off gzip file ({error}): get it again.") from error
    except OSError as error:
        raise SourceUnreadable(f"{path} cannot be read: {error.strerror or error}.") from error


def _lines_of(stream: IO[bytes] | gzip.GzipFile, path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if number == 1:
            if line.startswith(UTF16_MARKS):
                raise SourceUnreadable(f"{path} is UTF-16 text: save it as UTF-8.")
            line = line.removeprefix(UTF8_MARK)
        yield number, line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):  # one line, however long, keeps one number
            line = stream.readline(MAX_LINE_BYTES + 1)


def _entry(number: int, line: bytes) -> Entry | Refusal:
    place = Place(line=number)
    if len(line) > MAX_LINE_BYTES:
        return Refusal(place, "", f"longer than {MAX_LINE_BYTES >> 20} MB: shorten or leave out this row.")
    try:
        return Entry(place, parse_object(line))
    except FieldRefused as refused:
        return Refusal(place, refused.field, refused.message)


def parse_object(data: bytes) -> dict[str, object]:
    """Return the JSON object in `data`; FieldRefused for anything else, and for text that no database can hold."""
    return _checked_object(_parse(_decode(data)))


def _checked_object(values: object) -> dict[str, object]:
    if not isinstance(values, dict):
        kind = JSON_KINDS.get(type(values), "null")
        raise FieldRefused("", f"{kind} where a JSON object is expected: write one {{...}} a row.")
    check_text(values)
    return values


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FieldRefused("", f"not UTF-8 at byte {error.start + 1} of the row: save the file as UTF-8.") from error


def parse_value(text: str, name: str) -> object:
    """Return the JSON value that a row holds as a string in the field `name`; FieldRefused for what is none."""
    try:
        value = _parse(text, max_digits=MAX_DIGITS_OF_TESTS, expected="complete JSON")
    except FieldRefused as refused:
        raise FieldRefused(name, refused.message) from refused
    check_text(value, name)
    return value


def _parse(text: str, *, max_digits: int = MAX_DIGITS, expected: str = "one complete JSON object a line") -> object:
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=partial(_integer, max_digits),
        )
    except json.JSONDecodeError as error:
        raise FieldRefused("", f"broken JSON at column {error.colno} ({error.msg}): {expected} is expected.") from error
    except RecursionError as error:
        raise FieldRefused("", "nested too deeply: a row is an object of strings and a few lists.") from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FieldRefused(twice, "this key stands twice in one object: keep one.")
    return values


def _refuse_constant(name: str) -> object:
    raise FieldRefused("", f"{name} is no JSON value: use a finite number or null.")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise FieldRefused("", f"the number {digits[:40]} is too large.")
    return value


def _integer(max_digits: int, digits: str) -> int:
    if len(digits) > max_digits:
        raise FieldRefused("", f"the number {digits[:20]}... has {len(digits)} digits: write it as a string.")
    return int(digits)


def read_rows(
    path: Path, row: Callable[[dict[str, object], Place], Row], *, may_be_array: bool = False
) -> Iterator[Row | Refusal]:
    """Yield the row that `row` makes of each object of the file; what it refuses becomes a Refusal with its place.

    With `may_be_array`, a file whose first character is `[` is read as one JSON array of objects.
    """
    entries = _array_entries(path) if may_be_array and _opens_array(path) else read_objects(path)
    for entry in entries:
        if isinstance(entry, Refusal):
            yield entry
            continue
        try:
            yield row(entry.values, entry.place)
        except FieldRefused as refused:
            yield Refusal(entry.place, refused.field, refused.message)


def _opens_array(path: Path) -> bool:
    return next((line.lstrip()[:1] == b"[" for _, line in _numbered_lines(path) if line.strip()), False)


def _array_entries(path: Path) -> Iterator[Entry | Refusal]:
    parts: list[bytes] = []
    size = 0
    for _, line in _numbered_lines(path):
        size += len(line)
        if size > MAX_LINE_BYTES:
            raise SourceUnreadable(
                f"{path} is an array of more than {MAX_LINE_BYTES >> 20} MB: write one JSON object a line."
            )
        parts.append(line)
    try:
        elements = _parse(_decode(b"".join(parts)), expected="one complete JSON array")
    except FieldRefused as refused:
        raise SourceUnreadable(f"{path}: {refused.message}") from refused
    if not isinstance(elements, list) or not elements:
        raise SourceUnreadable(f"{path} holds no rows: an array of JSON objects is expected.")
    for number, element in enumerate(elements, start=1):
        place = Place(entry=number)
        try:
            yield Entry(place, _checked_object(element))
        except FieldRefused as refused:
            yield Refusal(place, refused.field, refused.message)
