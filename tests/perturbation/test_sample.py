"""The bundled sample: every requirement is complete and large enough to perturb.

Whether the references pass their tests is a matter of the sandbox, tested where that is.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

import perturbation

SAMPLE = Path(perturbation.__file__).parent / "sample"
FOLDERS = sorted(path for path in SAMPLE.iterdir() if path.is_dir() and not path.name.startswith("_"))
FILES = {"requirement.md", "reference.py", "tests.py", "metadata.json"}
METADATA_KEYS = {"external_id", "language", "entry_point", "domain", "title"}

each_requirement = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def _metadata(folder: Path) -> dict[str, str]:
    metadata: dict[str, str] = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
    return metadata


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _definitions(tree: ast.Module) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def test_holds_at_least_24_requirements_of_at_least_7_domains() -> None:
    domains = Counter(_metadata(folder)["domain"] for folder in FOLDERS)

    assert len(FOLDERS) >= 24
    assert len(domains) >= 7


def test_gives_every_requirement_a_title_of_its_own() -> None:
    titles = [_metadata(folder)["title"] for folder in FOLDERS]

    assert [title for title, count in Counter(titles).items() if count > 1] == []


@each_requirement
def test_has_exactly_the_four_files(folder: Path) -> None:
    names = {path.name for path in folder.iterdir() if not path.name.startswith("__")}

    assert names == FILES


@each_requirement
def test_has_metadata_that_fit_the_folder_and_the_reference(folder: Path) -> None:
    metadata = _metadata(folder)

    assert metadata.keys() == METADATA_KEYS
    assert all(value.strip() == value != "" for value in metadata.values())
    assert metadata["external_id"] == folder.name
    assert metadata["language"] == "python"
    assert metadata["entry_point"] in _definitions(_tree(folder / "reference.py"))


@each_requirement
def test_states_the_requirement_in_80_to_250_words_and_names_the_entry_point(folder: Path) -> None:
    statement = (folder / "requirement.md").read_text(encoding="utf-8")

    assert 80 <= len(statement.split()) <= 250
    assert f"{_metadata(folder)['entry_point']}(" in statement


@each_requirement
def test_has_a_reference_of_20_to_80_lines(folder: Path) -> None:
    lines = (folder / "reference.py").read_text(encoding="utf-8").splitlines()

    assert 20 <= len(lines) <= 80


@each_requirement
def test_documents_and_annotates_the_reference(folder: Path) -> None:
    tree = _tree(folder / "reference.py")
    public = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    undocumented = [node.name for node in public if not node.name.startswith("_") and not ast.get_docstring(node)]
    unannotated = [
        function.name
        for function in _functions(tree)
        if function.returns is None
        or any(argument.annotation is None for argument in function.args.args if argument.arg != "self")
    ]

    assert undocumented == []
    assert unannotated == []


@each_requirement
def test_has_at_least_8_tests_that_each_assert_something(folder: Path) -> None:
    tree = _tree(folder / "tests.py")
    tests = [function for function in _functions(tree) if function.name.startswith("test_")]
    # A refusal may be asserted by raising AssertionError where nothing was raised.
    idle = [test.name for test in tests if not any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(test))]

    assert len(tests) >= 8
    assert len({test.name for test in tests}) == len(tests)
    assert idle == []


@each_requirement
def test_runs_its_tests_without_importing_the_program(folder: Path) -> None:
    tree = _tree(folder / "tests.py")
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    assert imported <= sys.stdlib_module_names


@each_requirement
def test_tests_only_what_the_statement_names(folder: Path) -> None:
    statement = (folder / "requirement.md").read_text(encoding="utf-8")
    tree = _tree(folder / "tests.py")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    from_reference = used & _definitions(_tree(folder / "reference.py")).keys()

    assert from_reference
    assert [name for name in sorted(from_reference) if f"{name}(" not in statement] == []
