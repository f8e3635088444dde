def _refused_at(formula: str) -> int:
    try:
        tokenise(formula)
    except ValueError as error:
        return int(str(error).split(":")[0].removeprefix("position "))
    raise AssertionError(f"{formula!r} was accepted")


def test_reads_a_function_call() -> None:
    assert tokenise('=sum(A1, "x")') == [
        ("function", "SUM"),
        ("open", "("),
        ("cell", "A1"),
        ("comma", ","),
        ("text", "x"),
        ("close", ")"),
    ]


def test_reads_numbers() -> None:
    assert tokenise("=12") == [("number", "12")]
    assert tokenise("=1.50") == [("number", "1.50")]
    assert tokenise("=.5") == [("number", ".5")]
    assert tokenise("=-7") == [("operator", "-"), ("number", "7")]


def test_refuses_malformed_numbers() -> None:
    assert _refused_at("=3.") == 1
    assert _refused_at("= 1.2.3") == 2
    assert _refused_at("=12ab") == 1
    assert _refused_at("=.") == 1


def test_resolves_quotes_in_texts() -> None:
    assert tokenise('="say ""hi"""') == [("text", 'say "hi"')]
    assert tokenise('=""') == [("text", "")]
    assert tokenise('="a" & "b"') == [
        ("text", "a"),
        ("operator", "&"),
        ("text", "b"),
    ]


def test_texts_may_hold_anything() -> None:
    assert tokenise('="(grün, ) = 日本"') == [("text", "(grün, ) = 日本")]


def test_refuses_a_text_that_never_ends() -> None:
    assert _refused_at('=1+"abc') == 3
    assert _refused_at('=1+"abc""') == 3


def test_reads_cells_in_upper_case() -> None:
    assert tokenise("=$b$12") == [("cell", "$B$12")]
    assert tokenise("=xfd9:A$1") == [
        ("cell", "XFD9"),
        ("operator", ":"),
        ("cell", "A$1"),
    ]


def test_names_are_what_no_cell_can_be() -> None:
    assert tokenise("=rate") == [("name", "rate")]
    assert tokenise("=A01") == [("name", "A01")]
    assert tokenise("=abcd1") == [("name", "abcd1")]
    assert tokenise("=A1.x_2") == [("name", "A1.x_2")]
    assert tokenise("=A1b") == [("name", "A1b")]


def test_name_before_a_parenthesis_is_a_function() -> None:
    assert tokenise("=log10 (2)")[0] == ("function", "LOG10")
    assert tokenise("=Round(2)")[0] == ("function", "ROUND")
    assert tokenise("=x+(2)")[0] == ("name", "x")


def test_reads_two_character_operators_whole() -> None:
    formula = "=1<=2>=3<>4<5>6=7"

    operators = [text for kind, text in tokenise(formula) if kind == "operator"]

    assert operators == ["<=", ">=", "<>", "<", ">", "="]


def test_reads_every_single_operator() -> None:
    assert tokenise("=+-*/^&=<") == [("operator", sign) for sign in "+-*/^&=<"]
    assert tokenise("=> : %") == [("operator", sign) for sign in ">:%"]


def test_drops_white_space() -> None:
    assert tokenise("=  1 \t+\n 2  ") == [
        ("number", "1"),
        ("operator", "+"),
        ("number", "2"),
    ]
    assert tokenise("=") == []
    assert tokenise("=   ") == []


def test_refuses_other_characters() -> None:
    assert _refused_at("=1 + ü") == 5
    assert _refused_at("=1;2") == 2
    assert _refused_at("=$1") == 1
    assert _refused_at("=A1 #") == 4


def test_refuses_a_missing_start() -> None:
    assert _refused_at("1+2") == 0
    assert _refused_at("") == 0
    assert _refused_at(" =1") == 0


def test_refuses_parentheses_that_do_not_balance() -> None:
    assert _refused_at("=(1))") == 4
    assert _refused_at("=)") == 1
    assert _refused_at("=((1)") == 1
    assert _refused_at("=(1)+(2") == 5
    assert tokenise("=(())")[-1] == ("close", ")")
