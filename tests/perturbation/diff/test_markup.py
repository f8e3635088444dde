from __future__ import annotations

import re

import html5lib
import pytest

from perturbation.diff.likeness import is_unrelated, likeness
from perturbation.diff.markup import Html, notes, render, render_plain
from perturbation.diff.view import DiffView, StaleDiff, build, build_plain
from tests.bench.diff_cases import MIXED, cases

PARENT = "".join(f"value_{n} = {n}\n" for n in range(40)) + "def last(a):\n    return a < 1\n"
STEP = PARENT.replace("a < 1", "a <= 1")
CHILD = STEP.replace("value_3 = 3\n", "").replace("value_20 = 20\n", "value_20 = 20\nextra = '<b>&'\n")
VIEW = build(parent=PARENT, child=CHILD, language="python", chain=(PARENT, STEP, CHILD))


def _render(view: DiffView = VIEW, **options: object) -> Html:
    return render(view, left_title="Parent", right_title="Program", **options)  # type: ignore[arg-type]


def test_is_valid_html_with_the_same_number_of_cells_in_every_row() -> None:
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    table = parser.parseFragment(str(_render(steps=("One", "Two"))))[0]

    rows = table.findall("./tbody/tr") + table.findall("./thead/tr")
    assert {len(list(row)) for row in rows if row.find("./td[@colspan]") is None} == {5}
    assert table.find("./caption").text == "1 edited, 1 added, 1 removed lines in 3 changes"


def test_says_the_kind_of_each_changed_row_in_words() -> None:
    html = _render()

    said = re.findall(r'<tr class="(\w)"><th scope="row"[^>]*><span class="vh">([^<]+)</span>', html)
    assert said == [("d", "removed"), ("a", "added"), ("e", "edited")]
    assert html.count('<td class="g"><span class="vh">no line</span></td>') == 2


def test_names_the_steps_on_their_badges() -> None:
    html = _render(steps=("Wrong comparison", "Line <lost>"))

    assert '<td class="st"><b data-step="1" title="Step 1: Wrong comparison">1</b></td>' in html
    assert 'title="Step 2: Line &lt;lost&gt;"' in html
    assert '<tbody id="hunk-1" data-outline="0" data-steps="2">' in html


def test_leaves_every_trace_of_steps_out_when_told() -> None:
    html = _render(steps=None)

    assert "step" not in html.lower()
    assert "restored" not in html


def test_escapes_code_and_titles() -> None:
    html = render(VIEW, left_title="<script>", right_title='"&"')

    assert "&lt;b&gt;&amp;" in html
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert html.__html__() == html


def test_holds_no_inline_style_or_script() -> None:
    assert not re.search(r"<script|\sstyle=|\son\w+=", _render())


def test_draws_line_numbers_from_attributes_only() -> None:
    table = html5lib.parseFragment(str(_render()), namespaceHTMLElements=False)[0]

    numbers = [cell.get("data-n") for cell in table.iter() if cell.get("data-n")]
    assert numbers.count("1") == 2
    assert all("".join(cell.itertext()).strip(" ,") in {"", "edited", "added", "removed"}
               for cell in table.iter() if cell.get("data-n"))  # fmt: skip


def test_gives_back_the_code_of_each_side_byte_for_byte() -> None:
    table = html5lib.parseFragment(str(_render()), namespaceHTMLElements=False)[0]

    rows = [row for row in table.findall("./tbody/tr") if row.find("./td[@colspan]") is None]
    for column, text in ((1, PARENT), (3, CHILD)):
        cells = [row[column] for row in rows if row[column].get("class") != "g"]
        assert "".join("".join(cell.itertext()) + "\n" for cell in cells) == text


def test_marks_long_unchanged_runs_for_collapsing_and_leaves_them_readable() -> None:
    table = html5lib.parseFragment(str(_render()), namespaceHTMLElements=False)[0]

    bodies = [body for body in table.findall("./tbody") if body.get("data-collapsible") is not None]
    buttons = [button.get("data-expand") for button in table.iter("button")]
    assert [body.get("id") for body in bodies] == buttons == ["context-3", "context-5"]
    assert all(body.get("hidden") is None for body in bodies)
    assert [len(list(body)) for body in bodies] == [11, 14]
    assert [button.text for button in table.iter("button")] == ["11 unchanged lines", "14 unchanged lines, then last"]


