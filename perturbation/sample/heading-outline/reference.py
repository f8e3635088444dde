"""Build a numbered table of contents with unique anchors."""

import re
from collections.abc import Iterator

FENCE = "```"
FALLBACK_ANCHOR = "section"
FIRST_SUFFIX = 2
HEADING = re.compile(r"(#{1,4})[ \t]+(.*)")
CLOSING_SIGNS = re.compile(r"(^|[ \t]+)#+$")


def find_headings(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the depth and title of every heading outside of code."""
    is_code = False
    for line in lines:
        if line.startswith(FENCE):
            is_code = not is_code
        match = HEADING.fullmatch(line.rstrip())
        if is_code or match is None:
            continue
        title = CLOSING_SIGNS.sub("", match[2]).strip()
        if title:
            yield len(match[1]), title


def make_anchor(title: str, taken: set[str]) -> str:
    """Return an anchor for a title that is not taken yet."""
    spaced = "".join(character if character.isalnum() else " " for character in title.casefold())
    base = "-".join(spaced.split()) or FALLBACK_ANCHOR
    anchor = base
    suffix = FIRST_SUFFIX
    while anchor in taken:
        anchor = f"{base}-{suffix}"
        suffix += 1
    return anchor


def outline(lines: list[str]) -> list[tuple[str, str, str]]:
    """Return (number, title, anchor) for every heading of a text."""
    entries: list[tuple[str, str, str]] = []
    taken: set[str] = set()
    # Depths and counters of the headings that are open, outermost first.
    open_depths: list[int] = []
    counters: list[int] = []
    for depth, title in find_headings(lines):
        while open_depths and open_depths[-1] >= depth:
            open_depths.pop()
        open_depths.append(depth)
        level = len(open_depths)
        del counters[level:]
        if len(counters) < level:
            counters.append(0)
        counters[-1] += 1

        anchor = make_anchor(title, taken)
        taken.add(anchor)
        number = ".".join(str(counter) for counter in counters)
        entries.append((number, title, anchor))
    return entries
