from __future__ import annotations

from itertools import groupby

import pytest

from perturbation.diff.lines import split
from perturbation.diff.pair import pair_lines
from perturbation.diff.segments import Segment
from perturbation.diff.view import build
from tests.bench.bench_diff import (
    Pairing,
    by_position,
    measure_functions,
    measure_marks,
    measure_pairing,
    measure_steps,
    ours,
    ours_with_chain,
)
from tests.bench.diff_cases import KINDS, MIXED
from tests.perturbation.diff.texts import changed, kinds


def test_pairs_edited_lines_past_an_inserted_one() -> None:
    parent = "total = price * count\ntax = total * rate\nreturn total + tax\n"
    child = "check(price, count)\ntotal = price * (count + 1)\ntax = total / rate\nreturn total - tax\n"

    view = build(parent=parent, child=child, language="python")

    assert kinds(view) == [("added", None, 1), ("edited", 1, 2), ("edited", 2, 3), ("edited", 3, 4)]


def test_pairs_edited_lines_past_a_removed_one() -> None:
    parent = "validate(order)\ntotal = price * count\ntax = total * rate\n"
    child = "total = price * counts\ntax = total * rates\n"

    view = build(parent=parent, child=child, language="python")

    assert kinds(view) == [("removed", 1, None), ("edited", 2, 1), ("edited", 3, 2)]


def test_pairs_indented_lines_with_their_origin_inside_a_new_block() -> None:
    parent = "for row in rows:\n    clean(row)\n    save(row)\n"
    child = "for row in rows:\n    if row:\n        clean(row)\n        save(row)\n"

    view = build(parent=parent, child=child, language="python")

    assert kinds(view) == [("same", 1, 1), ("added", None, 2), ("edited", 2, 3), ("edited", 3, 4)]
    assert [piece.text for piece in view.rows[2].right if piece.marked] == ["        "]


def test_refuses_to_pair_lines_without_likeness() -> None:
    view = build(parent="import os\n", child="total = compute_everything(x, y)\n", language="python")

    assert kinds(view) == [("removed", 1, None), ("added", None, 1)]


@pytest.mark.parametrize(
    ("before", "after"), [("break", "continue"), ("pass", "return"), ("255,", "260,"), ("return None", "return")]
)
def test_pairs_a_short_line_with_the_one_in_its_place(before: str, after: str) -> None:
    template = "while queue:\n    if done:\n        {}\n    step()\n"

    view = build(parent=template.format(before), child=template.format(after), language="python")

    assert changed(view) == [("edited", 3, 3)]


def test_does_not_anchor_on_blank_lines_and_brackets() -> None:
    parent = "a = first(x)\n\nb = second(y)\n}\n"
    child = "c = 1\n\nd = 2\n\na = first(z)\n\nb = second(w)\n}\n"

    view = build(parent=parent, child=child, language="javascript")

    assert [row for row in kinds(view) if row[0] == "edited"] == [("edited", 1, 5), ("edited", 3, 7)]


def test_does_not_let_a_chance_match_part_a_wrapped_block() -> None:
    parent = "del line\nexcept AttributeError:\n    pass\ntry:\n    use(file)\n"
    child = "del line\ntry:\n    except AttributeError:\n        pass\n    try:\n        use(file)\n"

    view = build(parent=parent, child=child, language="python")

    assert changed(view) == [("added", None, 2), *(("edited", n, n + 1) for n in (2, 3, 4, 5))]


def test_refuses_every_pair_of_a_block_that_is_not_alike_enough() -> None:
    parent = "items.append(item)\nvalue = cache.get(key)\n"
    child = "total = sum(items)\nreturn value or key\n"

    view = build(parent=parent, child=child, language="python")

    assert kinds(view) == [("removed", 1, None), ("removed", 2, None), ("added", None, 1), ("added", None, 2)]


