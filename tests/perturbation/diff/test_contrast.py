"""Every colour of the diff on every background it can stand on, in both themes, read from the style sheet itself."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from perturbation.diff.segments import COLOUR_CLASSES

CSS = (Path(__file__).resolve().parents[3] / "static" / "css" / "diff.css").read_text(encoding="utf-8")
_VARIABLE = re.compile(r"--df-([a-z-]+):\s*(#[0-9a-fA-F]{6})")

BACKGROUNDS = ("paper", "removed", "added", "removed-mark", "added-mark")
CODE = ("text", *COLOUR_CLASSES)
OTHER = [
    *product(("number",), ("paper", "removed", "added", "head")),
    *product(("removed-bar", "edited-bar"), ("removed", "paper")),
    *product(("added-bar", "edited-bar"), ("added", "paper")),
    ("hazard-text", "hazard"),
    ("badge-text", "badge"),
    ("text", "head"),
]


def _themes() -> dict[str, dict[str, str]]:
    light = dict(_VARIABLE.findall(CSS[: CSS.index("@media (prefers-color-scheme")]))
    start = CSS.index(':root[data-theme="dark"]')
    return {"light": light, "dark": dict(_VARIABLE.findall(CSS[start : CSS.index("}", start)]))}


THEMES = _themes()


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("front", "back"), [*product(CODE, BACKGROUNDS), *OTHER])
def test_is_readable(theme: str, front: str, back: str) -> None:
    colours = THEMES[theme]

    assert _contrast(colours[front], colours[back]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("line", "back"),
    [("removed-bar", "removed-mark"), ("added-bar", "added-mark"), ("focus", "head"), ("restored-bar", "paper")],
)
def test_lines_and_edges_stand_out(theme: str, line: str, back: str) -> None:
    colours = THEMES[theme]

    assert _contrast(colours[line], colours[back]) >= 3


def test_knows_the_same_colours_in_every_theme() -> None:
    automatic = dict(_VARIABLE.findall(CSS[CSS.index("@media") : CSS.index(':root[data-theme="dark"]')]))

    assert THEMES["light"].keys() == THEMES["dark"].keys()
    assert automatic == THEMES["dark"]


@pytest.mark.parametrize("name", COLOUR_CLASSES)
def test_draws_every_colour_class(name: str) -> None:
    assert f".df .{name} {{ color: var(--df-{name});" in CSS
