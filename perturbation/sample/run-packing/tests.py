def _refused_at(packed: str) -> int:
    try:
        unpack(packed)
    except ValueError as error:
        return int(str(error).split()[-1])
    raise AssertionError(f"{packed!r} was accepted")


def test_packs_runs_of_four_and_more() -> None:
    assert pack("aaaaa") == "~5xa"
    assert pack("aaaa") == "~4xa"
    assert pack("aaa") == "aaa"
    assert pack("aaaabb~") == "~4xabb~1x~"


def test_marks_are_always_runs() -> None:
    assert pack("~") == "~1x~"
    assert pack("~~") == "~2x~"
    assert pack("~~~~~") == "~5x~"


def test_leaves_short_runs_alone() -> None:
    assert pack("abcabc") == "abcabc"
    assert pack("aabbb c") == "aabbb c"
    assert pack("4x5x") == "4x5x"


def test_splits_very_long_runs_from_the_left() -> None:
    assert pack("b" * 999) == "~999xb"
    assert pack("b" * 1000) == "~999xbb"
    assert pack("b" * 1001) == "~999xbbb"
    assert pack("b" * 1003) == "~999xb~4xb"
    assert pack("b" * 1998) == "~999xb~999xb"
    assert pack("~" * 1000) == "~999x~~1x~"


def test_empty_text() -> None:
    assert pack("") == ""
    assert unpack("") == ""


def test_unpacks_runs_between_plain_text() -> None:
    assert unpack("ab~4xcd") == "abccccd"
    assert unpack("~4xa~5xb") == "aaaabbbbb"
    assert unpack("plain") == "plain"
    assert unpack("end~4x!") == "end!!!!"


def test_unpacks_marks() -> None:
    assert unpack("~1x~") == "~"
    assert unpack("~3x~x") == "~~~x"
    assert unpack("~1x~~1x~") == "~~"


def test_digits_and_separators_can_be_run_characters() -> None:
    assert pack("xxxx") == "~4xx"
    assert pack("55555") == "~5x5"
    assert unpack("~4xx~5x5") == "xxxx55555"


def test_line_breaks_and_letters_outside_ascii() -> None:
    assert pack("\n\n\n\nüüüü") == "~4x\n~4xü"
    assert unpack("~4x\n~4xü") == "\n\n\n\nüüüü"


def test_longest_run_is_read() -> None:
    assert unpack("~999xb") == "b" * 999
    assert unpack("~100xb") == "b" * 100


def test_refuses_bad_lengths() -> None:
    assert _refused_at("~0xa") == 0
    assert _refused_at("~04xa") == 0
    assert _refused_at("~1000xa") == 0
    assert _refused_at("~xa") == 0
    assert _refused_at("~-4xa") == 0
    assert _refused_at("~٤xa") == 0


def test_refuses_incomplete_marks_at_their_position() -> None:
    assert _refused_at("ab~") == 2
    assert _refused_at("ab~5") == 2
    assert _refused_at("~4xaab~5x") == 6
    assert _refused_at("~5ya") == 0
    assert _refused_at("~4Xa") == 0


def test_refuses_needless_runs() -> None:
    assert _refused_at("~3xa") == 0
    assert _refused_at("a~1xb") == 1


def test_unpack_reverses_pack() -> None:
    for text in ["a~~b", "~4xa", "aaaa~aaaa", "~" * 2003, "x" * 7 + "~" * 3, "😀" * 9]:
        assert unpack(pack(text)) == text
