def _type(*cells: str) -> str:
    ((_, found, _, _),) = profile_columns([["c"], *([cell] for cell in cells)])
    return found


def _is_refused(rows: list[list[str]]) -> bool:
    try:
        profile_columns(rows)
    except ValueError:
        return True
    return False


def test_profiles_a_table() -> None:
    rows = [["id", ""], ["1", "x"], ["2", "n/a"], ["3"]]

    assert profile_columns(rows) == [("id", "integer", 0, 3), ("column 2", "text", 2, 1)]


def test_recognises_integers() -> None:
    assert _type("0", "-7", "+12", "100") == "integer"
    assert _type("-0") == "integer"
    assert _type("007") == "text"
    assert _type("1 000") == "text"
    assert _type("٣") == "text"
    assert _type("--1") == "text"


def test_recognises_decimals() -> None:
    assert _type("1", "2.50", "-0.1") == "decimal"
    assert _type("+10.0") == "decimal"
    assert _type("1.") == "text"
    assert _type(".5") == "text"
    assert _type("00.5") == "text"
    assert _type("1,5") == "text"


def test_recognises_real_days() -> None:
    assert _type("2024-02-29", "1999-12-31") == "date"
    assert _type("2023-02-29") == "text"
    assert _type("2024-13-01") == "text"
    assert _type("20240101") == "integer"
    assert _type("2024-1-1") == "text"
    assert _type("2024-W01-1") == "text"
    assert _type("2024-01-01T00:00") == "text"


def test_recognises_booleans_in_any_case() -> None:
    assert _type("yes", "No", "TRUE", "false") == "boolean"
    assert _type("y") == "text"
    assert _type("1", "true") == "text"


def test_mixed_types_are_text() -> None:
    assert _type("1", "2024-01-01") == "text"
    assert _type("1", "2.5", "x") == "text"


def test_missing_cells_do_not_influence_the_type() -> None:
    rows = [["c"], ["5"], [""], ["-"], ["NA"], ["N/a"], ["Null"], ["  "], [" 5 "], []]

    assert profile_columns(rows) == [("c", "integer", 7, 1)]


def test_similar_words_are_not_missing() -> None:
    assert profile_columns([["c"], ["none"], ["--"], ["n.a."]]) == [("c", "text", 0, 3)]


def test_column_without_cells_is_empty() -> None:
    assert profile_columns([["a", "b"], ["-"], ["", "null"]]) == [
        ("a", "empty", 2, 0),
        ("b", "empty", 2, 0),
    ]
    assert profile_columns([["a"]]) == [("a", "empty", 0, 0)]


def test_distinct_counts_texts() -> None:
    assert profile_columns([["c"], ["1"], ["1.0"], [" 1"], ["A"], ["a"], ["ä"]]) == [("c", "text", 0, 5)]


def test_short_rows_miss_their_last_cells() -> None:
    assert profile_columns([["a", "b", "c"], ["1", "2"], ["3"], []]) == [
        ("a", "integer", 1, 2),
        ("b", "integer", 2, 1),
        ("c", "empty", 3, 0),
    ]


def test_names_columns() -> None:
    rows = [[" a ", "", "Größe", "  "]]

    assert [name for name, _, _, _ in profile_columns(rows)] == [
        "a",
        "column 2",
        "Größe",
        "column 4",
    ]
    assert profile_columns([[]]) == []


def test_refuses_repeated_names() -> None:
    assert _is_refused([["a", " a"]])
    assert _is_refused([["column 2", ""]])
    assert not _is_refused([["a", "A"]])


def test_refuses_long_rows_and_missing_headers() -> None:
    assert _is_refused([["a"], ["1"], ["1", ""]])
    assert _is_refused([])
    assert not _is_refused([["a"], ["1"]])


def test_leaves_its_input_alone() -> None:
    rows = [[" a "], [" 1 "], []]

    profile_columns(rows)

    assert rows == [[" a "], [" 1 "], []]
