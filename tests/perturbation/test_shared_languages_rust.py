"""The Rust runner on real references of HumanEval-X, and on the same with a fault put in."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturbation.importing import Row
from perturbation.importing.humaneval_x import read
from perturbation.languages import prepare
from perturbation.languages.base import CaseOutcome, TestRunStatus
from perturbation.languages.rust import prepare_folder, run_tests


def row(shared_data: Path, number: int) -> Row:
    found = list(read(shared_data / "humaneval_x" / "humaneval_rust_000-099.jsonl"))[number]
    assert isinstance(found, Row)
    return found


@pytest.fixture(scope="module", autouse=True)
def _crates() -> None:
    prepare_folder(prepare.folder("rust"))


@pytest.mark.parametrize("number", [0, 1, 20, 38, 53, 70, 87, 95])
def test_passes_references(shared_data: Path, number: int) -> None:
    found = row(shared_data, number)

    run = run_tests(program=found.reference, tests=found.tests, entry_point=found.entry_point)

    assert (run.status, run.message) == (TestRunStatus.PASSED, "")
    assert {case.outcome for case in run.cases} == {CaseOutcome.PASSED}


def test_fails_a_reference_with_a_fault(shared_data: Path) -> None:
    found = row(shared_data, 53)
    faulty = found.reference.replace("x + y", "x - y")

    run = run_tests(program=faulty, tests=found.tests)

    assert faulty != found.reference
    assert (run.status, run.message) == (TestRunStatus.FAILED, "0 of 1 cases passed")


def test_says_that_commented_out_tests_hold_no_case(shared_data: Path) -> None:
    found = row(shared_data, 32)

    run = run_tests(program=found.reference, tests=found.tests)

    assert (run.status, run.message) == (TestRunStatus.ERROR, "the tests hold no case that ran")
