"""Requirement texts as HTML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.prose import to_html

LONG = "This line is long enough that its author's editor has wrapped it"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("One.\n\nTwo.", "<p>One.</p><p>Two.</p>"),
        (f"{LONG}\nhere.", f"<p>{LONG.replace(chr(39), '&#x27;')} here.</p>"),
        ("Short line\nnext line", "<p>Short line\nnext line</p>"),
        (f"{LONG}\n- a point", f"<p>{LONG.replace(chr(39), '&#x27;')}</p><ul><li>a point</li></ul>"),
        ("Call `f(a < b)`.", "<p>Call <code>f(a &lt; b)</code>.</p>"),
        ("    indented(code)\n    more", "<pre>    indented(code)\n    more</pre>"),
        (">>> f(1)\n>>> g(2)", "<pre>&gt;&gt;&gt; f(1)\n&gt;&gt;&gt; g(2)</pre>"),
        ("Before\n```python\na\n\nb\n```\nafter", "<p>Before</p><pre>a\n\nb</pre><p>after</p>"),
        ("```\nnever closed", "<pre>never closed</pre>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
    ],
)
def test_joins_wrapped_lines_and_keeps_code(text: str, expected: str) -> None:
    assert to_html(text) == expected


@given(st.text())
def test_never_lets_markup_of_the_text_through(text: str) -> None:
    html = to_html(text)

    for tag in ("<p>", "</p>", "<pre>", "</pre>", "<code>", "</code>"):
        html = html.replace(tag, "")
    assert "<" not in html
    assert ">" not in html
