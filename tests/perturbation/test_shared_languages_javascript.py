"""References of HumanEval-X in JavaScript, from the shared data, through the real sandbox."""

from __future__ import annotations

import json
from pathlib import Path

from perturbation.languages.base import TestRunStatus
from perturbation.languages.javascript import run_tests

FILE = Path(__file__).resolve().parents[3] / "shared" / "data" / "humaneval_x" / "humaneval_js_000-099.jsonl"


def test_passes_the_references_of_humaneval_x_and_fails_their_stubs() -> None:
    rows = [json.loads(line) for line in FILE.read_text().splitlines()][::7]

    runs = [run_tests(program=row["prompt"] + row["canonical_solution"], tests=row["test"]) for row in rows]
    stubs = [run_tests(program=row["prompt"] + "}\n", tests=row["test"]) for row in rows]

    assert {run.status for run in runs} == {TestRunStatus.PASSED}
    assert TestRunStatus.PASSED not in {run.status for run in stubs}
