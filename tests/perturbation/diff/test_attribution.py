from __future__ import annotations

import pytest

from perturbation.diff.attribution import binding_step
from perturbation.diff.extent import extent
from perturbation.diff.view import ChainDoesNotFit, build

P0 = """def price(items, rate):
    \"\"\"Total with tax.\"\"\"
    if not items:
        return 0
    total = sum(item.cost for item in items)
    return total + total * rate


def label(item):
    return item.name.strip()
"""


def _steps(*chain: str) -> list[tuple[str, int | None, int | None, tuple[int, ...]]]:
    view = build(parent=chain[0], child=chain[-1], language="python", chain=chain)
    return [(row.kind.value, row.left_no, row.right_no, row.steps) for row in view.rows if row.steps]


def test_names_the_step_of_each_kind_of_row() -> None:
    edited = P0.replace("total * rate", "total / rate")
    removed = edited.replace("    if not items:\n        return 0\n", "")
    added = removed.replace("def label", "# shown in the cart\ndef label")

    assert _steps(P0, edited, removed, added) == [
        ("removed", 3, None, (2,)),
        ("removed", 4, None, (2,)),
        ("edited", 6, 4, (1,)),
        ("added", None, 7, (3,)),
    ]


def test_names_every_step_that_changed_a_line() -> None:
    renamed = P0.replace("total", "t")
    swapped = renamed.replace("t + t * rate", "t - t * rate")

    assert _steps(P0, renamed, swapped) == [("edited", 5, 5, (1,)), ("edited", 6, 6, (1, 2))]


def test_names_birth_and_later_edits_of_an_added_line() -> None:
    born = P0.replace("    total =", "    debug = len(items)\n    total =")
    edited = born.replace("debug = len(items)", "debug = len(items) + 1")

    assert _steps(P0, born, edited) == [("added", None, 5, (1, 2))]


def test_shows_a_line_touched_and_restored() -> None:
    changed = P0.replace("return 0", "return 1")
    view = build(parent=P0, child=P0, language="python", chain=(P0, changed, P0))

    restored = [row for row in view.rows if row.is_restored]
    assert [(row.left_no, row.right_no, row.steps) for row in restored] == [(4, 4, (1, 2))]
    assert view.hunks == ()


def test_shows_a_line_removed_and_typed_again() -> None:
    without = P0.replace("    if not items:\n        return 0\n", "")

    assert _steps(P0, without, P0) == [("same", 3, 3, (1, 2)), ("same", 4, 4, (1, 2))]


def test_drops_a_line_born_and_removed_on_the_way() -> None:
    born = P0.replace("    total =", "    unused = 1\n    total =")

    assert _steps(P0, born, P0) == []


def test_keeps_two_ends_of_a_line_together_that_no_longer_look_alike() -> None:
    first = "cursor = max(cursor, slot.end)\n"
    second = "c = max(c, slot.end)\n"
    third = "c = slot.end if slot.end > c else c\n"

    assert _steps(first, second, third) == [("edited", 1, 1, (1, 2))]


def test_lists_the_steps_of_a_hunk_with_their_rows() -> None:
    edited = P0.replace("return 0", "return 1")
    longer = edited.replace("        return 1\n", "        return 1\n    print(items)\n    print(rate)\n")
    view = build(parent=P0, child=longer, language="python", chain=(P0, edited, longer))

    assert [(hunk.number, hunk.start, hunk.end, hunk.steps) for hunk in view.hunks] == [(1, 3, 6, ((1, 1), (2, 2)))]


@pytest.mark.parametrize("chain", [(), (P0,)])
def test_names_no_step_without_a_chain(chain: tuple[str, ...]) -> None:
    view = build(parent=P0, child=P0 + "x = 1\n", language="python", chain=chain)

    assert view.step_count == 0
    assert all(row.steps == () for row in view.rows)


@pytest.mark.parametrize(
    ("chain", "message"),
    [(("other", "child"), "must begin with the parent"), (("parent", "other"), "must end with the child")],
)
def test_refuses_a_chain_that_does_not_fit(chain: tuple[str, ...], message: str) -> None:
    with pytest.raises(ChainDoesNotFit, match=message):
        build(parent="parent", child="child", language="python", chain=chain)


def test_takes_a_chain_whose_line_endings_differ() -> None:
    child = P0.replace("return 0", "return 1")

    view = build(parent=P0.replace("\n", "\r\n"), child=child, language="python", chain=(P0, child))

    assert [row.steps for row in view.rows if row.is_changed] == [(1,)]


@pytest.mark.parametrize(("ceilings", "step"), [((4,), 1), ((4, 2, 3), 2), ((3, 2, 2), 2), ((5, 5, 1), 3)])
def test_finds_the_binding_step(ceilings: tuple[int, ...], step: int) -> None:
    assert binding_step(ceilings) == step


def test_measures_how_far_a_step_reaches() -> None:
    first = P0.replace("total", "t")
    second = first.replace("item.name.strip()", "item.name").replace("return 0", "return None")
    view = build(parent=P0, child=second, language="python", chain=(P0, first, second))

    reach = extent(view, 2)

    assert (reach.rows, reach.hunks, reach.functions) == (2, (1, 2), ("price", "label"))
    assert reach.survives


def test_sees_that_an_undone_step_left_nothing() -> None:
    changed = P0.replace("return 0", "return 1")
    last = P0.replace("rate)", "tax)")
    view = build(parent=P0, child=last, language="python", chain=(P0, changed, P0, last))

    assert not extent(view, 1).survives
    assert extent(view, 3).survives


def test_does_not_count_the_blank_lines_around_a_function_as_touched_code() -> None:
    child = P0.replace("\n\ndef label", "\n\ndef extra():\n    return 2\n\n\ndef label")
    view = build(parent=P0, child=child, language="python", chain=(P0, child))

    assert extent(view, 1).functions == ("extra",)


def test_tells_rewritten_rows_from_those_that_only_moved_in_or_out_and_counts_no_bracket() -> None:
    parent = "int f(int n) {\n  for (int i = 0; i < n; i++) {\n    n += i;\n    n *= 2;\n  }\n  return n;\n}\n"
    child = "int f(int n) {\n  int i = 0;\n  n += i;\n  n *= 2;\n  return n;\n}\n"
    view = build(parent=parent, child=child, language="cpp", chain=(parent, child))

    reach = extent(view, 1)

    assert (reach.rows, reach.rewritten) == (3, 1)


def test_sees_that_only_a_bracket_is_left_of_a_step() -> None:
    parent = "int f() {\n  int n = 1;\n  return n;\n}\n"
    wrapped = "int f() {\n  {\n  int n = 1;\n  return n;\n  }\n}\n"
    last = "int f() {\n  {\n  return 1;\n  }\n}\n"
    view = build(parent=parent, child=last, language="cpp", chain=(parent, wrapped, last))

    assert not extent(view, 1).survives
    assert extent(view, 2).survives
