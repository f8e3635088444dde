def test_joins_lines_of_one_paragraph() -> None:
    assert reflow_mail("one\ntwo  three\n   four", 20) == "one two three four"


def test_fills_a_line_to_the_exact_width() -> None:
    assert reflow_mail("aaaaaaaaaa bbbbbbbbb cc", 20) == "aaaaaaaaaa bbbbbbbbb\ncc"
    assert reflow_mail("aaaaaaaaaa bbbbbbbbbb cc", 20) == "aaaaaaaaaa\nbbbbbbbbbb cc"


def test_counts_the_prefix_as_part_of_the_width() -> None:
    assert reflow_mail("> aaaaaaaaaa bbbbbbb c", 20) == "> aaaaaaaaaa bbbbbbb\n> c"
    assert reflow_mail("> aaaaaaaaaa bbbbbbbb", 20) == "> aaaaaaaaaa\n> bbbbbbbb"


def test_writes_marks_without_spaces_between_them() -> None:
    assert reflow_mail("> > hello\n>>there", 20) == ">> hello there"
    assert reflow_mail("a > b", 20) == "a > b"


def test_two_spaces_end_the_marks() -> None:
    assert reflow_mail(">  > x", 20) == "> > x"


def test_change_of_depth_ends_a_paragraph() -> None:
    text = "a\n> b\n>> c\n> d\ne"

    assert reflow_mail(text, 20) == "a\n> b\n>> c\n> d\ne"


def test_blank_line_ends_a_paragraph() -> None:
    assert reflow_mail("a\n\nb\nc", 20) == "a\n\nb c"


def test_several_blank_lines_become_one() -> None:
    assert reflow_mail("a\n\n   \n\nb", 20) == "a\n\nb"
    assert reflow_mail("> a\n>\n> \n> b", 20) == "> a\n>\n> b"


def test_blank_lines_at_the_start_stay_and_at_the_end_go() -> None:
    assert reflow_mail("\n\na", 20) == "\na"
    assert reflow_mail(">\n> a", 20) == ">\n> a"
    assert reflow_mail("a\n\n", 20) == "a"
    assert reflow_mail("MAX\n\n", 20) == "MAX"
    assert reflow_mail("> a\n>\n\n", 20) == "> a\n>"


def test_blank_lines_of_different_depth_both_stay() -> None:
    assert reflow_mail("> a\n>\n\nb", 20) == "> a\n>\n\nb"


def test_never_cuts_a_long_word() -> None:
    word = "x" * 25

    assert reflow_mail(f"a {word} b", 20) == f"a\n{word}\nb"
    assert reflow_mail(word, 20) == word


def test_deep_quotes_keep_eight_characters_of_room() -> None:
    marks = ">" * 15

    assert reflow_mail(f"{marks} aaaa bbb c", 20) == f"{marks} aaaa bbb\n{marks} c"
    assert reflow_mail(f"{marks} aaaa bbbb", 20) == f"{marks} aaaa\n{marks} bbbb"


def test_room_follows_the_width_above_eight_characters() -> None:
    marks = ">" * 10

    assert reflow_mail(f"{marks} aaaa bbbb c", 20) == f"{marks} aaaa bbbb\n{marks} c"


def test_empty_text_and_default_width() -> None:
    text = " ".join(["abc"] * 19)

    assert reflow_mail("") == ""
    assert reflow_mail("\n") == ""
    assert reflow_mail(text) == " ".join(["abc"] * 18) + "\nabc"
    assert reflow_mail("a" * 68 + " bbb") == "a" * 68 + " bbb"
    assert reflow_mail("a" * 69 + " bbb") == "a" * 69 + "\nbbb"


def test_keeps_letters_outside_ascii() -> None:
    assert reflow_mail("> grüße\n> 日本 語", 20) == "> grüße 日本 語"


def test_refuses_a_small_width() -> None:
    assert reflow_mail("a", 20) == "a"
    try:
        reflow_mail("a", 19)
    except ValueError:
        pass
    else:
        raise AssertionError("a width of 19 was accepted")
