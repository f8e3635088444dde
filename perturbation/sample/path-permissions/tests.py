def _is_refused(rule: tuple[str, str, str, str]) -> bool:
    try:
        is_allowed([("allow", "*", "*", "**"), rule], {"x"}, "read", "a")
    except ValueError:
        return True
    return False


def test_more_literal_segments_win() -> None:
    rules = [
        ("allow", "*", "read", "docs/**"),
        ("deny", "guest", "*", "docs/secret/**"),
    ]

    assert is_allowed(rules, {"guest"}, "read", "/docs/a") is True
    assert is_allowed(rules, {"guest"}, "read", "/docs/secret") is False
    assert is_allowed(rules, {"guest"}, "read", "/docs/secret/plan") is False
    assert is_allowed(rules, {"staff"}, "read", "/docs/secret/plan") is True


def test_no_matching_rule_refuses() -> None:
    assert is_allowed([], {"a"}, "read", "x") is False
    assert is_allowed([("deny", "*", "*", "y")], {"a"}, "read", "x") is False
    assert is_allowed([("allow", "*", "*", "y")], {"a"}, "read", "x") is False


def test_role_must_be_held() -> None:
    rules = [("allow", "editor", "write", "x")]

    assert is_allowed(rules, {"editor", "other"}, "write", "x") is True
    assert is_allowed(rules, {"edit"}, "write", "x") is False
    assert is_allowed(rules, set(), "write", "x") is False


def test_any_role_includes_nobody_in_particular() -> None:
    assert is_allowed([("allow", "*", "read", "x")], set(), "read", "x") is True


def test_action_must_match() -> None:
    rules = [("allow", "a", "read", "x")]

    assert is_allowed(rules, {"a"}, "read", "x") is True
    assert is_allowed(rules, {"a"}, "Read", "x") is False
    assert is_allowed([("allow", "a", "*", "x")], {"a"}, "drop", "x") is True


def test_deny_wins_among_equally_specific_rules() -> None:
    allow = ("allow", "a", "read", "x/*")
    deny = ("deny", "*", "*", "*/y")

    assert is_allowed([allow, deny], {"a"}, "read", "x/y") is False
    assert is_allowed([deny, allow], {"a"}, "read", "x/y") is False
    assert is_allowed([deny, allow], {"a"}, "read", "x/z") is True


def test_single_wildcards_decide_after_literals() -> None:
    rules = [("deny", "*", "*", "x/**"), ("allow", "*", "*", "x/*")]

    assert is_allowed(rules, {"a"}, "read", "x/y") is True
    assert is_allowed(rules, {"a"}, "read", "x/y/z") is False
    assert is_allowed(rules, {"a"}, "read", "x") is False


def test_one_literal_outweighs_several_wildcards() -> None:
    rules = [("allow", "*", "*", "*/*/*"), ("deny", "*", "*", "x/**")]

    assert is_allowed(rules, {"a"}, "read", "x/y/z") is False
    assert is_allowed(rules, {"a"}, "read", "w/y/z") is True


def test_single_wildcard_matches_exactly_one_segment() -> None:
    rules = [("allow", "*", "*", "a/*/c")]

    assert is_allowed(rules, {"r"}, "read", "a/b/c") is True
    assert is_allowed(rules, {"r"}, "read", "a/c") is False
    assert is_allowed(rules, {"r"}, "read", "a/b/b/c") is False
    assert is_allowed(rules, {"r"}, "read", "a/b/d") is False


def test_rest_matches_any_number_of_segments() -> None:
    rules = [("allow", "*", "*", "a/b/**")]

    assert is_allowed(rules, {"r"}, "read", "a/b") is True
    assert is_allowed(rules, {"r"}, "read", "a/b/c/d/e") is True
    assert is_allowed(rules, {"r"}, "read", "a") is False
    assert is_allowed(rules, {"r"}, "read", "a/x/c") is False


def test_empty_segments_are_ignored() -> None:
    rules = [("allow", "*", "*", "//a/b//")]

    assert is_allowed(rules, {"r"}, "read", "/a//b/") is True
    assert is_allowed(rules, {"r"}, "read", "ab") is False


def test_root_is_matched_by_rest_and_by_nothing() -> None:
    assert is_allowed([("allow", "*", "*", "**")], {"r"}, "read", "/") is True
    assert is_allowed([("allow", "*", "*", "")], {"r"}, "read", "") is True
    assert is_allowed([("allow", "*", "*", "*")], {"r"}, "read", "/") is False
    assert is_allowed([("allow", "*", "*", "/")], {"r"}, "read", "a") is False


def test_segments_are_case_sensitive_and_may_be_any_text() -> None:
    rules = [("allow", "*", "*", "Büro/**")]

    assert is_allowed(rules, {"r"}, "read", "Büro/x") is True
    assert is_allowed(rules, {"r"}, "read", "büro/x") is False


def test_rest_does_not_make_a_pattern_more_specific() -> None:
    rules = [("allow", "*", "*", "a/*"), ("deny", "*", "*", "a/*/**")]

    assert is_allowed(rules, {"r"}, "read", "a/b") is False
    assert is_allowed(rules, {"r"}, "read", "a/b/c") is False
    assert is_allowed([("allow", "*", "*", "a/*/*"), rules[1]], {"r"}, "read", "a/b/c") is True


def test_refuses_rules_that_are_not_valid() -> None:
    assert _is_refused(("Allow", "nobody", "none", "zzz"))
    assert _is_refused(("", "x", "read", "a"))
    assert _is_refused(("deny", "x", "read", "**/a"))
    assert _is_refused(("deny", "nobody", "none", "a/**/**"))
    assert not _is_refused(("deny", "nobody", "none", "a/**"))
