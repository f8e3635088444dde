"""Reports as the workbench shows them, whole, broken, or not there."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.contexts.diagnosis import diagnosis
from perturbation import reports
from perturbation.models import Report
from tests.factories import make_perturbed
from tests.pages.builders import EXECUTION, QUALITY, STATIC


def report(kind: str, content: Any, *, status: str = "done") -> Report:
    """An unsaved report."""
    return Report(kind=kind, status=status, content=content, tool_version="tool 1")


def test_says_waiting_for_reports_that_are_not_there() -> None:
    panels = diagnosis([])

    assert {panels.execution.status, panels.static.status, panels.quality.status} == {"waiting"}


def test_puts_tests_that_the_parent_passes_first() -> None:
    panel = diagnosis([report("execution", EXECUTION)]).execution

    assert [(case.name, case.is_new) for case in panel.troubled] == [
        ("test_joins_neighbours_that_touch", True),
        ("test_joins_across_the_gap", True),
        ("test_refuses_a_negative_gap_with_its_value_in_the_message", False),
    ]
    assert [(outcome, number) for outcome, _, number in panel.counts] == [("failed", 2), ("error", 1), ("passed", 9)]
    assert panel.is_good is False


def test_tells_introduced_findings_from_those_of_the_parent() -> None:
    panel = diagnosis([report("static_analysis", STATIC)]).static

    assert [finding.rule for finding in panel.introduced] == ["F841", "PLR2004"]
    assert [finding.rule for finding in panel.unchanged] == ["E501"]
    assert [(str(metric.name), metric.is_changed) for metric in panel.metrics][:3] == [
        ("lines", True),
        ("code lines", True),
        ("functions", False),
    ]


def test_marks_claims_that_the_code_does_not_support() -> None:
    panel = diagnosis([report("quality", QUALITY)]).quality

    assert [claim.is_supported for claim in panel.quality] == [True, False]
    assert panel.claims == 3


def test_links_only_to_safe_addresses() -> None:
    content = {"findings": [{"rule": "X1", "url": "javascript:alert(1)", "message": "m"}]}

    assert diagnosis([report("static_analysis", content)]).static.introduced[0].url == ""


@pytest.mark.parametrize("kind", ["execution", "static_analysis", "quality"])
@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        "text",
        {"cases": "none", "findings": None, "functionality": [1, None], "metrics": [], "flags": "x", "seconds": "fast"},
        {"cases": [{}], "findings": [{"line": "12"}], "functionality": [{}], "metrics": {"program": None}},
    ],
    ids=["empty", "list", "text", "wrong types", "empty rows"],
)
def test_survives_any_content(kind: str, content: Any) -> None:
    panels = diagnosis([report(kind, content)])

    panel = {"execution": panels.execution, "static_analysis": panels.static, "quality": panels.quality}[kind]
    assert panel.status == "done"


@pytest.mark.django_db
def test_keeps_tests_that_did_not_run_apart_from_those_that_failed() -> None:
    program = make_perturbed(text="def total(prices, limit):\n    while True:\n        pass\n")

    panel = diagnosis(reports.build_for(program=program, kinds=["execution"])).execution

    assert [(case.name, case.outcome) for case in panel.troubled] == [("test_counts_the_limit", "timeout")]
    assert [case.name for case in panel.not_run] == ["test_empty"]
    assert [(outcome, number) for outcome, _word, number in panel.counts] == [("timeout", 1), ("not_run", 1)]
    assert not any(case.is_new for case in panel.not_run)


def test_says_what_does_not_compile_and_what_a_case_read() -> None:
    content = {
        "status": "build",
        "message": "line 3: expected ';'",
        "cases": [{"name": "case 1", "outcome": "failed", "expected": "2", "actual": "3", "input": "1 1\n"}],
    }

    panel = diagnosis([report("execution", content)]).execution

    assert (panel.word, panel.message) == ("does not compile", "line 3: expected ';'")
    assert panel.troubled[0].input == "1 1\n"
