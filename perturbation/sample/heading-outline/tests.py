def _numbers(*lines: str) -> list[str]:
    return [number for number, _, _ in outline(list(lines))]


def _titles(*lines: str) -> list[str]:
    return [title for _, title, _ in outline(list(lines))]


def _anchors(*titles: str) -> list[str]:
    return [anchor for _, _, anchor in outline([f"# {title}" for title in titles])]


def test_builds_a_table_of_contents() -> None:
    assert outline(["# Setup", "### On Linux #", "# Setup"]) == [
        ("1", "Setup", "setup"),
        ("1.1", "On Linux", "on-linux"),
        ("2", "Setup", "setup-2"),
    ]


def test_counts_on_every_level() -> None:
    lines = ["# a", "## b", "## c", "### d", "## e", "# f", "## g"]

    assert _numbers(*lines) == ["1", "1.1", "1.2", "1.2.1", "1.3", "2", "2.1"]


def test_skipped_levels_go_down_one_step() -> None:
    assert _numbers("# a", "#### b", "### c", "## d", "#### e") == [
        "1",
        "1.1",
        "1.2",
        "1.3",
        "1.3.1",
    ]


def test_document_may_begin_deep() -> None:
    assert _numbers("### a", "## b", "### c", "# d") == ["1", "2", "2.1", "3"]


def test_accepts_one_to_four_signs() -> None:
    assert _titles("# a", "## b", "### c", "#### d", "##### e") == ["a", "b", "c", "d"]


def test_signs_need_a_blank_and_the_start_of_the_line() -> None:
    assert _titles("#a", " # b", "text # c", "#\td", "#   e  ") == ["d", "e"]


def test_removes_closing_signs() -> None:
    assert _titles("# a ##", "# b#", "# c # d", "# e \t#  ", "# #f") == [
        "a",
        "b#",
        "c # d",
        "e",
        "#f",
    ]


def test_empty_titles_are_no_headings() -> None:
    assert _titles("#", "# ", "## \t", "# #", "# ###") == []
    assert outline([]) == []


def test_code_holds_no_headings() -> None:
    lines = ["# a", "```sh", "# no", "``` ", "# b", "```", "# no", "```", "# c"]

    assert _titles(*lines) == ["a", "b", "c"]


def test_code_that_is_not_closed_reaches_to_the_end() -> None:
    assert _titles("# a", "```", "# b", " ```", "# c") == ["a"]


def test_anchors_replace_other_characters() -> None:
    assert _anchors("What's new, in 2.0?") == ["what-s-new-in-2-0"]
    assert _anchors("  -- x --  ") == ["x"]
    assert _anchors("snake_case") == ["snake-case"]


def test_anchors_keep_letters_outside_ascii() -> None:
    assert _anchors("Größe & Maß", "日本") == ["grösse-mass", "日本"]


def test_anchor_of_a_title_without_letters() -> None:
    assert _anchors("!!!", "???", "*") == ["section", "section-2", "section-3"]


def test_anchors_are_unique() -> None:
    assert _anchors("A", "a", "A!", "a 2") == ["a", "a-2", "a-3", "a-2-2"]
    assert _anchors("a 2", "a", "a", "a") == ["a-2", "a", "a-3", "a-4"]


def test_leaves_its_input_alone() -> None:
    lines = ["# a  ", "text"]

    outline(lines)

    assert lines == ["# a  ", "text"]
