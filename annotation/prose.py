"""Requirement texts as HTML: hard-wrapped lines joined, code and examples kept as they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import groupby

# A line at least this long was wrapped by its author's editor, not ended on purpose.
WRAPPED_FROM = 60
_OWN_LINE = re.compile(r"\s|[-*>#|]|\d+[.)]|>>>")
_BULLET = re.compile(r"[-*] +")
_FENCE = re.compile(r"^```")
_INLINE_CODE = re.compile(r"`([^`\n]+)`")


@lru_cache(maxsize=512)  # many items share a requirement
def to_html(text: str) -> str:
    """Return paragraphs and preformatted blocks, everything escaped; single backquotes become code."""
    return "".join(_block(lines, is_code=is_code) for lines, is_code in _blocks(text))


def _blocks(text: str) -> Iterator[tuple[list[str], bool]]:
    """Split at blank lines and fences; a block whose every line is indented is code."""
    lines: list[str] = []
    in_fence = False
    for line in text.splitlines():
        is_fence = bool(_FENCE.match(line))
        if is_fence or (not line.strip() and not in_fence):
            if lines:
                yield lines, in_fence or _is_code(lines)
            lines = []
            in_fence ^= is_fence
        else:
            lines.append(line)
    if lines:
        yield lines, in_fence or _is_code(lines)


def _is_code(lines: list[str]) -> bool:
    return all(line.startswith(("    ", "\t", ">>>")) for line in lines)


def _block(lines: list[str], *, is_code: bool) -> str:
    if is_code:
        code = escape("\n".join(lines))
        return f"<pre>{code}</pre>"
    joined: list[str] = []
    is_wrapped = False
    for line in lines:
        if is_wrapped and not _OWN_LINE.match(line):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.rstrip())
        is_wrapped = len(line) >= WRAPPED_FROM
    return "".join(_listed(joined))


def _listed(lines: list[str]) -> Iterator[str]:
    """Yield runs of lines that begin with a bullet as lists, everything else as paragraphs."""
    for is_list, run in groupby(lines, key=lambda line: bool(_BULLET.match(line))):
        if is_list:
            items = "".join(f"<li>{_coded(_BULLET.sub('', line))}</li>" for line in run)
            yield f"<ul>{items}</ul>"
        else:
            text = _coded("\n".join(run))
            yield f"<p>{text}</p>"


def _coded(text: str) -> str:
    return _INLINE_CODE.sub(r"<code>\1</code>", escape(text))
