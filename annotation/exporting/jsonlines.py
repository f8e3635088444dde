"""One JSON object on one line, whatever it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping

# Legal inside JSON strings, but many line readers end a line there.
LINE_ENDS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def as_line(row: Mapping[str, object]) -> str:
    """Return `row` as one line of JSON with its newline; keys keep their order."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False).translate(LINE_ENDS) + "\n"
