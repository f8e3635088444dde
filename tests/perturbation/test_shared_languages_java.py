"""References of HumanEval-X in Java, from the shared data, through the real compiler and sandbox."""

from __future__ import annotations

from pathlib import Path

from perturbation.importing import Row
from perturbation.importing.humaneval_x import read
from perturbation.languages.base import TestRunStatus
from perturbation.languages.java import run_tests

FILE = Path(__file__).resolve().parents[3] / "shared" / "data" / "humaneval_x" / "humaneval_java_000-099.jsonl"


def test_passes_references_of_humaneval_x_and_fails_them_with_another_return() -> None:
    # Among them one whose tests are a loop instead of a list (50).
    rows = [row for row in read(FILE) if isinstance(row, Row)]
    chosen = [rows[number] for number in (0, 1, 22, 38, 50, 61, 87, 99)]

    runs = [run_tests(program=row.reference, tests=row.tests) for row in chosen]
    broken = run_tests(program=rows[0].reference.replace("return true", "return false"), tests=rows[0].tests)

    assert [run.status for run in runs] == [TestRunStatus.PASSED] * len(chosen)
    assert (broken.status, broken.message) == (TestRunStatus.FAILED, "3 of 7 cases passed")
