"""LiveCodeBench and APPS: programs that read standard input, functions that are called, references from elsewhere."""

from __future__ import annotations

import base64
import json
import os
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest

from perturbation.importing import Refusal, Row, SourceUnreadable, apps, cases, formats, livecodebench, packed
from perturbation.importing.references import choose, with_supplied_imports
from perturbation.importing.values import check_row
from perturbation.languages.outputs import CallCase, StdinCase, read_call_cases, read_stdin_cases


def pack(value: object, protocol: int = 4) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value, protocol))).decode()


def cases_of(testtype: str, *pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"input": given, "output": wanted, "testtype": testtype} for given, wanted in pairs]


STDIN = {
    "question_title": "Twice",
    "question_content": "Print twice the number.",
    "platform": "atcoder",
    "question_id": "abc_1",
    "contest_id": "abc",
    "contest_date": "2024-01-01T00:00:00",
    "starter_code": "",
    "difficulty": "easy",
    "public_test_cases": json.dumps(cases_of("stdin", ("1\n", "2\n"))),
    "private_test_cases": json.dumps(cases_of("stdin", ("1\n", "2\n"), ("5\n", "10\n"))),
    "metadata": "{}",
}
FUNCTIONAL = STDIN | {
    "question_id": "f_1",
    "starter_code": "class Solution:\n    def pick(self, values: List[int], at: int) -> int:\n        ",
    "public_test_cases": json.dumps(cases_of("functional", ("[1, 2]\n0", "1"))),
    "private_test_cases": json.dumps(cases_of("functional", ("[3, 4]\n1\n", "4"), ('["a"]\n0', '"a"'))),
    "metadata": '{"func_name": "pick"}',
}