@pytest.mark.parametrize("is_added", [True, False])
@pytest.mark.parametrize(
    ("short", "long", "run"),
    [
        (
            "{\n  a: 1,\n  b: 2,\n},\n{\n  a: 1,\n  b: 3,\n},\n",
            "{\n  a: 1,\n  b: 2,\n},\n{\n  a: 1,\n  b: 9,\n},\n{\n  a: 1,\n  b: 3,\n},\n",
            (5, 6, 7, 8),
        ),
        (
            "# one\ndef a():\n    return 1\n\n# one\ndef c():\n    return 1\n",
            "# one\ndef a():\n    return 1\n\n# one\ndef b():\n    return 1\n\n# one\ndef c():\n    return 1\n",
            (5, 6, 7, 8),
        ),
    ],
)
def test_slides_a_run_that_could_stand_in_several_places(
    short: str, long: str, run: tuple[int, ...], is_added: bool
) -> None:
    parent, child = (short, long) if is_added else (long, short)

    view = build(parent=parent, child=child, language="javascript")

    assert changed(view) == [("added", None, n) if is_added else ("removed", n, None) for n in run]


def test_slides_an_added_function_to_its_own_edges() -> None:
    parent = "def a():\n    x()\n    return 1\n\n\ndef c():\n    z()\n    return 1\n"
    child = (
        "def a():\n    x()\n    return 1\n\n\ndef b():\n    y()\n    return 1\n\n\ndef c():\n    z()\n    return 1\n"
    )

    view = build(parent=parent, child=child, language="python")

    assert changed(view) == [("added", None, n) for n in (6, 7, 8, 9, 10)]


def test_falls_back_to_position_in_a_huge_block_and_says_so() -> None:
    left = "".join(f"alpha_{n} = {n}\n" for n in range(300))
    right = "".join(f"beta_{n} = {n}\n" for n in range(250))

    found = pair_lines(split(left), split(right))

    assert found.is_coarse
    assert found.pairs == tuple((n, n) for n in range(250))


def test_aligns_more_distinct_lines_than_there_are_code_points_in_a_plane() -> None:
    parent = "".join(f"a{n}\n" for n in range(70_000))
    child = parent.replace("a69999\n", "b69999\n").replace("a5\n", "", 1)

    found = pair_lines(split(parent), split(child))

    assert len(found.pairs) == 69_999
    assert found.pairs[5] == (6, 5)


def test_shows_an_added_final_newline_as_an_edit() -> None:
    view = build(parent="a = 1\nb = 2", child="a = 1\nb = 2\n", language="python")

    assert changed(view) == [("edited", 2, 2)]


@pytest.mark.parametrize(
    ("left", "right", "left_marks", "right_marks"),
    [
        ("if x < y:", "if x <= y:", ["<"], ["<="]),
        ("n = 10", "n = 100", ["10"], ["100"]),
        ("count += 1", "counter += 1", ["count"], ["counter"]),
        ("a = b ** c", "a = b * c", ["**"], ["*"]),
        ("f(a)", "f(a, b)", [], [", b"]),
        ("return a - b", "return b - a", ["a", "b"], ["b", "a"]),
        ("x = 1.5e-3", "x = 1.5e-4", ["1.5e-3"], ["1.5e-4"]),
        ("for (i = 0; i < n; i++)", "for (i = 1; i <= n; ++i)", ["0", "<", "++"], ["1", "<=", "++"]),
        ("let t = a?.b ?? c;", "let t = a.b || c;", ["?.", "??"], [".", "||"]),
    ],
)
def test_marks_whole_tokens_on_both_sides(left: str, right: str, left_marks: list[str], right_marks: list[str]) -> None:
    row = build(parent=left, child=right, language="python").rows[0]

    assert _marked(row.left) == left_marks
    assert _marked(row.right) == right_marks


def _marked(pieces: tuple[Segment, ...]) -> list[str]:
    """The marked stretches; a stretch may be cut by colours."""
    runs = groupby(pieces, key=lambda piece: piece.marked)
    return ["".join(piece.text for piece in run) for marked, run in runs if marked]


@pytest.mark.parametrize(("pairing", "kinds_tried"), [(ours, tuple(KINDS)), (ours_with_chain, (MIXED,))])
def test_reaches_the_goal_on_the_bench(pairing: Pairing, kinds_tried: tuple[str, ...]) -> None:
    found = [measure_pairing(kind, pairing, count=12, seeds=("test",)) for kind in kinds_tried]

    right = sum(hits.found for hits in found)
    assert sum(hits.true for hits in found) > 100
    assert 100 * right / sum(hits.true for hits in found) >= 99
    assert 100 * right / sum(hits.shown for hits in found) >= 99.5


