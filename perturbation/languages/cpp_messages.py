"""Reads g++'s messages: the first error in words that name no path, and the headers that are not there. Pure."""

from __future__ import annotations

import re

PROGRAM, TESTS = "program.cpp", "tests.cpp"
_ERROR = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<words>.*)$", re.MULTILINE)
_MISSING = re.compile(r"fatal error: (\S+): No such file or directory")
_PLACE = re.compile(r"^(?P<file>[^\s:/][^:\n]*):(?P<line>\d+):\d+:   required from", re.MULTILINE)
_LINKER = re.compile(r"(undefined reference to [`'][^\n]*'|multiple definition of [`'][^\n']*')")
_LENGTH = 400


def first_error(messages: str) -> str:
    """The first error with its line; what the linker misses where the compiler has no complaint."""
    found = _ERROR.search(messages)
    if found is None:
        linker = _LINKER.search(messages)
        return linker[1][:_LENGTH] if linker else _last_line(messages)
    place = found if not found["file"].startswith("/") else _PLACE.search(messages)
    words = found["words"][:_LENGTH]
    return f"{words} ({_placed(place['file'], place['line'])})" if place else words


def missing_headers(messages: str) -> tuple[str, ...]:
    """Headers that were asked for and are not on this machine, such as boost/any.hpp."""
    return tuple(dict.fromkeys(_MISSING.findall(messages)))


def _placed(file: str, line: str) -> str:
    known = {PROGRAM: "the program", TESTS: "the tests"}
    return f"line {line} of {known.get(file, file)}"


def _last_line(messages: str) -> str:
    """A compiler that says no error was ended, or could not start."""
    lines = [line for line in messages.splitlines() if line.strip()]
    return re.sub(r"(?<![\w.])/[\w./+-]*/", "", lines[-1])[:_LENGTH] if lines else "the compiler gave no message"
