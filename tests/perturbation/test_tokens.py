"""Token encoding: what counts, what does not, and that it is the same everywhere."""

from __future__ import annotations

import subprocess
import sys

import pytest

from perturbation.tokens import UnknownLanguage, code_rows, encode_tokens, normalised_distance, token_equal

PROGRAM = 'def f(a):\n    """Doc."""\n    if a:  # note\n        return a + 1\n    return [a,\n        2]\n'


@pytest.mark.parametrize(
    ("changed", "equal"),
    [
        (PROGRAM.replace("a + 1", "a  +  1"), True),
        (PROGRAM.replace("    if", "\n\n    if"), True),
        (PROGRAM.replace("        2]", "  2]"), True),
        (PROGRAM.replace("    ", "  "), True),
        (PROGRAM.replace("\n", "\r\n"), True),
        (PROGRAM.replace("note", "other"), False),
        (PROGRAM.replace("# note", ""), False),
        (PROGRAM.replace("Doc.", "Doc!"), False),
        (PROGRAM.replace("    return [a", "        return [a"), False),
        (PROGRAM.replace("a + 1", "a - 1"), False),
    ],
)
def test_ignores_white_space_but_not_comments_docstrings_and_indentation(changed: str, equal: bool) -> None:
    assert token_equal(PROGRAM, changed, "python") is equal
    assert (encode_tokens(PROGRAM, "python") == encode_tokens(changed, "python")) is equal


def test_ignores_a_row_continued_with_a_backslash() -> None:
    assert token_equal("x = 1 + \\\n        2\ny = 3\n", "x = 1 + 2\ny = 3\n", "python")


def test_ignores_indentation_in_a_language_with_braces() -> None:
    assert token_equal("int f() {\n    return 1;\n}\n", "int f() { return 1; }\n", "cpp")


def test_uses_one_code_point_a_token_clear_of_surrogates_and_nul() -> None:
    encoded = encode_tokens("a = b + c\n", "python")

    assert len(encoded) == 5
    assert all(ord(character) > 0xDFFF for character in encoded)
    assert encoded.encode("utf-8").decode("utf-8") == encoded


def test_gives_the_same_code_points_in_another_process() -> None:
    code = (
        "import sys; from perturbation.tokens import encode_tokens;"
        "sys.stdout.buffer.write(encode_tokens(sys.argv[1], 'python').encode())"
    )

    other = subprocess.run([sys.executable, "-c", code, PROGRAM], capture_output=True, check=True)

    assert other.stdout.decode() == encode_tokens(PROGRAM, "python")


def test_distance_is_the_share_of_changed_tokens() -> None:
    first, second = encode_tokens("a = b + c\n", "python"), encode_tokens("a = b - c\n", "python")

    assert normalised_distance(first, second) == pytest.approx(0.2)
    assert normalised_distance(first, first) == 0.0
    assert normalised_distance("", first) == 1.0
    assert normalised_distance("", "") == 0.0


def test_refuses_an_unknown_language() -> None:
    with pytest.raises(UnknownLanguage, match="no lexer for the language id 'cobol'"):
        encode_tokens("x", "cobol")


@pytest.mark.parametrize(
    ("text", "language", "rows"),
    [
        ('def f(x):\n    """What it does."""\n    # why\n\n    return (\n        x\n    )\n', "python", {1, 5, 6}),
        ("int f(int x) {\n  /* why\n     so */\n  return x; // x\n}\n", "cpp", {1, 4}),
        ("\n\nfn f() {\n}\n", "rust", {3}),
        ("", "go", set()),
    ],
)
def test_knows_the_rows_that_hold_code_with_a_word(text: str, language: str, rows: set[int]) -> None:
    assert code_rows(text, language) == rows
