def _is_refused(grid: list[list[int | None]], rows: int, columns: int) -> bool:
    try:
        block_peaks(grid, rows, columns)
    except ValueError:
        return True
    return False


def test_finds_peaks_with_their_places() -> None:
    assert block_peaks([[1, 5, 2], [5, 0, None]], 2, 2) == [[(5, 0, 1), (2, 0, 2)]]


def test_divides_a_grid_evenly() -> None:
    grid = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6], [5, 4, 3, 2]]

    assert block_peaks(grid, 2, 2) == [
        [(6, 1, 1), (8, 1, 3)],
        [(9, 2, 0), (7, 2, 2)],
    ]


def test_blocks_at_the_edges_are_smaller() -> None:
    grid = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]

    assert block_peaks(grid, 2, 2) == [
        [(5, 1, 1), (6, 1, 2)],
        [(8, 2, 1), (9, 2, 2)],
    ]


def test_rows_and_columns_have_their_own_size() -> None:
    grid = [[1, 2, 3], [4, 5, 6]]

    assert block_peaks(grid, 1, 3) == [[(3, 0, 2)], [(6, 1, 2)]]
    assert block_peaks(grid, 2, 1) == [[(4, 1, 0), (5, 1, 1), (6, 1, 2)]]


def test_upper_then_left_reading_wins_a_tie() -> None:
    assert block_peaks([[0, 7], [7, 7]], 2, 2) == [[(7, 0, 1)]]
    assert block_peaks([[0, 7, 7]], 1, 3) == [[(7, 0, 1)]]
    assert block_peaks([[0], [7], [7]], 3, 1) == [[(7, 1, 0)]]


def test_negative_readings_have_a_peak() -> None:
    assert block_peaks([[-9, -3], [-4, None]], 2, 2) == [[(-3, 0, 1)]]


def test_zero_is_a_reading() -> None:
    assert block_peaks([[0, None]], 1, 2) == [[(0, 0, 0)]]


def test_half_of_the_cells_is_enough() -> None:
    assert block_peaks([[None, 2], [1, None]], 2, 2) == [[(2, 0, 1)]]
    assert block_peaks([[None, 2], [None, None]], 2, 2) == [[None]]
    assert block_peaks([[None, 2, None]], 1, 3) == [[None]]
    assert block_peaks([[3, 2, None]], 1, 3) == [[(3, 0, 0)]]


def test_small_edge_blocks_count_their_own_cells() -> None:
    assert block_peaks([[1, 1, None], [1, 1, 9]], 2, 2) == [[(1, 0, 0), (9, 1, 2)]]


def test_block_without_readings_has_no_peak() -> None:
    assert block_peaks([[None]], 1, 1) == [[None]]


def test_block_larger_than_the_grid() -> None:
    assert block_peaks([[1, 2], [3, 0]], 50, 50) == [[(3, 1, 0)]]


def test_empty_grids() -> None:
    assert block_peaks([], 2, 2) == []
    assert block_peaks([[], []], 2, 2) == []


def test_leaves_its_input_alone() -> None:
    grid = [[3, 1], [None, 2]]

    block_peaks(grid, 1, 1)

    assert grid == [[3, 1], [None, 2]]


def test_refuses_ragged_grids_and_empty_blocks() -> None:
    assert _is_refused([[1, 2], [3]], 1, 1)
    assert _is_refused([[], [3]], 1, 1)
    assert _is_refused([[1]], 0, 1)
    assert _is_refused([[1]], 1, 0)
    assert _is_refused([], -1, 1)
    assert not _is_refused([[1]], 1, 1)
