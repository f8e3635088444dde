"""The importers on the real benchmark slices."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturbation.importing import Row, formats
from perturbation.importing.load import import_requirements
from perturbation.languages import registry
from perturbation.models import Program, Requirement

COUNT = 100
GRAMMAR_CANNOT_READ = ["CPP/22"]  # typeid(int): right C++, which the grammar takes for an error


def rows_of(name: str, path: Path) -> list[Row]:
    rows = list(formats.reader(name)(path))
    assert all(isinstance(row, Row) for row in rows)
    return [row for row in rows if isinstance(row, Row)]


def test_reads_humaneval_packed(shared_data: Path) -> None:
    rows = rows_of("humaneval", shared_data / "humaneval" / "HumanEval_000-099.jsonl.gz")

    assert [row.external_id for row in rows] == [f"HumanEval/{number}" for number in range(COUNT)]
    assert {row.language for row in rows} == {"python"}
    assert all(row.reference and row.tests and row.entry_point in row.reference for row in rows)


@pytest.mark.parametrize("name", ["cpp", "go", "java", "js", "python", "rust"])
def test_reads_humaneval_x_and_its_programs_parse(shared_data: Path, name: str) -> None:
    rows = rows_of("humaneval-x", shared_data / "humaneval_x" / f"humaneval_{name}_000-099.jsonl")

    assert len(rows) == COUNT
    assert all(row.entry_point and row.tests and row.text.strip() for row in rows)
    assert [row.external_id for row in rows if row.entry_point not in row.reference] == []
    broken = [row.external_id for row in rows if not registry.get(row.language).parses(row.reference)]
    assert broken == (GRAMMAR_CANNOT_READ if name == "cpp" else [])


@pytest.mark.django_db
def test_all_languages_of_humaneval_x_come_into_one_benchmark_once(shared_data: Path) -> None:
    files = sorted((shared_data / "humaneval_x").glob("*.jsonl"))
    rows = [row for path in files for row in rows_of("humaneval-x", path)]

    first = import_requirements(rows=rows, benchmark="x", source_format="humaneval-x")
    second = import_requirements(rows=rows, benchmark="x", source_format="humaneval-x")

    assert (first.created, first.refused, first.not_usable) == (6 * COUNT, (), 0)
    assert (second.created, second.unchanged) == (0, 6 * COUNT)
    assert Program.objects.filter(kind=Program.Kind.REFERENCE).count() == 6 * COUNT
    assert Requirement.objects.of("x").usable().filter(language="python").count() == COUNT


@pytest.mark.parametrize(
    ("source_format", "name"),
    [
        ("humaneval", "humaneval/HumanEval_000-099.jsonl.gz"),
        ("humaneval-x", "humaneval_x/humaneval_python_000-099.jsonl"),
    ],
)
def test_some_references_pass_their_tests_in_the_sandbox(shared_data: Path, source_format: str, name: str) -> None:
    for row in rows_of(source_format, shared_data / name)[::20]:
        run = registry.get("python").run_tests(program=row.reference, tests=row.tests, entry_point=row.entry_point)

        assert run.status == "passed", (row.external_id, run.message)
