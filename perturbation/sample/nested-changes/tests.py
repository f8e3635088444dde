def _path(key: str) -> str:
    ((path, _, _, _),) = find_changes({}, {key: 1})
    return path


def test_reports_additions_and_removals() -> None:
    old = {"a": [1, 2], "b": 3}
    new = {"a": [1], "c d": None}

    assert find_changes(old, new) == [
        ("$.a[1]", "removed", 2, None),
        ("$.b", "removed", 3, None),
        ('$["c d"]', "added", None, None),
    ]


def test_equal_values_have_no_changes() -> None:
    value = {"a": [1, {"b": None}], "c": "x", "d": True, "e": {}, "f": []}

    assert find_changes(value, {"a": [1, {"b": None}], "c": "x", "d": True, "e": {}, "f": []}) == []
    assert find_changes(None, None) == []


def test_scalars_at_the_root() -> None:
    assert find_changes(1, 2) == [("$", "changed", 1, 2)]
    assert find_changes("a", None) == [("$", "changed", "a", None)]
    assert find_changes("a", "A") == [("$", "changed", "a", "A")]


def test_reports_changes_deep_inside() -> None:
    old = {"a": {"b": [{"c": 1}, {"c": 2}]}}
    new = {"a": {"b": [{"c": 1}, {"c": 5}]}}

    assert find_changes(old, new) == [("$.a.b[1].c", "changed", 2, 5)]


def test_keys_are_compared_in_sorted_order() -> None:
    old = {"z": 1, "m": 1, "a": 1}
    new = {"b": 1, "z": 2, "m": 1}

    assert find_changes(old, new) == [
        ("$.a", "removed", 1, None),
        ("$.b", "added", None, 1),
        ("$.z", "changed", 1, 2),
    ]


def test_sorts_many_keys() -> None:
    new = dict.fromkeys(["h", "c", "f", "a", "g", "b", "e", "d"], 1)

    assert [path for path, _, _, _ in find_changes({}, new)] == [
        "$.a",
        "$.b",
        "$.c",
        "$.d",
        "$.e",
        "$.f",
        "$.g",
        "$.h",
    ]


def test_lists_are_compared_by_position() -> None:
    assert find_changes([1, 2, 3], [2, 2]) == [
        ("$[0]", "changed", 1, 2),
        ("$[2]", "removed", 3, None),
    ]
    assert find_changes([], [7, [8]]) == [
        ("$[0]", "added", None, 7),
        ("$[1]", "added", None, [8]),
    ]


def test_added_and_removed_values_are_reported_whole() -> None:
    assert find_changes({}, {"a": {"b": [1]}}) == [("$.a", "added", None, {"b": [1]})]
    assert find_changes({"a": {"b": [1]}}, {}) == [("$.a", "removed", {"b": [1]}, None)]


def test_different_kinds_are_one_change() -> None:
    assert find_changes({"a": {}}, {"a": []}) == [("$.a", "changed", {}, [])]
    assert find_changes([{"a": 1}], [1]) == [("$[0]", "changed", {"a": 1}, 1)]
    assert find_changes([1], "1") == [("$", "changed", [1], "1")]


def test_none_is_a_value_like_any_other() -> None:
    assert find_changes({"a": None}, {}) == [("$.a", "removed", None, None)]
    assert find_changes({"a": None}, {"a": 0}) == [("$.a", "changed", None, 0)]
    assert find_changes([None], [None, None]) == [("$[1]", "added", None, None)]


def test_booleans_are_no_numbers() -> None:
    assert find_changes([True], [1]) == [("$[0]", "changed", True, 1)]
    assert find_changes([0], [False]) == [("$[0]", "changed", 0, False)]
    assert find_changes([True], [False]) == [("$[0]", "changed", True, False)]
    assert find_changes([False, True], [False, True]) == []


def test_equal_numbers_of_different_types_are_equal() -> None:
    assert find_changes(1, 1.0) == []
    assert find_changes([0], [-0.0]) == []
    assert find_changes(1, 1.5) == [("$", "changed", 1, 1.5)]


def test_writes_paths() -> None:
    assert _path("name_1") == "$.name_1"
    assert _path("größe") == "$.größe"
    assert _path("1st") == '$["1st"]'
    assert _path("") == '$[""]'
    assert _path('say "x"\\') == '$["say \\"x\\"\\\\"]'
    assert find_changes({"a": {"b-c": [1]}}, {"a": {"b-c": [2]}}) == [('$.a["b-c"][0]', "changed", 1, 2)]


def test_leaves_its_input_alone() -> None:
    old = {"b": [1], "a": {"x": 1}}
    new = {"a": {}, "b": []}

    find_changes(old, new)

    assert list(old.items()) == [("b", [1]), ("a", {"x": 1})]
    assert new == {"a": {}, "b": []}
