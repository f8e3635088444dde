def test_falls_when_the_last_alternative_is_down() -> None:
    needs = {"web": [["api"]], "api": [["db1", "db2"]], "db1": [], "db2": []}

    assert outage_waves(needs, ["db2", "db1"]) == [["db1", "db2"], ["api"], ["web"]]


def test_stays_up_with_one_alternative_left() -> None:
    needs = {"web": [["api"]], "api": [["db1", "db2"]], "db1": [], "db2": []}

    assert outage_waves(needs, ["db1"]) == [["db1"]]
    assert outage_waves(needs, ["db2"]) == [["db2"]]


def test_every_requirement_counts() -> None:
    needs = {"shop": [["pay"], ["mail"]], "pay": [], "mail": []}

    assert outage_waves(needs, ["pay"]) == [["pay"], ["shop"]]
    assert outage_waves(needs, ["mail"]) == [["mail"], ["shop"]]


def test_no_failure_gives_no_wave() -> None:
    assert outage_waves({"a": [["b"]], "b": []}, []) == []
    assert outage_waves({}, []) == []


def test_names_repeated_in_failed_count_once() -> None:
    needs = {"c": [], "b": [], "a": []}

    assert outage_waves(needs, ["c", "a", "c"]) == [["a", "c"]]


def test_waves_are_sorted_whatever_the_order_of_keys() -> None:
    needs = {"z": [["r"]], "m": [["r"]], "a": [["r"]], "r": []}

    assert outage_waves(needs, ["r"]) == [["r"], ["a", "m", "z"]]


def test_members_of_a_wave_do_not_influence_each_other() -> None:
    needs = {"a": [["r"]], "b": [["a"]], "c": [["b", "r"]], "r": []}

    assert outage_waves(needs, ["r"]) == [["r"], ["a"], ["b"], ["c"]]


def test_failed_service_is_not_listed_again() -> None:
    needs = {"a": [["b"]], "b": []}

    assert outage_waves(needs, ["a", "b"]) == [["a", "b"]]


def test_loops_do_not_hang() -> None:
    needs = {"a": [["b"]], "b": [["a"]], "c": [["b"]]}

    assert outage_waves(needs, ["a"]) == [["a"], ["b"], ["c"]]
    assert outage_waves(needs, ["c"]) == [["c"]]


def test_service_may_be_its_own_alternative() -> None:
    needs = {"cache": [["cache", "disk"]], "disk": []}

    assert outage_waves(needs, ["disk"]) == [["disk"]]


def test_supply_needs_one_alternative_per_requirement() -> None:
    needs = {"x": [["a", "b"], ["c"]], "a": [], "b": [], "c": []}

    assert outage_waves(needs, ["b"]) == [["b"]]
    assert outage_waves(needs, ["b", "c"]) == [["b", "c"], ["x"]]
    assert outage_waves(needs, ["b", "a"]) == [["a", "b"], ["x"]]


def test_leaves_its_input_alone() -> None:
    needs = {"b": [["a"]], "a": []}
    failed = ["a", "a"]

    outage_waves(needs, failed)

    assert needs == {"b": [["a"]], "a": []}
    assert failed == ["a", "a"]


def test_refuses_unknown_names() -> None:
    for needs, failed in [({"a": []}, ["b"]), ({"a": [["b"]]}, []), ({}, ["a"])]:
        try:
            outage_waves(needs, failed)
        except ValueError as error:
            assert "unknown" in str(error)
        else:
            raise AssertionError(f"accepted {needs} with {failed}")


def test_refuses_a_requirement_without_alternatives() -> None:
    try:
        outage_waves({"a": [["b"], []], "b": []}, [])
    except ValueError as error:
        assert "a" in str(error)
    else:
        raise AssertionError("an empty requirement was accepted")
