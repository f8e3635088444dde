"""Set tables in plain text."""

ELLIPSIS = "…"
GAP = "  "
RULE = "-"
MIN_CELL_WIDTH = 4
DECIMALS = 2


def is_number(value: object) -> bool:
    """Say whether a value is a number; booleans are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def show(value: object, max_width: int) -> str:
    """Return the text of a cell, cut to the maximum width."""
    if value is None:
        text = ""
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, float):
        text = f"{value:.{DECIMALS}f}"
    else:
        text = " ".join(str(value).split())
    if len(text) > max_width:
        return text[: max_width - 1].rstrip() + ELLIPSIS
    return text


def is_right_aligned(values: list[object]) -> bool:
    """Say whether a column holds nothing but numbers and gaps."""
    present = [value for value in values if value is not None]
    return bool(present) and all(is_number(value) for value in present)


def check_table(header: list[str], rows: list[list[object]], max_width: int) -> None:
    """Raise ValueError on a table that cannot be set."""
    if not header:
        raise ValueError("a table needs at least one column")
    if max_width < MIN_CELL_WIDTH:
        raise ValueError(f"max_width must be at least {MIN_CELL_WIDTH}")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise ValueError(f"row {number} has {len(row)} cells, not {len(header)}")


def render_table(header: list[str], rows: list[list[object]], max_width: int = 20) -> str:
    """Return the table with a ruled header and aligned columns.

    Raises ValueError when the rows do not fit the header or max_width is small.
    """
    check_table(header, rows, max_width)
    columns: list[list[str]] = []
    for index, title in enumerate(header):
        values = [row[index] for row in rows]
        cells = [show(value, max_width) for value in (title, *values)]
        width = max(len(cell) for cell in cells)
        cells.insert(1, RULE * width)
        if is_right_aligned(values):
            columns.append([cell.rjust(width) for cell in cells])
        else:
            columns.append([cell.ljust(width) for cell in cells])
    lines = (GAP.join(cells).rstrip() for cells in zip(*columns, strict=True))
    return "\n".join(lines)
