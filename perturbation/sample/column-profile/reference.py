"""Find out what the columns of a table of texts hold."""

import re
from collections.abc import Callable
from datetime import date

MISSING_WORDS = {"", "-", "na", "n/a", "null"}
BOOLEAN_WORDS = {"yes", "no", "true", "false"}
INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]*)")
DECIMAL = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def is_day(cell: str) -> bool:
    """Say whether a cell is a day of the calendar, as in 2024-02-29."""
    if DAY.fullmatch(cell) is None:
        return False
    try:
        date.fromisoformat(cell)
    except ValueError:
        return False
    return True


# The narrowest type comes first: every integer is also a decimal.
TYPE_CHECKS: list[tuple[str, Callable[[str], bool]]] = [
    ("integer", lambda cell: INTEGER.fullmatch(cell) is not None),
    ("decimal", lambda cell: DECIMAL.fullmatch(cell) is not None),
    ("date", is_day),
    ("boolean", lambda cell: cell.lower() in BOOLEAN_WORDS),
]


def find_type(cells: list[str]) -> str:
    """Return the first type that fits all cells, none of which is missing."""
    if not cells:
        return "empty"
    for name, fits in TYPE_CHECKS:
        if all(fits(cell) for cell in cells):
            return name
    return "text"


def column_names(header: list[str]) -> list[str]:
    """Return a name for every column; raise ValueError if one occurs twice."""
    names = [cell.strip() or f"column {number}" for number, cell in enumerate(header, start=1)]
    if len(set(names)) < len(names):
        raise ValueError(f"a column name occurs twice: {names}")
    return names


def profile_columns(rows: list[list[str]]) -> list[tuple[str, str, int, int]]:
    """Return (name, type, missing, distinct) for each column.

    Raises ValueError without a header, on repeated names and on long rows.
    """
    if not rows:
        raise ValueError("the table has no header")
    names = column_names(rows[0])
    columns: list[list[str]] = [[] for _ in names]
    for number, row in enumerate(rows[1:], start=2):
        if len(row) > len(names):
            raise ValueError(f"row {number} has more cells than the header")
        for column, cell in zip(columns, row, strict=False):
            content = cell.strip()
            if content.lower() not in MISSING_WORDS:
                column.append(content)

    row_count = len(rows) - 1
    return [
        (name, find_type(cells), row_count - len(cells), len(set(cells)))
        for name, cells in zip(names, columns, strict=True)
    ]
