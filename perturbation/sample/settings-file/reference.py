"""Read settings files with sections that inherit from each other."""

import re
from collections.abc import Iterator

COMMENT = "#"
CONTINUATION = "\\"
SECTION = re.compile(r"\[\s*([\w.-]+)\s*(?::\s*([\w.-]+)\s*)?\]", re.ASCII)
SETTING = re.compile(r"([\w.-]+)\s*(\+?=)\s*(.*)", re.ASCII)

Sections = dict[str, dict[str, str]]


def join_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and content of each line, continued lines joined."""
    parts: list[str] = []
    start = 1
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if not parts:
            start = number
        content = line.strip()
        parts.append(content.removesuffix(CONTINUATION).rstrip())
        if not content.endswith(CONTINUATION):
            yield start, " ".join(parts).strip()
            parts = []


def open_section(sections: Sections, name: str, parent: str | None) -> dict[str, str]:
    """Add a section with what it inherits; raise ValueError if that fails."""
    if name in sections:
        raise ValueError(f"section {name} is opened twice")
    if parent is not None and parent not in sections:
        raise ValueError(f"unknown parent {parent}")
    sections[name] = dict(sections[parent]) if parent else {}
    return sections[name]


def store(section: dict[str, str], own_keys: set[str], setting: re.Match[str]) -> None:
    """Set or extend one value; raise ValueError if the key does not allow it."""
    key, sign, value = setting.groups()
    if sign == "+=":
        if key not in section:
            raise ValueError(f"nothing to extend: {key}")
        section[key] = f"{section[key]} {value}".strip()
        return
    if key in own_keys:
        raise ValueError(f"{key} is set twice")
    own_keys.add(key)
    section[key] = value


def read_settings(text: str) -> Sections:
    """Return the settings of each section; raise ValueError with the line."""
    sections: Sections = {}
    section: dict[str, str] | None = None
    own_keys: set[str] = set()
    for number, line in join_lines(text):
        if not line or line.startswith(COMMENT):
            continue
        try:
            if opening := SECTION.fullmatch(line):
                section = open_section(sections, opening[1], opening[2])
                own_keys = set()
            elif section is not None and (setting := SETTING.fullmatch(line)):
                store(section, own_keys, setting)
            else:
                raise ValueError(f"cannot read {line!r}")
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
    return sections