def written(folder: Path, *rows: dict[str, Any], name: str = "rows.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read_lcb(folder: Path, *rows: dict[str, Any], programs: list[dict[str, Any]] | None = None) -> list[Row | Refusal]:
    side = written(folder, *programs, name="side.jsonl") if programs else None
    return list(formats.rows("livecodebench", written(folder, *rows), references=side))


def only_row(rows: list[Row | Refusal]) -> Row:
    (row,) = rows
    assert isinstance(row, Row), row
    check_row(row)
    return row


def only_refusal(rows: list[Row | Refusal]) -> Refusal:
    (refusal,) = rows
    assert isinstance(refusal, Refusal), refusal
    return refusal


def test_reads_programs_of_standard_input_once_per_case(tmp_path: Path) -> None:
    row = only_row(read_lcb(tmp_path, STDIN))

    assert (row.external_id, row.language, row.title, row.test_kind) == ("abc_1", "python", "Twice", "stdin")
    assert read_stdin_cases(row.tests) == [StdinCase("case 1", "1\n", "2\n"), StdinCase("case 2", "5\n", "10\n")]
    assert (row.text, row.entry_point, row.references) == ("Print twice the number.\n", "", ())
    assert row.metadata == {
        "platform": "atcoder",
        "contest_id": "abc",
        "contest_date": "2024-01-01T00:00:00",
        "difficulty": "easy",
    }


def test_reads_functional_cases_as_calls(tmp_path: Path) -> None:
    row = only_row(read_lcb(tmp_path, FUNCTIONAL))

    assert (row.test_kind, row.entry_point, row.metadata["func_name"]) == ("calls", "pick", "pick")
    assert read_call_cases(row.tests) == [
        CallCase("case 1", ([1, 2], 0), 1),
        CallCase("case 2", ([3, 4], 1), 4),
        CallCase("case 3", (["a"], 0), "a"),
    ]
    assert row.text.endswith(
        "\n\nStart from this code:\n\nclass Solution:\n    def pick(self, values: List[int], at: int) -> int:\n"
    )


def test_reads_the_functions_name_from_the_starter_code_where_metadata_has_none(tmp_path: Path) -> None:
    assert only_row(read_lcb(tmp_path, FUNCTIONAL | {"metadata": "{}"})).entry_point == "pick"


@pytest.mark.parametrize("protocol", range(6))
def test_reads_packed_tests_of_every_pickle_protocol(tmp_path: Path, protocol: int) -> None:
    text = json.dumps(cases_of("stdin", ("é\n", "ü\n"), ("5\n", "10\n" * 300)), ensure_ascii=False)

    row = only_row(read_lcb(tmp_path, STDIN | {"private_test_cases": pack(text, protocol)}))

    assert [case.output for case in read_stdin_cases(row.tests)] == ["2\n", "ü\n", "10\n" * 300]


class Exploit:
    """A pickle that makes a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", range(6))
def test_refuses_a_pickle_that_would_run_code_and_runs_nothing(tmp_path: Path, protocol: int) -> None:
    target = tmp_path / "made"
    exploit = pack(Exploit(target), protocol)
    pickle.loads(zlib.decompress(base64.b64decode(exploit)))  # noqa: S301  it does what it is for
    assert target.is_dir()
    target.rmdir()

    refusal = only_refusal(read_lcb(tmp_path, STDIN | {"private_test_cases": exploit}))

    assert not target.exists()
    assert (refusal.line, refusal.field) == (1, "private_test_cases")
    assert "nothing of it was run" in refusal.message
    assert "\n" not in refusal.message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("!!", "neither JSON nor base64"),
        (base64.b64encode(b"no zlib").decode(), "damaged compressed text"),
        (base64.b64encode(zlib.compress(b"x" * 5000)[:-9]).decode(), "cut off"),
        (base64.b64encode(zlib.compress(b"")).decode(), "no pickled string"),
        (base64.b64encode(zlib.compress(b"\x80\x04\x8c\xff")).decode(), "no pickled string"),
        (pack(["[]"]), "pickle opcode EMPTY_LIST"),
        (pack(b"[]"), "packs something else than a string"),
        (pack("[3"), "broken JSON"),
        (pack("[3]"), "must hold a JSON list of objects"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_refuses_packed_tests_that_are_none_in_one_line(tmp_path: Path, value: str, message: str) -> None:
    refusal = only_refusal(read_lcb(tmp_path, STDIN | {"private_test_cases": value}))

    assert refusal.field == "private_test_cases"
    assert message in refusal.message
    assert "\n" not in str(refusal)


def test_refuses_a_bomb_without_unpacking_it_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_UNPACKED", 1 << 20)

    refusal = only_refusal(read_lcb(tmp_path, STDIN | {"private_test_cases": pack(" " * (50 << 20))}))

    assert refusal.message == "unpacks to more than 1 MB: leave out this row."


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"public_test_cases": json.dumps(cases_of("file", ("1", "2")))}, "public_test_cases", "testtype must be"),
        ({"public_test_cases": '[{"input": 1, "output": "", "testtype": "stdin"}]'}, "input", "one has a number"),
        ({"metadata": "[]"}, "metadata", "must hold an object, not a list"),
        ({"question_id": ""}, "question_id", "empty"),
        ({"question_content": " "}, "question_content", "empty"),
    ],
)
def test_refuses_a_wrong_value_of_livecodebench_by_field(
    tmp_path: Path, changes: dict[str, Any], field: str, message: str
) -> None:
    refusal = only_refusal(read_lcb(tmp_path, STDIN | changes))

    assert refusal.field == field
    assert message in refusal.message


def test_refuses_an_argument_that_is_no_json(tmp_path: Path) -> None:
    broken = json.dumps(cases_of("functional", ("[1, 2]\n1 2", "1")))

    refusal = only_refusal(read_lcb(tmp_path, FUNCTIONAL | {"public_test_cases": broken}))

    assert str(refusal) == "line 1, input: broken JSON at column 3 (Extra data): complete JSON is expected."


def test_takes_references_from_the_side_file_in_its_order(tmp_path: Path) -> None:
    programs = [
        {"question_id": "abc_1", "language": "python", "code": "print(2 * int(input()))", "derived_from": "x"},
        {"question_id": "other", "language": "go", "code": "package main"},
        {"question_id": "abc_1", "language": "python", "code": "n = int(input())\r\nprint(n + n)\r\n"},
    ]

    row = only_row(read_lcb(tmp_path, STDIN, programs=programs))

    assert row.references == ("print(2 * int(input()))\n", "n = int(input())\nprint(n + n)\n")
    assert row.notes == (("rows whose CRLF line ends became LF", 1),)


def test_the_language_of_a_row_is_that_of_its_references(tmp_path: Path) -> None:
    go = {"question_id": "abc_1", "language": "go", "code": "package main\n"}

    assert only_row(read_lcb(tmp_path, STDIN, programs=[go])).language == "go"
    refusal = only_refusal(read_lcb(tmp_path, STDIN, programs=[go, go | {"language": "rust"}]))
    assert "are in go, rust: give one language a side file" in refusal.message


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ({"question_id": "abc_1", "language": "Python", "code": "x"}, r"side\.jsonl, line 1, language: unknown"),
        ({"question_id": "abc_1", "language": "python"}, r"side\.jsonl, line 1, code: missing"),
        ({"language": "python", "code": "x"}, r"side\.jsonl, line 1, question_id: missing"),
    ],
)
def test_refuses_a_broken_side_file_as_a_whole(tmp_path: Path, program: dict[str, str], message: str) -> None:
    with pytest.raises(SourceUnreadable, match=message):
        read_lcb(tmp_path, STDIN, programs=[program])


def test_leaves_out_cases_that_make_the_tests_too_large_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases, "MAX_CHARACTERS", 100)
    large = json.dumps(cases_of("stdin", ("1" * 200, "2"), ("3\n", "6\n")))

    row = only_row(read_lcb(tmp_path, STDIN | {"private_test_cases": large}))

    assert [case.input for case in read_stdin_cases(row.tests)] == ["1\n", "3\n"]
    assert row.notes == ((cases.LEFT_OUT, 1),)


def make_problem(root: Path, name: str = "train/0001", **files: object) -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    contents: dict[str, object] = {
        "question.txt": "Print twice the number.\n",
        "solutions.json": ["print(2 * int(input()))", "n = int(input())\nprint(n + n)"],
        "input_output.json": {"inputs": ["1\n", ["2", "3"]], "outputs": ["2\n", ["4"]]},
        "metadata.json": {"difficulty": "interview", "url": "nowhere"},
    } | files
    for file_name, value in contents.items():
        if value is not None:
            (folder / file_name).write_text(value if isinstance(value, str) else json.dumps(value))
    return folder


CALLS = {"fn_name": "pick", "inputs": [[[1, 2], 0], [["a"], 0]], "outputs": [1, "a"]}


def test_reads_a_folder_of_apps_with_several_right_programs(tmp_path: Path) -> None:
    make_problem(tmp_path)

    row = only_row(list(apps.read(tmp_path)))

    assert (row.external_id, str(row.place), row.language) == ("train/0001", "folder train/0001", "python")
    assert row.references == ("print(2 * int(input()))\n", "n = int(input())\nprint(n + n)\n")
    assert row.test_kind == "stdin"
    assert read_stdin_cases(row.tests) == [StdinCase("case 1", "1\n", "2\n"), StdinCase("case 2", "2\n3\n", "4\n")]
    assert row.metadata == {"difficulty": "interview", "url": "nowhere"}
    assert (row.text, row.title) == ("Print twice the number.\n", "Print twice the number")


def test_reads_a_whole_tree_a_half_of_it_and_one_problem_under_the_same_ids(tmp_path: Path) -> None:
    for name in ("train/0002", "train/0001", "test/0001"):
        make_problem(tmp_path, name)

    def ids(path: Path) -> list[str]:
        return [row.external_id for row in apps.read(path) if isinstance(row, Row)]

    assert ids(tmp_path) == ["train/0001", "train/0002", "test/0001"]
    assert ids(tmp_path / "train") == ["train/0001", "train/0002"]
    assert ids(tmp_path / "test" / "0001") == ["test/0001"]


def test_reads_call_based_problems_of_apps(tmp_path: Path) -> None:
    make_problem(tmp_path, **{"input_output.json": CALLS, "starter_code.py": "def pick(values, at):\n\t"})

    row = only_row(list(apps.read(tmp_path)))

    assert (row.test_kind, row.entry_point, row.title) == ("calls", "pick", "Pick")
    assert read_call_cases(row.tests) == [CallCase("case 1", ([1, 2], 0), 1), CallCase("case 2", (["a"], 0), "a")]
    assert row.text == "Print twice the number.\n\nStart from this code:\n\ndef pick(values, at):\n"


@pytest.mark.parametrize(("outputs", "is_wrapped"), [([[1], ["a"]], True), ([[1], "a"], False), ([[1, 2], []], False)])
def test_marks_outputs_that_are_all_wrapped_in_a_list(
    tmp_path: Path, outputs: list[object], *, is_wrapped: bool
) -> None:
    make_problem(tmp_path, **{"input_output.json": CALLS | {"outputs": outputs}})

    row = only_row(list(apps.read(tmp_path)))

    assert {case.is_wrapped for case in read_call_cases(row.tests)} == {is_wrapped}


@pytest.mark.parametrize(
    ("files", "has_program", "has_tests"),
    [
        ({"solutions.json": None}, False, True),
        ({"solutions.json": ""}, False, True),
        ({"solutions.json": []}, False, True),
        ({"input_output.json": None}, True, False),
        ({"input_output.json": {"inputs": [], "outputs": []}}, True, False),
        ({"metadata.json": None}, True, True),
    ],
)
def test_a_problem_of_apps_may_lack_solutions_tests_and_metadata(
    tmp_path: Path, files: dict[str, object], *, has_program: bool, has_tests: bool
) -> None:
    make_problem(tmp_path, **files)

    row = only_row(list(apps.read(tmp_path)))

    assert (bool(row.reference), bool(row.tests)) == (has_program, has_tests)


@pytest.mark.parametrize(
    ("files", "field", "message"),
    [
        ({"question.txt": None}, "question.txt", "missing"),
        ({"question.txt": "\n"}, "question", "empty"),
        ({"solutions.json": {"a": 1}}, "solutions", "a JSON list of program texts"),
        ({"solutions.json": "["}, "solutions", "broken JSON"),
        ({"input_output.json": []}, "input_output", "must hold an object, not a list"),
        ({"input_output.json": {"inputs": ["1"], "outputs": []}}, "input_output", "1 inputs and 0 outputs"),
        ({"input_output.json": {"inputs": [1], "outputs": [1]}}, "input_output", "texts or lists of lines"),
        ({"input_output.json": CALLS | {"inputs": [1, 2]}}, "input_output", "a list of arguments, not a number"),
        ({"metadata.json": "[]"}, "", "a list where a JSON object is expected"),
    ],
)
def test_refuses_a_broken_problem_by_folder(tmp_path: Path, files: dict[str, object], field: str, message: str) -> None:
    make_problem(tmp_path, **files)

    refusal = only_refusal(list(apps.read(tmp_path)))

    assert (str(refusal.place), refusal.field) == ("folder train/0001", field)
    assert message in refusal.message


def test_refuses_a_folder_without_problems(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="holds no problems"):
        list(apps.read(tmp_path))


def test_reads_rows_of_apps_like_folders(tmp_path: Path) -> None:
    make_problem(tmp_path)
    folder = only_row(list(apps.read(tmp_path)))
    texts = {name: (tmp_path / "train/0001" / f"{name}.json").read_text() for name in ("solutions", "input_output")}
    values = {"problem_id": 1, "question": "Print twice the number.\n", "starter_code": "", **texts}

    row = only_row(list(apps.read(written(tmp_path, values | {"difficulty": "interview", "url": "nowhere"}))))
    bare = only_row(list(apps.read(written(tmp_path, values | {"solutions": "", "input_output": ""}))))

    assert (row.external_id, str(row.place)) == ("1", "line 1")
    for name in ("text", "references", "tests", "test_kind", "metadata", "title"):
        assert getattr(row, name) == getattr(folder, name)
    assert (bare.references, bare.tests) == ((), "")


def test_keeps_five_right_programs_those_that_python_reads_first() -> None:
    texts = ["print 1", "", "x = 1\n", "x = 1", *(f"x = {number}" for number in range(2, 8))]

    chosen = choose(texts, language="python")

    assert (chosen.reference, chosen.alternatives) == ("x = 1\n", ("x = 2\n", "x = 3\n", "x = 4\n", "x = 5\n"))
    assert chosen.notes == (("right programs left out, because 5 are kept for a row", 3),)


def test_keeps_a_program_that_python_does_not_read_where_there_is_room() -> None:
    chosen = choose(["print 1", "print(1)"], language="python")

    assert (chosen.reference, chosen.alternatives, chosen.notes) == ("print(1)\n", ("print 1\n",), ())


def test_adds_the_imports_that_a_judge_supplies() -> None:
    text = "class Solution:\n    def f(self, a: List[int]) -> int:\n        return math.gcd(*a) + sum(Counter(a))\n"

    chosen = choose([text], language="python")

    assert chosen.reference == f"import math\nfrom typing import List\nfrom collections import Counter\n\n{text}"
    assert chosen.notes == (("programs that got the imports which their judge supplies", 1),)
    exec(chosen.reference, {})  # noqa: S102  a text of this file
    assert choose([text], language="go").reference == text


@pytest.mark.parametrize(
    "text",
    [
        "from collections import Counter\nprint(Counter())\n",
        "import math as m\nprint(m.pi)\n",
        "def gcd(a, b):\n    return a\nprint(gcd(1, 2))\n",
        "for count in range(3):\n    print(count)\n",
        "print(lambda product: product)\n",
        "from __future__ import annotations\nx: List[int]\n",
        "print(undefined)\n",
        "print 1\n",
    ],
)
def test_leaves_programs_alone_that_import_or_define_what_they_use(text: str) -> None:
    assert with_supplied_imports(text) == text


def test_other_formats_take_no_side_file(tmp_path: Path) -> None:
    side = written(tmp_path, STDIN)

    with pytest.raises(SourceUnreadable, match="--references is not taken by format apps"):
        formats.rows("apps", tmp_path, references=side)
    assert list(livecodebench.read(side))
