"""What the readers of the source formats make of files, and of broken ones. No database."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from perturbation.importing import Refusal, Row, SourceUnreadable, axiom, formats, humaneval, humaneval_x, lines
from perturbation.importing.values import title_from

GOOD = {
    "external_id": "r1",
    "language": "python",
    "requirement": "Add two numbers.",
    "reference": "def add(a, b):\n    return a + b",
    "tests": "assert add(1, 2) == 3\n",
}


def jsonl(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def written(folder: Path, data: bytes) -> Path:
    path = folder / "rows.jsonl"
    path.write_bytes(data)
    return path


def read_axiom(folder: Path, data: bytes) -> list[Row | Refusal]:
    return list(axiom.read(written(folder, data)))


def only_refusal(rows: list[Row | Refusal]) -> Refusal:
    (refusal,) = rows
    assert isinstance(refusal, Refusal)
    return refusal


def only_row(rows: list[Row | Refusal]) -> Row:
    (row,) = rows
    assert isinstance(row, Row), row
    return row


def test_reads_a_row_of_the_interchange_format(tmp_path: Path) -> None:
    full = GOOD | {"entry_point": "add", "title": "Sum", "metadata": {"domain": "numbers"}, "schema_version": 1}

    row = only_row(read_axiom(tmp_path, jsonl(full)))

    assert (row.external_id, row.language, row.text, row.line) == ("r1", "python", "Add two numbers.", 1)
    assert row.reference == "def add(a, b):\n    return a + b\n"
    assert (row.tests, row.entry_point, row.title) == ("assert add(1, 2) == 3\n", "add", "Sum")
    assert (row.metadata, row.unknown_keys) == ({"domain": "numbers"}, ())


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_mark_crlf_and_blank_lines_do_not_shift_the_line_numbers(tmp_path: Path, pack: Any) -> None:
    text = b"\xef\xbb\xbf\r\n" + jsonl(GOOD).replace(b"\n", b"\r\n") + b"  \r\n" + jsonl(GOOD | {"external_id": "r2"})

    rows = read_axiom(tmp_path, pack(text))

    assert [row.line for row in rows if isinstance(row, Row)] == [2, 4]


def test_a_mark_before_the_first_row_is_no_part_of_it(tmp_path: Path) -> None:
    assert only_row(read_axiom(tmp_path, b"\xef\xbb\xbf" + jsonl(GOOD))).external_id == "r1"


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        (b'{"external_id": "r1",\n', "", "broken JSON at column"),
        (b"[1, 2]\n", "", "a list where a JSON object is expected"),
        (b"null\n", "", "null where a JSON object is expected"),
        (b'"text"\n', "", "a string where a JSON object is expected"),
        (b'{"a": "\xff"}\n', "", "not UTF-8 at byte 8 of the row"),
        (b'{"a": "\xed\xa0\x80"}\n', "", "not UTF-8"),
        (b'{"a": {"b": ["x", "\\ud800"]}}\n', "a.b[1]", "half of a character"),
        (b'{"a": "x\\u0000"}\n', "a", "a NUL character at position 2"),
        (b'{"a\\u0000": 1}\n', "(key)", "a NUL character"),
        (b'{"a": 1, "a": 2}\n', "a", "twice in one object"),
        (b'{"a": NaN}\n', "", "NaN is no JSON value"),
        (b'{"a": 1e999}\n', "", "too large"),
        (b'{"a": ' + b"1" * 5000 + b"}\n", "", "has 5000 digits"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "", "nested too deeply"),
    ],
)
def test_refuses_a_broken_line_and_goes_on(tmp_path: Path, data: bytes, field: str, message: str) -> None:
    first, second = read_axiom(tmp_path, data + jsonl(GOOD))

    assert isinstance(first, Refusal)
    assert (first.line, first.field) == (1, field)
    assert message in first.message
    assert isinstance(second, Row)


def test_refuses_an_overlong_line_without_reading_it_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1 << 20)

    first, second = read_axiom(tmp_path, b'{"a": "' + b"x" * (5 << 20) + b'"}\n' + jsonl(GOOD))

    assert isinstance(first, Refusal)
    assert str(first) == "line 1: longer than 1 MB: shorten or leave out this row."
    assert second.line == 2


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"external_id": None}, "external_id", "empty"),
        ({"external_id": 7}, "external_id", "must be a string, not a number"),
        ({"language": "Python"}, "language", "unknown language 'Python': use one of python, cpp, java"),
        ({"requirement": " \n"}, "requirement", "empty"),
        ({"reference": ["x"]}, "reference", "must be a string, not a list"),
        ({"tests": {"a": 1}}, "tests", "must be a string, not an object"),
        ({"metadata": []}, "metadata", "must be an object, not a list"),
        ({"schema_version": 2}, "schema_version", "reads version 1"),
        ({"schema_version": True}, "schema_version", "reads version 1"),
        ({"domain": "x", "metadata": {"domain": "y"}}, "domain", "keep the one in metadata"),
    ],
)
def test_refuses_a_wrong_value_by_field(tmp_path: Path, changes: dict[str, Any], field: str, message: str) -> None:
    refusal = only_refusal(read_axiom(tmp_path, jsonl(GOOD | changes)))

    assert (refusal.line, refusal.field) == (1, field)
    assert message in refusal.message


@pytest.mark.parametrize("name", ["external_id", "language", "requirement"])
def test_refuses_a_missing_key(tmp_path: Path, name: str) -> None:
    refusal = only_refusal(read_axiom(tmp_path, jsonl({key: value for key, value in GOOD.items() if key != name})))

    assert str(refusal) == f"line 1, {name}: missing: every row needs it."


def test_names_unknown_keys_and_keeps_their_values(tmp_path: Path) -> None:
    row = only_row(read_axiom(tmp_path, jsonl(GOOD | {"entrypoint": "add", "metadata": {"a": 1}})))

    assert row.unknown_keys == ("entrypoint",)
    assert row.metadata == {"a": 1, "entrypoint": "add"}


@pytest.mark.parametrize("missing", ["", "  \n", None])
def test_a_row_without_reference_or_tests_is_no_refusal(tmp_path: Path, missing: str | None) -> None:
    row = only_row(read_axiom(tmp_path, jsonl(GOOD | {"reference": missing, "tests": missing})))

    assert (row.reference, row.tests) == ("", "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "holds no rows"),
        (b"\n \r\n", "holds no rows"),
        (gzip.compress(jsonl(GOOD))[:-9], "damaged or cut-off gzip file"),
        (b"\x1f\x8bnonsense", "damaged or cut-off gzip file"),
        ("{}\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_refuses_an_unreadable_file(tmp_path: Path, data: bytes, message: str) -> None:
    path = written(tmp_path, data)

    with pytest.raises(SourceUnreadable, match=message):
        list(axiom.read(path))


def test_refuses_a_missing_path_and_a_folder_without_folders(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="does not exist"):
        list(axiom.read(tmp_path / "nothing.jsonl"))
    with pytest.raises(SourceUnreadable, match="holds no folders"):
        list(axiom.read(tmp_path))
    with pytest.raises(SourceUnreadable, match="is a folder"):
        list(humaneval.read(tmp_path))


def make_folder(root: Path, name: str = "add-numbers", **files: str) -> Path:
    folder = root / name
    folder.mkdir()
    contents = {
        "requirement.md": "Add.\n",
        "reference.py": "x = 1\n",
        "tests.py": "assert x\n",
        "metadata.json": '{"language": "python"}',
    } | files
    for file_name, text in contents.items():
        (folder / file_name).write_text(text)
    return folder


def test_reads_a_tree_in_the_order_of_its_names(tmp_path: Path) -> None:
    make_folder(tmp_path, "b", **{"metadata.json": '{"language": "python", "external_id": "B", "domain": "text"}'})
    make_folder(tmp_path, "a")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "README.md").write_text("not a requirement")

    first, second = axiom.read(tmp_path)

    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert (first.external_id, str(first.place), first.line) == ("a", "folder a", None)
    assert (second.external_id, second.metadata, second.unknown_keys) == ("B", {"domain": "text"}, ())
    assert (first.text, first.reference, first.tests) == ("Add.\n", "x = 1\n", "assert x\n")


@pytest.mark.parametrize(
    ("name", "text", "field", "message"),
    [
        ("metadata.json", "{", "", "broken JSON"),
        ("metadata.json", "{}", "language", "missing"),
        ("requirement.md", " ", "requirement.md", "empty"),
        ("reference.py", "x\x00", "reference.py", "NUL"),
    ],
)
def test_refuses_a_broken_folder_by_name(tmp_path: Path, name: str, text: str, field: str, message: str) -> None:
    make_folder(tmp_path, **{name: text})

    refusal = only_refusal(list(axiom.read(tmp_path)))

    assert (str(refusal.place), refusal.field) == ("folder add-numbers", field)
    assert message in refusal.message


def test_refuses_links_and_missing_files_and_names_files_it_does_not_know(tmp_path: Path) -> None:
    make_folder(tmp_path, "a", **{"notes.txt": "x"})
    (make_folder(tmp_path, "b") / "requirement.md").unlink()
    linked = make_folder(tmp_path, "c") / "tests.py"
    linked.unlink()
    linked.symlink_to(tmp_path / "a" / "notes.txt")

    first, second, third = axiom.read(tmp_path)

    assert isinstance(first, Row)
    assert first.unknown_keys == ("notes.txt",)
    assert str(second) == "folder b, requirement.md: missing: every folder needs it."
    assert str(third) == "folder c, tests.py: a symbolic link: put the file itself there."


HUMANEVAL = {
    "task_id": "HumanEval/7",
    "prompt": 'def add_two(a):\n    """Add two."""\n',
    "entry_point": "add_two",
    "canonical_solution": "    return a + 2\n",
    "test": "\n\ndef check(candidate):\n    assert candidate(1) == 3\n",
}


def test_puts_a_humaneval_program_and_its_tests_together(tmp_path: Path) -> None:
    row = only_row(list(humaneval.read(written(tmp_path, jsonl(HUMANEVAL)))))

    assert row.reference == 'def add_two(a):\n    """Add two."""\n    return a + 2\n'
    assert row.tests.endswith("assert candidate(1) == 3\n\ncheck(add_two)\n")
    assert (row.external_id, row.language, row.title) == ("HumanEval/7", "python", "Add two")
    exec(row.reference + row.tests, {})  # noqa: S102  a text of this file


def test_humaneval_rows_may_lack_solution_and_tests_but_not_the_entry_point(tmp_path: Path) -> None:
    bare = {key: HUMANEVAL[key] for key in ("task_id", "prompt", "entry_point")}

    row, refusal = humaneval.read(written(tmp_path, jsonl(bare, {"task_id": "x", "prompt": "y"})))

    assert isinstance(row, Row)
    assert (row.reference, row.tests) == ("", "")
    assert str(refusal) == "line 2, entry_point: missing: every row needs it."


def x_row(task_id: str, **values: str) -> dict[str, str]:
    return {
        "task_id": task_id,
        "prompt": "P\n",
        "declaration": "D\n",
        "canonical_solution": "S\n",
        "test": "T\n",
    } | values


@pytest.mark.parametrize(
    ("task_id", "language", "program"),
    [
        ("CPP/0", "cpp", "P\nS\n"),
        ("Java/0", "java", "P\nS\n"),
        ("JavaScript/0", "javascript", "P\nS\n"),
        ("Python/0", "python", "P\nS\n"),
        ("Rust/0", "rust", "D\nS\n"),
        ("Go/0", "go", "package main\nimport x\nP\nS\n"),
    ],
)
def test_puts_humaneval_x_programs_together_by_language(
    tmp_path: Path, task_id: str, language: str, program: str
) -> None:
    source = jsonl(x_row(task_id, test_setup="package main\n", **{"import": "import x"}))

    row = only_row(list(humaneval_x.read(written(tmp_path, source))))

    assert (row.language, row.reference, row.tests) == (language, program, "T\n")


def test_takes_the_imports_and_helpers_that_a_go_prompt_holds_once(tmp_path: Path) -> None:
    prompt = "import x\n\nfunc helper() {}\nD\n"
    source = jsonl(x_row("Go/10", test_setup="package main\n", prompt=prompt, **{"import": "import x\n"}))

    row = only_row(list(humaneval_x.read(written(tmp_path, source))))

    assert row.reference == f"package main\n{prompt}S\n"


def test_refuses_a_humaneval_file_read_as_humaneval_x(tmp_path: Path) -> None:
    refusal = only_refusal(list(humaneval_x.read(written(tmp_path, jsonl(HUMANEVAL)))))

    assert refusal.field == "task_id"
    assert refusal.message.endswith("HumanEval itself is read with --format humaneval.")


def test_refuses_a_format_that_is_not_there() -> None:
    with pytest.raises(SourceUnreadable, match=r"^format csv is not available; available: axiom, humaneval, .*\.$"):
        formats.reader("csv")


def test_makes_a_title_of_a_name() -> None:
    assert title_from("has_close_elements") == "Has close elements"
    assert title_from("hasCloseElements") == "Has close elements"
    assert title_from("") == ""
