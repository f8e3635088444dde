"""Divide a grid of readings into blocks and find the peak of each block."""

Grid = list[list[int | None]]
Peak = tuple[int, int, int]


def check_grid(grid: Grid, block_rows: int, block_columns: int) -> None:
    """Raise ValueError on ragged rows and on blocks without cells."""
    if block_rows < 1 or block_columns < 1:
        raise ValueError("blocks must have at least one row and one column")
    widths = {len(row) for row in grid}
    if len(widths) > 1:
        raise ValueError(f"rows differ in length: {sorted(widths)}")


def has_enough_readings(readings: list[Peak], cell_count: int) -> bool:
    """Say whether at least half of the cells of a block hold a reading."""
    return 2 * len(readings) >= cell_count


def peak_order(peak: Peak) -> tuple[int, int, int]:
    """Return a key that is largest for high readings, then upper, then left ones."""
    value, row, column = peak
    return value, -row, -column


def find_peak(grid: Grid, rows: range, columns: range) -> Peak | None:
    """Return the largest reading of a block with its place, or None."""
    readings: list[Peak] = []
    for row in rows:
        for column in columns:
            value = grid[row][column]
            if value is not None:
                readings.append((value, row, column))
    if not has_enough_readings(readings, len(rows) * len(columns)):
        return None
    return max(readings, key=peak_order)


def split_range(length: int, size: int) -> list[range]:
    """Cut the indexes below length into ranges of a size; the last may be shorter."""
    return [range(start, min(start + size, length)) for start in range(0, length, size)]


def block_peaks(grid: Grid, block_rows: int, block_columns: int) -> list[list[Peak | None]]:
    """Return the peak of every block as (value, row, column), or None.

    Raises ValueError when the grid is ragged or a block size is below 1.
    """
    check_grid(grid, block_rows, block_columns)
    if not grid or not grid[0]:
        return []
    row_ranges = split_range(len(grid), block_rows)
    column_ranges = split_range(len(grid[0]), block_columns)
    return [[find_peak(grid, rows, columns) for columns in column_ranges] for rows in row_ranges]