def test_keeps_identifiers_apart_on_a_page_of_several_tables() -> None:
    html = _render(id_prefix="walk-2-")

    assert 'id="walk-2-hunk-1"' in html
    assert 'data-expand="walk-2-context-3"' in html


def test_never_collapses_a_hazard_or_a_restored_line() -> None:
    lines = [f"value_{n} = {n}" for n in range(30)]
    hidden = "\n".join([*lines[:15], "x = 'a\u200bb'", *lines[15:]])

    html = _render(build(parent=hidden, child=hidden.replace("value_29", "v"), language="python"))

    assert "data-collapsible" not in html


def test_shows_and_says_a_line_touched_and_restored() -> None:
    html = _render(build(parent=PARENT, child=PARENT, language="python", chain=(PARENT, STEP, PARENT)))

    assert '<tr class="r"><th scope="row" data-n="42"><span class="vh">touched and restored</span></th>' in html
    assert '<b data-step="1" title="Step 1">1</b> <b data-step="2" title="Step 2">2</b>' in html


def test_shows_a_missing_final_newline_on_its_line() -> None:
    view = build(parent="a = 1\nb = 2\n", child="a = 1\nb = 2", language="python")
    html = _render(view)

    assert html.count('<span class="nn">no newline at end of file</span>') == 1
    assert notes(view) == (
        "Only one of the two files ends with a newline.",
        "Only white space differs; the syntax tree is the same.",
    )


def test_marks_changed_white_space_so_that_it_shows() -> None:
    html = _render(build(parent="x = 1\n", child="x = 1  \n", language="python"))

    assert '<ins class="w">  </ins>' in html


def test_isolates_right_to_left_names_from_the_code_around_them() -> None:
    html = _render(build(parent="", child="\u0634\u0631\u062d = \u0627\u0633\u0645 < 1\n", language="python"))

    assert "<bdi>\u0634\u0631\u062d</bdi> = <bdi>\u0627\u0633\u0645</bdi> &lt; " in html


def test_stays_small() -> None:
    sixty = "".join(f"    result.append(compute_value({n}, factor=rate * {n}))\n" for n in range(60))
    child = sixty.replace("(7,", "(8,").replace("rate * 30", "rate / 30")

    html = _render(build(parent=sixty, child=child, language="python"))

    assert len(html.encode()) < 25_000


def test_refuses_a_view_stored_by_another_version() -> None:
    stored = {**VIEW.as_dict(), "version": 0}

    with pytest.raises(StaleDiff, match="version 0"):
        DiffView.from_dict(stored)


def test_shows_a_program_without_a_parent_in_one_plain_pane() -> None:
    html = render_plain(build_plain(text="def f():\n    return '<'\n", language="python"), title="Program")

    table = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parseFragment(str(html))[0]
    rows = table.findall("./tbody/tr")
    assert ["".join(row[1].itertext()) for row in rows] == ["def f():", "    return '<'"]
    assert "ins" not in {element.tag for element in table.iter()}


FOREIGN = [
    (
        "def is_prime(n):\n    if n < 2:\n        return False\n    for d in range(2, int(n**0.5) + 1):\n"
        "        if n % d == 0:\n            return False\n    return True\n",
        "def slug(title):\n    words = re.findall(r'[a-z0-9]+', title.lower())\n    return '-'.join(words)\n",
    ),
    (
        "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n"
        "        self.items.append(item)\n",
        "def parse_duration(text):\n    hours, _, minutes = text.partition(':')\n"
        "    return int(hours) * 60 + int(minutes)\n",
    ),
]


@pytest.mark.parametrize(("one", "other"), FOREIGN)
def test_knows_unrelated_programs(one: str, other: str) -> None:
    assert is_unrelated(one, other)
    assert is_unrelated(other, one)
    assert not is_unrelated(one, one)


def test_never_calls_the_ends_of_a_real_chain_unrelated() -> None:
    ends = [(case.chain[0], case.chain[-1]) for case in cases(MIXED, count=20, seed="test")]

    assert [pair for pair in ends if is_unrelated(*pair)] == []


def test_measures_likeness_from_0_to_1() -> None:
    assert likeness("", "") == 1.0
    assert likeness("a b", "") == 0.0
    assert likeness("x = 1", "x = 1") == 1.0