def test_is_needed_because_position_fails_on_the_same_programs() -> None:
    hits = measure_pairing("insert beside edits", by_position, count=10, seeds=("test",))

    assert hits.recall < 75


def test_shows_whole_functions_on_the_bench() -> None:
    right, tried = measure_functions(count=20, seed="test")

    assert tried > 100
    assert right / tried >= 0.995


def test_never_cuts_a_token_on_the_bench() -> None:
    marks, cuts, lines, one_sided = measure_marks(count=20, seeds=("test",))

    assert marks > 100
    assert lines > 50
    assert cuts == 0
    assert one_sided == 0


def test_names_the_exact_steps_on_the_bench() -> None:
    found = measure_steps(count=12, seeds=("test",))

    assert found.lines > 100
    assert found.named == found.changed
    assert found.exact / found.lines >= 0.99
    assert found.lost_exact == found.lost


def test_matches_texts_too_large_for_one_matrix_around_their_unique_lines() -> None:
    filler = "".join(f"{'xyz'[n % 3]} = {n % 7}\n" for n in range(15_000))
    parent = f"start = 1\n{filler}middle = 2\n{filler}end = 3\n"
    child = f"other = 1\n{filler}y = 9\nmiddle = 2\n{filler}last = 3\n"

    found = pair_lines(split(parent), split(child))

    pairs = dict(found.pairs)
    assert pairs[15_001] == 15_002
    assert len(pairs) >= 30_002


def test_gives_up_matching_large_texts_that_share_no_unique_line() -> None:
    parent = "".join(f"{'ab'[n % 2]}{n % 5}\n" for n in range(15_000))
    child = "".join(f"{'ab'[n % 3 == 0]}{n % 7}\n" for n in range(15_000))

    found = pair_lines(split(parent), split(child))

    assert found.is_coarse
    assert len(found.pairs) == 15_000


def test_keeps_unique_lines_that_swapped_places_in_order() -> None:
    filler = "".join(f"x{n % 11}\n" for n in range(15_000))
    parent = f"first\n{filler}one_a\none_b\n{filler}two_a\n"
    child = f"other\n{filler}two_a\n{filler}one_a\none_b\nlast\n"

    pairs = dict(pair_lines(split(parent), split(child)).pairs)

    assert sorted(pairs.values()) == [pairs[i] for i in sorted(pairs)]
    assert pairs[15_001] == 30_002
    assert pairs[15_002] == 30_003


def test_marks_a_huge_line_as_one_span_between_its_common_ends() -> None:
    left = "start " + "a b " * 2_000 + "end"
    right = "start " + "c d " * 2_000 + "end"

    row = build(parent=left, child=right + "\n", language="python").rows[0]

    assert "".join(piece.text for piece in row.left if piece.marked) == ("a b " * 2_000).rstrip()


@pytest.mark.parametrize("indent", ["\t", " " * 210])
def test_slides_by_tabs_and_deep_indents_too(indent: str) -> None:
    block = f"{{}} {{{{\n{indent}run();\n}}}}\n\n"
    parent = block.format("a") + block.format("c")
    child = block.format("a") + block.format("b") + block.format("c")

    assert changed(build(parent=parent, child=child, language="go")) == [("added", None, n) for n in (5, 6, 7, 8)]


def test_looks_only_so_far_over_blank_lines_when_it_slides() -> None:
    parent = "a()\n" + "\n" * 30 + "b()\n"
    child = "a()\n" + "\n" * 60 + "b()\n"

    assert len(changed(build(parent=parent, child=child, language="go"))) == 30


def test_leaves_colours_out_beyond_the_limit_but_keeps_every_line() -> None:
    text = "x = 1\n" * 5_001

    view = build(parent=text, child=text + "y = 2\n", language="python")

    assert not view.is_coloured
    assert len(view.rows) == 5_002
    assert {piece.css for row in view.rows for piece in row.right} == {""}
