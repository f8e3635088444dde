"""Static analysis with the real tools in the real sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturbation.reports import analysers, static_analysis
from perturbation.reports.analysers import Finding, Severity, ToolStatus, cppcheck, ruff

PARENT = '''import os


def load(path):
    """Return the settings in the file."""
    with open(path) as file:
        return file.read()
'''
CHILD = '''import os


def load(path, cache={}):
    """Return the settings in the file."""
    with open(path) as file:
        return eval(file.read())
'''


def finding(rule: str, line: int) -> Finding:
    return Finding(rule=rule, severity=Severity.NOTE, category="style", message="m", line=line, column=1)


def test_tells_new_findings_from_those_of_the_parent() -> None:
    report = static_analysis.analyse(text=CHILD, parent=PARENT, language="python")

    found = [(entry.finding.rule, entry.finding.line, entry.state) for entry in report.findings]
    assert report.status is ToolStatus.DONE
    assert ("F401", 1, "unchanged") in found
    assert ("B006", 4, "introduced") in found
    assert ("S307", 7, "introduced") in found
    assert report.fixed == ()


def test_names_what_was_fixed() -> None:
    report = static_analysis.analyse(text=PARENT, parent=CHILD, language="python")

    assert {"B006", "S307"} <= {entry.rule for entry in report.fixed}
    assert {entry.state for entry in report.findings} == {"unchanged"}


def test_measures_size_and_complexity_of_both() -> None:
    branched = CHILD + "\n\ndef pick(a):\n    if a > 1 and a < 5:\n        return 1\n    return 2\n"

    report = static_analysis.analyse(text=branched, parent=PARENT, language="python")

    assert report.metrics == analysers.Metrics(
        lines=13, code_lines=8, functions=2, max_complexity=3, mean_complexity=2.0
    )
    assert report.parent_metrics is not None
    assert report.parent_metrics.max_complexity == 1


def test_lets_a_program_silence_nothing() -> None:
    quiet = "# ruff: noqa\nimport os  # noqa\n"

    run = ruff.analyse({"program.py": quiet})

    assert "F401" in [entry.rule for entry in run.results["program.py"]]


def test_reports_a_syntax_error_as_a_finding() -> None:
    run = ruff.analyse({"program.py": "def broken(:\n"})

    first = run.results["program.py"][0]
    assert run.status is ToolStatus.DONE
    assert (first.rule, first.severity, first.line) == ("invalid-syntax", Severity.ERROR, 1)


def test_survives_text_that_is_no_text() -> None:
    run = ruff.analyse({"program.py": "x = '\ud800\x00'\n"})

    assert run.status in {ToolStatus.DONE, ToolStatus.FAILED}
    assert run.tool.startswith("ruff ")


def test_measures_a_program_all_the_same_where_its_analyser_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cppcheck, "_folder", lambda: Path("/nowhere"))

    report = static_analysis.analyse(text="int main() { return 0; }\n", parent=None, language="cpp")

    assert report.status is ToolStatus.MISSING
    assert "is not installed: run `make install`." in report.message
    assert report.metrics is not None
    assert report.metrics.functions == 1


def test_matches_findings_through_the_row_pairing_when_lines_move() -> None:
    parent = "a = 1\nb = 2\nc = 3\n"
    child = "new = 0\na = 1\nb = 2\nc = 3\n"

    compared, fixed = static_analysis.compare(
        (finding("X1", 3), finding("X1", 1)), (finding("X1", 2),), text=child, parent=parent, language="python"
    )

    assert [entry.state for entry in compared] == ["unchanged", "introduced"]
    assert fixed == ()
