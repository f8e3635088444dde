def _is_refused(text: str) -> bool:
    try:
        parse_duration(text)
    except ValueError:
        return True
    return False


def test_reads_every_unit() -> None:
    assert parse_duration("1w") == 604800
    assert parse_duration("1d") == 86400
    assert parse_duration("1h") == 3600
    assert parse_duration("1m") == 60
    assert parse_duration("1s") == 1


def test_adds_up_parts() -> None:
    assert parse_duration("1w2d3h4m5s") == 788645
    assert parse_duration("1w 1d") == 691200
    assert parse_duration("1h1s") == 3601


def test_allows_blanks_around_and_between_parts() -> None:
    assert parse_duration("  2d   4h ") == 187200
    assert parse_duration("\t1m\n5s") == 65


def test_reads_units_in_either_case() -> None:
    assert parse_duration("1H30M") == 5400


def test_negates_the_whole() -> None:
    assert parse_duration("-1m5s") == -65
    assert parse_duration(" -45s") == -45
    assert parse_duration("-0s") == 0


def test_numbers_may_exceed_the_next_unit() -> None:
    assert parse_duration("90m") == 5400
    assert parse_duration("0w100s") == 100
    assert parse_duration("007s") == 7


def test_refuses_units_out_of_order_or_repeated() -> None:
    assert _is_refused("30m1h")
    assert _is_refused("1h1h")
    assert _is_refused("1d2h3d")
    assert _is_refused("5h3d")
    assert _is_refused("1s1m")


def test_refuses_text_without_parts() -> None:
    assert _is_refused("")
    assert _is_refused("   ")
    assert _is_refused("-")
    assert _is_refused("h")


def test_refuses_stray_characters() -> None:
    for text in ["5", "1h30", "1 h", "1h,5m", "+1h", "--1h", "1h-5m", "1.5h", "1y"]:
        assert _is_refused(text), text
    assert _is_refused("1h x")
    assert _is_refused("x1h")


def test_refuses_digits_outside_ascii() -> None:
    assert _is_refused("٣h")


def test_writes_the_shortest_text() -> None:
    assert format_duration(93600) == "1d2h"
    assert format_duration(788645) == "1w2d3h4m5s"
    assert format_duration(604800) == "1w"
    assert format_duration(604799) == "6d23h59m59s"
    assert format_duration(60) == "1m"
    assert format_duration(59) == "59s"
    assert format_duration(1) == "1s"


def test_writes_zero_and_negative_values() -> None:
    assert format_duration(0) == "0s"
    assert format_duration(-1) == "-1s"
    assert format_duration(-3660) == "-1h1m"
    assert format_duration(1209600) == "2w"


def test_reads_back_what_it_writes() -> None:
    for seconds in [0, 1, -1, 59, 61, 3599, 86400, -90061, 10**9]:
        assert parse_duration(format_duration(seconds)) == seconds
