"""Reports are stored once per input and tool version, and the old ones are kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from perturbation import reports
from perturbation.models import Program, Report
from perturbation.reports import quality, static_analysis
from tests.factories import make_perturbed, make_program, make_requirement
from tests.model_server import Scripted, serve

pytestmark = pytest.mark.django_db


def current(program: Program, kind: str) -> Report:
    return program.reports.get(kind=kind, is_current=True)


def test_builds_one_report_of_each_kind() -> None:
    program = make_perturbed()

    built = reports.build_for(program=program)

    assert {report.kind: report.status for report in built} == {
        "execution": "done",
        "static_analysis": "done",
        "quality": "not_configured",
    }
    assert "AXIOM_LLM_BASE_URL" in current(program, "quality").content["message"]


def test_shows_what_each_test_did_beside_the_parent() -> None:
    program = make_perturbed()

    reports.build_for(program=program, kinds=["execution"])

    content = current(program, "execution").content
    outcomes = {case["name"]: (case["outcome"], case["parent_outcome"]) for case in content["cases"]}
    failing = next(case for case in content["cases"] if case["outcome"] == "failed")
    assert outcomes == {
        "test_counts_the_limit": ("failed", "passed"),
        "test_empty": ("passed", "passed"),
    }
    assert (failing["expected"], failing["actual"]) == ("3", "1")
    assert content["counts"] == {"failed": 1, "passed": 1}


def test_makes_nothing_twice() -> None:
    program = make_perturbed()
    first = reports.build_for(program=program)

    second = reports.build_for(program=program)

    assert [report.pk for report in second] == [report.pk for report in first]
    assert Report.objects.filter(program=program).count() == 3


def test_keeps_the_old_report_when_the_tool_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    program = make_program()
    old = reports.build_for(program=program, kinds=["static_analysis"])[0]
    monkeypatch.setattr(static_analysis, "tool_version", lambda language: "ruff 99, lizard 99")

    new = reports.build_for(program=program, kinds=["static_analysis"])[0]

    old.refresh_from_db()
    assert (old.is_current, new.is_current, new.tool_version) == (False, True, "ruff 99, lizard 99")


def test_stores_the_review_of_a_model(settings: Any) -> None:
    program = make_perturbed()
    answer = json.dumps({"summary": "Leaves out the limit itself.", "functionality": [], "quality": []})

    with serve(Scripted(answer)) as server:
        settings.AXIOM_LLM_BASE_URL = server.base_url
        settings.AXIOM_LLM_MODELS = ["scripted"]
        report = reports.build_for(program=program, kinds=["quality"])[0]

    assert report.status == "done"
    assert report.content["summary"] == "Leaves out the limit itself."
    assert report.tool_version == f"scripted; prompt {quality.PROMPT_VERSION}"


def test_tries_again_after_the_model_was_not_there(settings: Any) -> None:
    program = make_program()
    settings.AXIOM_LLM_BASE_URL = "http://127.0.0.1:9/v1"
    settings.AXIOM_LLM_RETRY_SECONDS = 0.01
    settings.AXIOM_LLM_MODELS = ["scripted"]
    failed = reports.build_for(program=program, kinds=["quality"])[0]
    answer = json.dumps({"summary": "Fine.", "functionality": [], "quality": []})

    with serve(Scripted(answer)) as server:
        settings.AXIOM_LLM_BASE_URL = server.base_url
        report = reports.build_for(program=program, kinds=["quality"])[0]

    assert failed.status == "failed"
    assert "did not answer" in failed.content["message"]
    assert (report.pk, report.status) == (failed.pk, "done")


def test_tells_a_reader_what_does_not_compile() -> None:
    parent = make_program(
        requirement=make_requirement(
            language="cpp",
            external_id="cpp-1",
            entry_point="two",
            tests="#include <cassert>\nint main() { assert(two() == 2); }\n",
        ),
        text="int two() { return 2; }\n",
    )
    program = make_perturbed(parent=parent, text="int two() { return tow(); }\n")

    reports.build_for(program=program, kinds=["execution"])

    content = current(program, "execution").content
    assert content["status"] == "build"
    assert "tow" in content["message"]
    assert program.verifications.get().message == content["message"]


def test_shows_what_a_case_of_standard_input_read() -> None:
    tests = json.dumps({"cases": [{"input": "1 2\n", "output": "3\n"}]})
    requirement = make_requirement(external_id="stdin-1", tests=tests, entry_point="")
    requirement.test_kind = "stdin"
    requirement.save(update_fields=["test_kind"])
    parent = make_program(requirement=requirement, text="print(sum(map(int, input().split())))\n")
    program = make_perturbed(parent=parent, text="print(max(map(int, input().split())))\n")

    reports.build_for(program=program, kinds=["execution"])

    (case,) = current(program, "execution").content["cases"]
    assert (case["input"], case["expected"], case["actual"]) == ("1 2\n", "3\n", "2\n")
