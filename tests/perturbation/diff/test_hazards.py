from __future__ import annotations

import json

import pytest

from perturbation.diff.hazards import HazardKind, find
from perturbation.diff.markup import notes, render
from perturbation.diff.shapes import DiffView
from perturbation.diff.view import build
from tests.perturbation.diff.texts import changed


@pytest.mark.parametrize(
    ("char", "kind", "name"),
    [
        ("\u202a", "direction", "LEFT-TO-RIGHT EMBEDDING"),
        ("\u202b", "direction", "RIGHT-TO-LEFT EMBEDDING"),
        ("\u202c", "direction", "POP DIRECTIONAL FORMATTING"),
        ("\u202d", "direction", "LEFT-TO-RIGHT OVERRIDE"),
        ("\u202e", "direction", "RIGHT-TO-LEFT OVERRIDE"),
        ("\u2066", "direction", "LEFT-TO-RIGHT ISOLATE"),
        ("\u2067", "direction", "RIGHT-TO-LEFT ISOLATE"),
        ("\u2068", "direction", "FIRST STRONG ISOLATE"),
        ("\u2069", "direction", "POP DIRECTIONAL ISOLATE"),
        ("\u200e", "direction", "LEFT-TO-RIGHT MARK"),
        ("\u200f", "direction", "RIGHT-TO-LEFT MARK"),
        ("\u061c", "direction", "ARABIC LETTER MARK"),
        ("\u200b", "invisible", "ZERO WIDTH SPACE"),
        ("\u200c", "invisible", "ZERO WIDTH NON-JOINER"),
        ("\u200d", "invisible", "ZERO WIDTH JOINER"),
        ("\u2060", "invisible", "WORD JOINER"),
        ("\ufeff", "invisible", "ZERO WIDTH NO-BREAK SPACE"),
        ("\u00ad", "invisible", "SOFT HYPHEN"),
        ("\u3164", "invisible", "HANGUL FILLER"),
        ("\ufe0f", "invisible", "VARIATION SELECTOR-16"),
        ("\U000e0041", "invisible", "TAG LATIN CAPITAL LETTER A"),
        ("\u00a0", "space", "NO-BREAK SPACE"),
        ("\u2003", "space", "EM SPACE"),
        ("\u3000", "space", "IDEOGRAPHIC SPACE"),
        ("\u2028", "space", "LINE SEPARATOR"),
        ("\0", "control", "NULL"),
        ("\x08", "control", "BACKSPACE"),
        ("\x0c", "control", "FORM FEED"),
        ("\x1b", "control", "ESCAPE"),
        ("\x7f", "control", "DELETE"),
        ("\x85", "control", "NEXT LINE"),
        ("\ud800", "broken", "LONE SURROGATE"),
        ("\ue000", "broken", "UNNAMED CHARACTER"),
    ],
)
def test_names_what_cannot_be_seen(char: str, kind: str, name: str) -> None:
    (found,) = find(f"ab{char} = 1")

    assert (found.column, found.kind, found.name) == (2, HazardKind(kind), name)
    assert found.code_point == f"U+{ord(char):04X}"


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("p\u0430ss = 1", [1]),  # Cyrillic a inside a Latin name
        ("\u0430 = 1", [0]),  # a name of one Cyrillic letter
        ("\u03bfutput = 1", [0]),  # Greek omicron
        ("\ufb01le = 1", [0]),  # ligature: Python reads file
        ("\uff41bc = 1", [0]),  # full-width a
    ],
)
def test_marks_letters_that_pass_for_others(line: str, columns: list[int]) -> None:
    found = find(line)

    assert [hazard.column for hazard in found] == columns
    assert {hazard.kind for hazard in found} == {HazardKind.LOOK_ALIKE}


@pytest.mark.parametrize(
    "line",
    [
        "plain = 'ascii'  # and a\ttab",
        "größe = 'naïve café'",
        "name = '日本語'",
        "emoji = '\U0001f600'",
        "x = 'e\u0301'",
    ],
)
def test_leaves_honest_text_alone(line: str) -> None:
    assert find(line) == ()


def test_allows_other_scripts_in_prose_but_not_words_of_two() -> None:
    prose = "# привет, мир"
    mixed = "# p\u0430ssword"

    assert find(prose, colours=[(0, len(prose), "c")]) == ()
    assert [found.column for found in find(mixed, colours=[(0, len(mixed), "c")])] == [3]


def test_shows_one_changed_line_where_only_an_invisible_character_came() -> None:
    parent = "".join(f"value_{n} = {n}\n" for n in range(5))
    view = build(parent=parent, child=parent.replace("value_3", "val\u200bue_3"), language="python")

    assert changed(view) == [("edited", 4, 4)]
    assert [found.name for found in view.rows[3].right_hazards] == ["ZERO WIDTH SPACE"]
    assert "".join(piece.text for piece in view.rows[3].right if piece.marked) == "val\u200bue_3"
    assert view.rows[3].left_hazards == ()


def test_shows_a_hazard_as_a_named_box_around_the_original() -> None:
    html = render(build(parent="", child="a\u202eb = 1\n", language="python"), left_title="a", right_title="b")

    assert '<span class="hz" data-u="U+202E" title="RIGHT-TO-LEFT OVERRIDE">\u202e</span>' in html
    assert "added, contains U+202E RIGHT-TO-LEFT OVERRIDE" in html


def test_shows_different_line_endings_as_a_note_not_as_changes() -> None:
    lines = [f"value_{n} = {n}" for n in range(1, 41)]
    child = [*lines[:11], "value_12 = 99", *lines[12:]]
    parent_text = "".join(f"{line}\r\n" for line in lines)
    child_text = "".join(f"{line}\n" for line in child)

    view = build(parent=parent_text, child=child_text, language="python")

    assert changed(view) == [("edited", 12, 12)]
    assert notes(view)[0] == "Line endings differ: CRLF in the parent, LF here."


@pytest.mark.parametrize(
    ("parent", "child", "differs"),
    [
        ("a\r\nb", "a\nb", True),
        ("a\rb", "a\nb", True),
        ("a\r\nb\n", "a\nb\n", True),
        ("a\r\nb\n", "a\nb\r\n", True),
        ("a\nb\n", "a\nb", False),
        ("a", "a\r\n", False),
        ("", "a\n", False),
    ],
)
def test_tells_different_line_endings(parent: str, child: str, differs: bool) -> None:
    assert build(parent=parent, child=child, language="python").facts.line_endings_differ is differs


@pytest.mark.parametrize("text", ["a\x0cb\n", "a\x0bb\n", "a\x85b\n", "a\u2028b\n", "a\x1cb\n"])
def test_does_not_break_lines_where_a_compiler_does_not(text: str) -> None:
    assert len(build(parent=text, child=text, language="python").rows) == 1


def test_keeps_hazards_in_the_stored_form() -> None:
    view = build(parent="a = 1\n", child="a\u200b = 1\n", language="python")

    again = DiffView.from_dict(json.loads(view.to_json()))

    assert again == view
    assert [found.kind for found in again.rows[0].hazards] == [HazardKind.INVISIBLE]
