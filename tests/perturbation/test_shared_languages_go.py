"""References of HumanEval-X in Go, from the shared data, through the real compiler and sandbox."""

from __future__ import annotations

from pathlib import Path

from perturbation.importing import Row
from perturbation.importing.humaneval_x import read
from perturbation.languages.base import TestRunStatus
from perturbation.languages.go import run_tests

FILE = Path(__file__).resolve().parents[3] / "shared" / "data" / "humaneval_x" / "humaneval_go_000-099.jsonl"


def test_passes_references_of_humaneval_x_and_fails_them_with_another_return() -> None:
    # Among them programs without an import that they use (17, 59) and one with an import too many (27).
    rows = [row for row in read(FILE) if isinstance(row, Row)]
    chosen = [rows[number] for number in (0, 1, 17, 27, 33, 59, 80, 99)]

    runs = [run_tests(program=row.reference, tests=row.tests) for row in chosen]
    broken = run_tests(program=rows[0].reference.replace("return true", "return false"), tests=rows[0].tests)

    assert [run.status for run in runs] == [TestRunStatus.PASSED] * len(chosen)
    assert (broken.status, broken.cases[0].expected, broken.cases[0].actual) == (
        TestRunStatus.FAILED,
        "true",
        "false",
    )
