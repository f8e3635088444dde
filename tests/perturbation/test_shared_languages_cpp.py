"""The C++ runner on real references of HumanEval-X, and on the same with a fault put in."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturbation.importing import Row
from perturbation.importing.humaneval_x import read
from perturbation.languages.base import CaseOutcome, TestRunStatus
from perturbation.languages.cpp import run_tests


def row(shared_data: Path, number: int) -> Row:
    found = list(read(shared_data / "humaneval_x" / "humaneval_cpp_000-099.jsonl"))[number]
    assert isinstance(found, Row)
    return found


# 22 needs Boost, 32 compares real numbers, 38 draws at random, 1 and 95 have helpers in the tests.
@pytest.mark.parametrize("number", [0, 1, 22, 32, 38, 50, 87, 95])
def test_passes_references(shared_data: Path, number: int) -> None:
    found = row(shared_data, number)

    run = run_tests(program=found.reference, tests=found.tests, entry_point=found.entry_point)

    assert (run.status, run.message) == (TestRunStatus.PASSED, "")
    assert {case.outcome for case in run.cases} == {CaseOutcome.PASSED}


def test_fails_a_reference_with_a_fault(shared_data: Path) -> None:
    found = row(shared_data, 0)
    faulty = found.reference.replace("<threshold", ">threshold")

    run = run_tests(program=faulty, tests=found.tests)

    assert faulty != found.reference
    assert (run.status, run.message) == (TestRunStatus.FAILED, "4 of 7 cases passed")
    assert (run.cases[1].expected, run.cases[1].actual) == ("false", "true")
