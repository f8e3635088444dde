def _cell(value: object, max_width: int = 20) -> str:
    # A text below makes the column flush left, so that no blanks stand before the cell.
    return render_table(["x"], [[value], ["text"]], max_width).splitlines()[2]


def _is_refused(header: list[str], rows: list[list[object]], max_width: int = 20) -> bool:
    try:
        render_table(header, rows, max_width)
    except ValueError:
        return True
    return False


def test_sets_a_table() -> None:
    assert render_table(["item", "n"], [["nut", 12], ["bolt", None]]) == ("item   n\n----  --\nnut   12\nbolt")


def test_numbers_are_flush_right() -> None:
    assert render_table(["count"], [[5], [-120], [None]]) == "count\n-----\n    5\n -120\n"


def test_texts_are_flush_left() -> None:
    assert render_table(["a", "b"], [["xxx", 1], ["y", 2]]) == ("a    b\n---  -\nxxx  1\ny    2")


def test_mixed_columns_are_flush_left() -> None:
    assert render_table(["n", "x"], [[5, "a"], ["1234", "b"]]) == ("n     x\n----  -\n5     a\n1234  b")


def test_column_of_gaps_is_flush_left() -> None:
    assert render_table(["name", "x"], [[None, 1]]) == "name  x\n----  -\n      1"


def test_booleans_are_words_and_no_numbers() -> None:
    assert render_table(["ok", "x"], [[True, 1], [False, 2]]) == ("ok   x\n---  -\nyes  1\nno   2")
    assert render_table(["mixed"], [[1], [True]]) == "mixed\n-----\n1\nyes"


def test_floats_have_two_decimals() -> None:
    table = render_table(["v"], [[1.0], [12.346], [-0.5]])

    assert table == "    v\n-----\n 1.00\n12.35\n-0.50"
    assert _cell(2.0) == "2.00"
    assert _cell(1.239) == "1.24"


def test_white_space_inside_cells_is_folded() -> None:
    assert _cell("  two\n  lines\t") == "two lines"
    assert render_table([" a  b "], [["c\nd"]]) == "a b\n---\nc d"


def test_long_cells_are_cut() -> None:
    assert _cell("abcdef", 6) == "abcdef"
    assert _cell("abcdefg", 6) == "abcde…"
    assert _cell("abcd fgh", 6) == "abcd…"
    assert _cell(1234567, 6) == "12345…"
    assert _cell("abcdef", 4) == "abc…"


def test_default_width_is_twenty() -> None:
    assert render_table(["t"], [["x" * 20]]).splitlines()[2] == "x" * 20
    assert render_table(["t"], [["x" * 21]]).splitlines()[2] == "x" * 19 + "…"


def test_headers_are_cut_too() -> None:
    assert render_table(["heading", "x"], [["a", 1]], 5) == ("head…  x\n-----  -\na      1")


def test_table_without_rows() -> None:
    assert render_table(["a", "bc"], []) == "a  bc\n-  --"


def test_letters_outside_ascii_count_once() -> None:
    assert render_table(["ü", "x"], [["größe", 1]]) == "ü      x\n-----  -\ngröße  1"


def test_zero_is_shown() -> None:
    assert render_table(["a", "b"], [[0, ""]]) == "a  b\n-  -\n0"


def test_refuses_tables_that_do_not_fit() -> None:
    assert _is_refused([], [])
    assert _is_refused(["a"], [[1], []])
    assert _is_refused(["a"], [[1, 2]])
    assert _is_refused(["a"], [], 3)
    assert not _is_refused(["a"], [[1]], 4)


def test_leaves_its_input_alone() -> None:
    rows = [[1.0, "a  b"]]

    render_table(["x", "y"], rows)

    assert rows == [[1.0, "a  b"]]
