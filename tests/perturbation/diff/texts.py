"""Texts for the tests of the diff: Hypothesis strategies and one realistic program with a chain."""

from __future__ import annotations

from hypothesis import strategies as st

from perturbation.diff.shapes import DiffView

# Pieces that hurt: every kind of ending and separator, NUL, lone surrogates, direction and zero-width characters.
_PIECES = (
    "\n", "\n", "\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\0", "\ud800", "\udfff", "\t", " ", "    ",
    "\u200b", "\u202e", "\ufeff", "\u00a0", "x = 1", "y", "if x <= 10:", "return a + b", "def f(a, b):", "#", '"""',
    "'", "}", "{", "(",
    "count", "counter", "==", "<=", "<", "&amp;", "<b>", "e\u0301", "\U0001f600", "/*", "*/", "//", ";",
)  # fmt: skip
any_text = st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=40).map("".join)

_LINES = (
    "",
    "",
    "    return x",
    "def f(x):",
    "x = 1",
    "x = 2",
    "    y = x + 1",
    "    y = x + 2",
    "}",
    "    if x < y:",
    "pass",
)
code_lines = st.lists(st.sampled_from(_LINES), max_size=14)


@st.composite
def chains(draw: st.DrawFn) -> tuple[str, ...]:
    """Up to six texts, each made from the one before by replacing a stretch of lines."""
    lines = draw(code_lines)
    texts = ["".join(f"{line}\n" for line in lines)]
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(lines)))
        end = draw(st.integers(start, min(len(lines), start + 3)))
        lines = [*lines[:start], *draw(st.lists(st.sampled_from(_LINES), max_size=3)), *lines[end:]]
        texts.append("".join(f"{line}\n" for line in lines))
    return tuple(texts)


def kinds(view: DiffView) -> list[tuple[str, int | None, int | None]]:
    """Rows as (kind, left number, right number)."""
    return [(row.kind.value, row.left_no, row.right_no) for row in view.rows]


def changed(view: DiffView) -> list[tuple[str, int | None, int | None]]:
    return [row for row in kinds(view) if row[0] != "same"]
