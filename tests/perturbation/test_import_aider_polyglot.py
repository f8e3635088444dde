"""Aider Polyglot: exercises in Exercism's layout, in six languages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from perturbation.files import split
from perturbation.importing import Refusal, Row, SourceUnreadable, aider_polyglot
from perturbation.importing.load import import_requirements
from perturbation.languages import registry
from perturbation.models import Requirement

TREE = Path(__file__).parent / "sources" / "polyglot"
EXERCISES = {
    "cpp": "tide-table",
    "go": "lamp-row",
    "java": "bead-string",
    "javascript": "ferry-fares",
    "python": "parcel-stacks",
    "rust": "snail-walk",
}


def folder_of(root: Path, language: str) -> Path:
    return root / language / "exercises" / "practice" / EXERCISES[language]


def read(path: Path) -> dict[str, Row]:
    rows = list(aider_polyglot.read(path))
    assert all(isinstance(row, Row) for row in rows), rows
    return {row.external_id: row for row in rows if isinstance(row, Row)}


def row_of(language: str) -> Row:
    (row,) = read(folder_of(TREE, language)).values()
    return row


def paths(text: str) -> list[str]:
    return [file.path for file in split(text)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TREE, tmp_path / "polyglot"))


def only_refusal(path: Path) -> Refusal:
    (refusal,) = aider_polyglot.read(path)
    assert isinstance(refusal, Refusal), refusal
    return refusal


def rewrite(path: Path, **roles: list[str]) -> None:
    config = json.loads((path / ".meta" / "config.json").read_text())
    config["files"] |= roles
    (path / ".meta" / "config.json").write_text(json.dumps(config))


def test_reads_the_whole_tree_a_language_and_an_exercise_under_the_same_ids() -> None:
    ids = [f"{language}/{exercise}" for language, exercise in EXERCISES.items()]

    assert list(read(TREE)) == ids
    assert list(read(TREE / "go")) == ["go/lamp-row"]
    assert list(read(folder_of(TREE, "rust"))) == ["rust/snail-walk"]
    assert list(read(folder_of(TREE, "rust").parent)) == ["rust/snail-walk"]
    assert [row.language for row in read(TREE).values()] == list(EXERCISES)


def test_puts_the_statement_together() -> None:
    row = row_of("python")

    assert row.text.startswith("# Introduction\n\nA depot piles its parcels.")
    assert row.text.index("# Instructions\n") < row.text.index("# Instructions append\n")
    assert row.text.endswith("for weights below 1.\n")
    assert (row.title, row.entry_point, row.test_kind) == ("Parcel stacks", "", "code")
    assert row.metadata["blurb"] == "Count the piles of a depot."


@pytest.mark.parametrize(
    ("language", "program", "tests"),
    [
        ("cpp", ["tide_table.h"], ["tide_table_test.cpp", "test/heights.hpp"]),
        ("go", ["lamp_row.go"], ["lamp_row_test.go", "cases_test.go", "go.mod"]),
        (
            "java",
            ["src/main/java/BeadString.java", "src/main/java/Run.java"],
            ["src/test/java/BeadStringTest.java"],
        ),
        ("javascript", ["ferry-fares.js"], ["ferry-fares.spec.js"]),
        ("python", ["parcel_stacks.py"], ["parcel_stacks_test.py", "checks.py"]),
        ("rust", ["src/lib.rs"], ["tests/snail-walk.rs", "Cargo.toml"]),
    ],
)
def test_puts_the_reference_in_the_stubs_place_and_finds_what_tests_need(
    language: str, program: list[str], tests: list[str]
) -> None:
    row = row_of(language)

    assert (paths(row.reference), paths(row.tests)) == (program, tests)
    assert registry.get(language).parses(row.reference)


@pytest.mark.parametrize("language", list(EXERCISES))
def test_each_reference_passes_all_tests_with_the_disabled_ones_and_a_stub_does_not(language: str) -> None:
    row = row_of(language)
    folder = folder_of(TREE, language)
    stubs = json.loads((folder / ".meta" / "config.json").read_text())["files"]["solution"]
    comment = registry.get(language).comment
    stub = "".join(
        f"{comment} ==== {path} ====\n{(folder / path).read_text()}" for path in stubs if "Cargo" not in path
    )

    right = registry.get(language).run_tests(program=row.reference, tests=row.tests)
    wrong = registry.get(language).run_tests(program=stub, tests=row.tests)

    assert right.status == "passed", right.message
    expected = {"cpp": 3, "go": 3, "java": 2, "javascript": 3, "python": 4, "rust": 3}
    assert len(right.cases) >= expected[language]
    assert wrong.status != "passed"


def test_several_examples_take_the_places_of_stubs_with_their_name_or_suffix(tree: Path) -> None:
    folder = folder_of(tree, "cpp")
    (folder / ".meta" / "example.cpp").write_text("int one;\n")
    (folder / ".meta" / "more.h").write_text("int two;\n")
    rewrite(folder, example=[".meta/more.h", ".meta/example.cpp", ".meta/example.h"], solution=["a/t.cpp", "a/more.h"])

    (row,) = read(folder).values()

    assert [(file.path, file.text.partition("\n")[0]) for file in split(row.reference)] == [
        ("a/more.h", "int two;"),
        ("a/t.cpp", "int one;"),
        ("a/example.h", "#pragma once"),
    ]


def test_finds_the_reference_where_the_config_names_none(tree: Path) -> None:
    for language in ("python", "java", "javascript"):
        rewrite(folder_of(tree, language), example=[])

    rows = read(tree)

    assert paths(rows["python/parcel-stacks"].reference) == ["parcel_stacks.py"]
    assert paths(rows["javascript/ferry-fares"].reference) == ["ferry-fares.js"]
    assert len(paths(rows["java/bead-string"].reference)) == 2


def test_takes_the_crates_of_the_example(tree: Path) -> None:
    text = '[package]\nname = "snail-walk"\n\n[dependencies]\nregex = "1"\n'
    (folder_of(tree, "rust") / ".meta" / "Cargo-example.toml").write_text(text)

    row = read(tree)["rust/snail-walk"]

    assert split(row.tests)[-1].text == text


def test_an_exercise_may_lack_reference_and_tests(tree: Path) -> None:
    folder = folder_of(tree, "go")
    (folder / ".meta" / "example.go").unlink()
    rewrite(folder, test=[])

    (row,) = read(folder).values()

    assert (row.reference, row.tests) == ("", "")


def test_turns_crlf_into_lf_and_says_so(tree: Path) -> None:
    example = folder_of(tree, "python") / ".meta" / "example.py"
    example.write_bytes(example.read_bytes().replace(b"\n", b"\r\n"))

    row = read(tree)["python/parcel-stacks"]

    assert "\r" not in row.reference
    assert row.notes == (("rows whose CRLF line ends became LF", 1),)
    assert row.reference == row_of("python").reference


def test_an_exercise_by_itself_has_the_language_of_its_stubs(tree: Path) -> None:
    alone = Path(shutil.move(folder_of(tree, "javascript"), tree.parent / "alone"))

    (row,) = read(alone).values()

    assert (row.external_id, row.language, str(row.place)) == ("javascript/alone", "javascript", "folder alone")


def test_refuses_broken_exercises_by_folder_and_goes_on(tree: Path) -> None:
    (folder_of(tree, "cpp") / ".meta" / "config.json").unlink()
    (folder_of(tree, "go") / ".docs" / "instructions.md").write_text(" \n")
    rewrite(folder_of(tree, "java"), test=["src/test/java/Gone.java"])
    rewrite(folder_of(tree, "javascript"), example=["../../../../python/exercises/practice/parcel-stacks/x.js"])
    (tree / "rust").rename(tree / "cobol")

    refused = [str(row) for row in aider_polyglot.read(tree) if isinstance(row, Refusal)]

    assert refused[
        0
    ] == "folder cobol/snail-walk, language: unknown language 'cobol': use one of python, cpp, java, " + (
        "javascript, go, rust."
    )
    assert refused[1:3] == [
        "folder cpp/tide-table, .meta/config.json: missing: every folder needs it.",
        "folder go/lamp-row, .docs/instructions.md: empty: write the statement that annotators read.",
    ]
    assert refused[3].endswith("files.test names 'src/test/java/Gone.java', which is not there.")
    assert "leads out of the exercise" in refused[4]
    assert len(refused) == 5


def test_refuses_links_out_of_the_exercise(tree: Path) -> None:
    secret = tree / "secret.py"
    secret.write_text("password = 1\n")
    example = folder_of(tree, "python") / ".meta" / "example.py"
    example.unlink()
    example.symlink_to(secret)

    assert "symbolic link" in only_refusal(folder_of(tree, "python")).message


@pytest.mark.django_db
def test_refuses_a_stub_outside_of_the_exercise(tree: Path) -> None:
    folder = folder_of(tree, "python")
    rewrite(folder, solution=["../parcel_stacks.py"])

    report = import_requirements(rows=aider_polyglot.read(folder), benchmark="b", source_format="aider-polyglot")

    assert [str(refusal) for refusal in report.refused] == [
        "folder python/parcel-stacks, reference: the file '../parcel_stacks.py' leads out of the program's folder: "
        "name one inside."
    ]
    assert not Requirement.objects.exists()


def test_refuses_a_line_that_looks_like_the_heading_of_a_file(tree: Path) -> None:
    example = folder_of(tree, "python") / ".meta" / "example.py"
    example.write_text("# ==== other.py ====\n" + example.read_text())

    assert "looks like the heading of a file" in only_refusal(folder_of(tree, "python")).message


def test_refuses_what_holds_no_exercises(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(SourceUnreadable, match="holds no exercises"):
        aider_polyglot.read(tmp_path)
    with pytest.raises(SourceUnreadable, match="is no folder"):
        aider_polyglot.read(tmp_path / "file")
