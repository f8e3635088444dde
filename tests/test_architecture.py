"""Which part may import which: read from the source, so that an import inside a function counts as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PURE = ["perturbation/rules", "perturbation/diff", "perturbation/selection.py", "perturbation/chains.py"]
# What a pure module would need to know Django, the clock, the environment or the network.
IMPURE = {"django", "celery", "os", "time", "datetime", "socket", "subprocess", "requests", "httpx", "openai", "redis"}


def sources(place: str) -> list[Path]:
    """Return the Python files of a folder, or the file itself; the sample is input, not code."""
    path = ROOT / place
    found = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return [file for file in found if "sample" not in file.relative_to(ROOT).parts]


def imports_of(path: Path) -> Iterator[str]:
    """Yield the full name of everything that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def offenders(place: str, forbidden: set[str]) -> list[str]:
    """Return `file: import` for every import whose top-level package is forbidden."""
    return [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources(place)
        for name in imports_of(path)
        if name.split(".")[0] in forbidden
    ]


@pytest.mark.parametrize("place", PURE)
def test_keeps_the_core_pure(place: str) -> None:
    assert sources(place)
    assert offenders(place, IMPURE) == []


def test_keeps_people_and_scores_out_of_the_programs_app() -> None:
    assert len(sources("perturbation")) > 20
    assert offenders("perturbation", {"annotation", "evaluation"}) == []


def test_keeps_judges_out_of_calibration() -> None:
    assert len(sources("annotation")) > 10
    assert offenders("annotation", {"evaluation"}) == []


def test_keeps_django_out_of_the_sandbox() -> None:
    assert sources("perturbation/sandbox")
    assert offenders("perturbation/sandbox", {"django", "celery"}) == []


def test_finds_an_import_inside_a_function(tmp_path: Path) -> None:
    breach = tmp_path / "breach.py"
    breach.write_text("def late():\n    from annotation.models import Score\n    return Score\n")

    assert "annotation.models.Score" in list(imports_of(breach))
