"""The pipeline on real problems that its rules were not written for."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import Count

from perturbation.models import Program

pytestmark = pytest.mark.django_db

PROBLEMS = 10
CELLS = PROBLEMS * 4


def run(*arguments: str) -> dict[str, object]:
    output = StringIO()
    call_command(*arguments, "--json", stdout=output)
    counts: dict[str, object] = json.loads(output.getvalue().splitlines()[-1])
    return counts


def test_fills_nine_cells_in_ten_of_unseen_problems(shared_data: Path) -> None:
    source = str(shared_data / "humaneval_x" / "humaneval_python_000-099.jsonl")
    run("import_requirements", source, "--format", "humaneval-x", "--benchmark", "hx", "--sample", "10", "--seed", "3")

    verified = run("verify", "--benchmark", "hx", "--inline")
    run("perturb", "--benchmark", "hx", "--inline", "--seed", "3")

    perturbed = Program.objects.accepted().filter(kind=Program.Kind.PERTURBED)
    cells = perturbed.values("requirement", "target_score").annotate(programs=Count("pk"))
    pairs = Program.objects.accepted().filter(kind=Program.Kind.DISRUPTED)
    assert verified["accepted"] == PROBLEMS
    assert sum(cell["programs"] == 2 for cell in cells) >= 0.9 * CELLS
    assert sorted(pairs.values("requirement").annotate(programs=Count("pk")).values_list("programs", flat=True)) == (
        [2] * PROBLEMS
    )
