"""The importers on the real benchmark slices."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from perturbation.importing import Row, formats
from perturbation.importing.load import import_requirements
from perturbation.languages import registry
from perturbation.languages.base import TestRun
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


def run_of(row: Row) -> TestRun:
    language = registry.get(row.language)
    return language.run_tests(program=row.reference, tests=row.tests, entry_point=row.entry_point, kind=row.test_kind)


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


def test_reads_both_forms_of_mbpp(shared_data: Path) -> None:
    full = rows_of("mbpp", shared_data / "mbpp" / "mbpp_001-300.jsonl")
    sanitized = rows_of("mbpp", shared_data / "mbpp" / "sanitized-mbpp_to-300.json")

    assert [row.external_id for row in full] == [str(number) for number in range(1, 301)]
    assert (len(sanitized), [row.external_id for row in sanitized if row.notes]) == (170, [])
    assert sum(bool(row.notes) for row in full) == 299
    for row in (*full, *sanitized):
        assert row.entry_point in row.text
        assert f"{row.entry_point}(" in row.tests
        assert "\r" not in row.reference + row.tests + row.text
    assert sum("\t" in row.reference for row in full) > 10


def test_reads_both_forms_of_bigcodebench_alike(shared_data: Path) -> None:
    folder = shared_data / "bigcodebench"
    public = rows_of("bigcodebench", folder / "BigCodeBench_0000-0199.jsonl")
    annotation = rows_of("bigcodebench", folder / "BigCodeBench_annotation-format_0000-0019.jsonl")

    assert [row.external_id for row in public] == [f"BigCodeBench/{number}" for number in range(200)]
    assert sum("'pandas'" in str(row.metadata["libs"]) for row in public) == 92
    assert len(annotation) == 20
    for ours, theirs in zip(public, annotation, strict=False):
        assert (ours.reference, ours.tests) == (theirs.reference, theirs.tests)


def test_reads_livecodebench_with_and_without_references(shared_data: Path) -> None:
    folder = shared_data / "livecodebench"
    path, side = (
        folder / "livecodebench_constructed_shared.jsonl",
        folder / "reference_sidecar_constructed_shared.jsonl",
    )

    bare = rows_of("livecodebench", path)
    with_programs = [row for row in formats.rows("livecodebench", path, references=side) if isinstance(row, Row)]

    assert (len(bare), sum(bool(row.reference) for row in bare)) == (30, 0)
    assert sum(bool(row.reference) for row in with_programs) == 30
    assert sum(row.test_kind == "stdin" for row in bare) == 12
    assert all(len(json.loads(row.tests)["cases"]) > 1 for row in bare)
    assert {row.test_kind for row in bare if row.entry_point} == {"calls"}


def test_reads_apps_from_folders_and_rows_alike(shared_data: Path) -> None:
    folder = shared_data / "apps_constructed"

    folders = rows_of("apps", folder)
    rows = rows_of("apps", folder / "apps_hf_rows_constructed_shared.jsonl")

    numbers = [*range(9000, 9010), 9050, 9051]
    assert [row.external_id for row in folders] == [f"{'test' if n > 9010 else 'train'}/{n}" for n in numbers]
    assert [row.external_id for row in rows] == [str(number) for number in numbers]
    assert [row.external_id for row in rows if not row.reference] == ["9050"]
    assert [row.external_id for row in rows if not row.tests] == ["9051"]
    by_number = {row.external_id: row for row in rows}
    for row in folders:
        other = by_number[row.external_id.partition("/")[2]]
        assert (row.references, row.tests, row.test_kind) == (other.references, other.tests, other.test_kind)


@pytest.mark.parametrize(
    ("source_format", "name", "step"),
    [
        ("humaneval", "humaneval/HumanEval_000-099.jsonl.gz", 20),
        ("humaneval-x", "humaneval_x/humaneval_python_000-099.jsonl", 20),
        ("mbpp", "mbpp/mbpp_001-300.jsonl", 60),
        ("mbpp", "mbpp/sanitized-mbpp_to-300.json", 40),
        ("apps", "apps_constructed/train", 3),
    ],
)
def test_some_references_pass_their_tests_in_the_sandbox(
    shared_data: Path, source_format: str, name: str, step: int
) -> None:
    for row in rows_of(source_format, shared_data / name)[::step]:
        run = run_of(row)

        assert run.status == "passed", (row.external_id, run.message)


def test_some_references_of_livecodebench_pass_and_no_other_program_does(shared_data: Path) -> None:
    folder = shared_data / "livecodebench"
    path, side = (
        folder / "livecodebench_constructed_shared.jsonl",
        folder / "reference_sidecar_constructed_shared.jsonl",
    )
    rows = [row for row in formats.rows("livecodebench", path, references=side) if isinstance(row, Row)]

    for row, other in zip(rows[::7], rows[3::7], strict=False):
        assert run_of(row).status == "passed", row.external_id
        assert run_of(replace(row, reference=other.reference)).status != "passed", row.external_id


def test_names_the_packages_that_a_task_of_bigcodebench_needs(shared_data: Path) -> None:
    rows = rows_of("bigcodebench", shared_data / "bigcodebench" / "BigCodeBench_0000-0199.jsonl")

    assert run_of(rows[1]).status == "passed"
    assert "pandas" in run_of(next(row for row in rows if "pandas" in str(row.metadata["libs"]))).missing
