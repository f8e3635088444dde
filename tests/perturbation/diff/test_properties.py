"""What holds for every pair of texts: nothing lost, one row a line, whole tokens marked, the same answer each time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from perturbation.diff.intraline import mark, tokenize
from perturbation.diff.lines import split
from perturbation.diff.markup import render
from perturbation.diff.shapes import DiffView, Row
from perturbation.diff.view import build, build_plain
from tests.perturbation.diff.texts import any_text, chains, code_lines

LANGUAGES = st.sampled_from(["python", "cpp", "java", "javascript", "go", "rust", "unknown"])


def _side(view: DiffView, side: str) -> list[tuple[int, str]]:
    rows = [(getattr(row, f"{side}_no"), getattr(row, f"{side}_text")) for row in view.rows]
    return [(number, text) for number, text in rows if number is not None]


def _joined(view: DiffView, side: str) -> str:
    text = "\n".join(text for _, text in _side(view, side))
    has_end = view.facts.left_final_newline if side == "left" else view.facts.right_final_newline
    return text + "\n" if has_end and _side(view, side) else text


@settings(max_examples=400, deadline=None)
@given(any_text, any_text, LANGUAGES)
def test_loses_nothing_and_shows_each_line_once_in_order(parent: str, child: str, language: str) -> None:
    view = build(parent=parent, child=child, language=language)

    assert _joined(view, "left") == split(parent).text
    assert _joined(view, "right") == split(child).text
    for side, text in (("left", parent), ("right", child)):
        assert [number for number, _ in _side(view, side)] == list(range(1, len(split(text).lines) + 1))


@settings(max_examples=200, deadline=None)
@given(any_text, any_text)
def test_renders_any_text_as_encodable_html(parent: str, child: str) -> None:
    html = render(build(parent=parent, child=child, language="python"), left_title="<&>", right_title="b")

    assert html.encode()
    assert "\0" not in html
    assert "<b>" not in html.replace("<b data-step", "")


@settings(max_examples=300, deadline=None)
@given(any_text)
def test_splits_and_rejoins_any_text(text: str) -> None:
    lines = split(text)

    assert lines.original == text
    assert "".join(lines.keys) == text.replace("\r\n", "\n").replace("\r", "\n")
    assert all("\n" not in line and "\r" not in line for line in lines.lines)


@settings(max_examples=300, deadline=None)
@given(any_text, any_text)
def test_marks_only_whole_tokens(left: str, right: str) -> None:
    spans = mark(left, right)

    for text, marked in zip((left, right), spans, strict=True):
        edges = {0}
        for token in tokenize(text):
            edges.add(max(edges) + len(token))
        assert "".join(tokenize(text)) == text
        assert {edge for span in marked for edge in span} <= edges
        assert all(a < b for a, b in marked)
        assert all(b < c for (_, b), (c, _) in pairwise(marked))


@settings(max_examples=300, deadline=None)
@given(any_text, any_text)
def test_what_is_left_unmarked_is_the_same_on_both_sides(left: str, right: str) -> None:
    spans = mark(left, right)

    rests = ["", ""]
    for side, (text, marked) in enumerate(zip((left, right), spans, strict=True)):
        hidden = {index for start, end in marked for index in range(start, end)}
        rests[side] = "".join(char for index, char in enumerate(text) if index not in hidden and not char.isspace())
    assert rests[0] == rests[1]


@settings(max_examples=200, deadline=None)
@given(code_lines, code_lines)
def test_a_row_is_same_exactly_when_both_lines_are_equal(left: list[str], right: list[str]) -> None:
    view = build(parent="".join(f"{x}\n" for x in left), child="".join(f"{x}\n" for x in right), language="python")

    for row in view.rows:
        is_pair = row.left_no is not None and row.right_no is not None
        is_equal = is_pair and row.left_text == row.right_text
        assert (row.kind.value == "same") == is_equal
        assert (row.hunk > 0) == (not is_equal)


@settings(max_examples=300, deadline=None)
@given(chains())
def test_every_changed_row_names_a_step_of_the_chain(chain: tuple[str, ...]) -> None:
    view = build(parent=chain[0], child=chain[-1], language="python", chain=chain)

    changed = [row for row in view.rows if row.is_changed]
    assert all(row.steps for row in changed)
    assert all(_is_rising(row, len(chain) - 1) for row in view.rows)


def _is_rising(row: Row, count: int) -> bool:
    return list(row.steps) == sorted(set(row.steps)) and all(1 <= step <= count for step in row.steps)


@settings(max_examples=200, deadline=None)
@given(chains())
def test_a_step_that_changes_nothing_made_no_row(chain: tuple[str, ...]) -> None:
    doubled = (chain[0], *chain)

    view = build(parent=chain[0], child=chain[-1], language="python", chain=doubled)

    assert all(1 not in row.steps for row in view.rows)


@settings(max_examples=100, deadline=None)
@given(chains())
def test_comes_back_from_its_stored_form(chain: tuple[str, ...]) -> None:
    view = build(parent=chain[0], child=chain[-1], language="python", chain=chain)

    again = DiffView.from_dict(json.loads(view.to_json()))

    assert again == view
    assert again.to_json() == view.to_json()


def test_gives_the_same_bytes_in_another_process() -> None:
    parent = "def f(a, b):\n    return {a: b}\n\n\ndef g():\n    return {'x', 'y'}\n" * 20
    child = parent.replace("a: b", "b: a").replace("'y'", "'z'")
    code = (
        "import sys, hashlib; from perturbation.diff.view import build; p, c = sys.argv[1:3]; "
        "v = build(parent=p, child=c, language='python', chain=(p, c)); "
        "print(hashlib.sha256(v.to_json().encode()).hexdigest())"
    )

    hashes = {
        subprocess.run(
            [sys.executable, "-c", code, parent, child],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1", "4242")
    }

    here = build(parent=parent, child=child, language="python", chain=(parent, child)).to_json()
    assert hashes == {hashlib.sha256(here.encode()).hexdigest()}


@settings(max_examples=100, deadline=None)
@given(any_text, LANGUAGES)
def test_shows_one_program_alone_without_loss(text: str, language: str) -> None:
    view = build_plain(text=text, language=language)

    assert _joined(view, "right") == split(text).text
    assert all(row.left_no is None for row in view.rows)
    assert view.hunks == ()
