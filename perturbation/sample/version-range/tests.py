def _is_refused(versions: list[str], constraint: str) -> bool:
    try:
        newest_match(versions, constraint)
    except ValueError:
        return True
    return False


def test_picks_the_highest_match() -> None:
    versions = ["1.0", "1.4.1", "1.5rc1", "2.0"]

    assert newest_match(versions, ">=1.0, <2.0") == "1.4.1"
    assert newest_match(versions, ">1.0") == "2.0"
    assert newest_match(versions, "<1.0") is None


def test_compares_numbers_not_texts() -> None:
    assert newest_match(["1.9", "1.10", "1.2"], "") == "1.10"
    assert newest_match(["9", "10"], "") == "10"


def test_bounds_are_inclusive_or_not_as_written() -> None:
    versions = ["1.1", "1.2", "1.3"]

    assert newest_match(versions, "<=1.2") == "1.2"
    assert newest_match(versions, "<1.2") == "1.1"
    assert newest_match(["1.3"], ">=1.3") == "1.3"
    assert newest_match(["1.3"], ">1.3") is None


def test_equality_and_exclusion() -> None:
    versions = ["1.1", "1.2.0", "1.3"]

    assert newest_match(versions, "==1.2") == "1.2.0"
    assert newest_match(versions, "!=1.3.0") == "1.2.0"
    assert newest_match(versions, "!=1.3,!=1.2") == "1.1"


def test_every_clause_must_hold() -> None:
    assert newest_match(["1", "2", "3"], ">1,<3") == "2"
    assert newest_match(["1", "2", "3"], "<3,>2") is None


def test_compatible_release_fixes_all_but_the_last_number() -> None:
    versions = ["1.4.1", "1.4.2", "1.4.9", "1.5", "2.4.3"]

    assert newest_match(versions, "~=1.4.2") == "1.4.9"
    assert newest_match(versions, "~=1.4") == "1.5"
    assert newest_match(["1.4.1"], "~=1.4.2") is None
    assert newest_match(["1.4.2.7", "1.4.3"], "~=1.4.2.0") == "1.4.2.7"


def test_pre_releases_come_last() -> None:
    assert newest_match(["1.5rc1", "2.0"], ">=1.0, <2.0") == "1.5rc1"
    assert newest_match(["3.0rc1", "1.0"], "") == "1.0"


def test_pre_releases_are_lower_than_their_release() -> None:
    assert newest_match(["2.0rc1"], "<2.0") == "2.0rc1"
    assert newest_match(["2.0rc1"], ">=2.0") is None
    assert newest_match(["2.0rc1"], ">1.9") == "2.0rc1"


def test_pre_releases_are_ordered_by_tag_then_number() -> None:
    assert newest_match(["1b9", "1rc1", "1a30"], "") == "1rc1"
    assert newest_match(["1a30", "1b2"], "") == "1b2"
    assert newest_match(["1rc9", "1rc10"], "") == "1rc10"
    assert newest_match(["1.1a1", "1.0rc5"], "") == "1.1a1"
    assert newest_match(["1.0"], "==1.0a0") is None
    assert newest_match(["1.0rc1"], ">=1.0rc1") == "1.0rc1"


def test_first_of_equal_versions_is_kept() -> None:
    assert newest_match(["1.2", "1.2.0", "1.2.0.0"], "") == "1.2"
    assert newest_match(["1.2.0", "1.2"], "") == "1.2.0"


def test_order_of_the_list_does_not_matter() -> None:
    assert newest_match(["3", "1", "2"], "") == "3"
    assert newest_match(["1", "3", "2"], "<3") == "2"


def test_blanks_are_allowed_in_constraints() -> None:
    assert newest_match(["1.5"], "  >= 1.0 ,  < 2 ") == "1.5"
    assert newest_match(["1.5"], "   ") == "1.5"


def test_no_versions_give_none() -> None:
    assert newest_match([], "") is None
    assert newest_match([], ">=1") is None


def test_refuses_malformed_versions() -> None:
    for version in ["", "1.", ".1", "1..2", "v1", "1.2.3.4.5", "1rc", "1c1", "1.0 "]:
        assert _is_refused([version], ""), version
        assert _is_refused(["1", version], ">=1"), version
    assert not _is_refused(["1.2.3.4rc0"], "")


def test_refuses_malformed_constraints() -> None:
    for constraint in ["1.0", "=1.0", ">=", ">=1,", ",", "~=1", ">=x", "> 1 2", "=>1"]:
        assert _is_refused([], constraint), constraint
