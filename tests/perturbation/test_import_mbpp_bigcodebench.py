"""MBPP and BigCodeBench in both of their published forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perturbation.importing import Refusal, Row, SourceUnreadable, bigcodebench, mbpp

FULL = {
    "text": "Write a function to add up a list.",
    "code": "import math\r\ndef helper(a):\r\n\treturn a\r\ndef add_up(values): \r\n\treturn helper(sum(values))",
    "task_id": 7,
    "test_setup_code": "zero = 0",
    "test_list": ["assert add_up([1, 2]) == 3", "assert add_up([]) == zero"],
    "challenge_test_list": ["assert add_up([-1]) == -1"],
}
SANITIZED = {
    "source_file": "a notebook",
    "task_id": 8,
    "prompt": "Write a function to halve a number.",
    "code": "def halve(a):\n    return a / 2",
    "test_imports": ["import math"],
    "test_list": ["assert math.isclose(halve(3), 1.5)"],
}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def rows_of(reader: Any, folder: Path, text: str) -> list[Row | Refusal]:
    path = folder / "source"
    path.write_text(text)
    return list(reader(path))


def only_row(reader: Any, folder: Path, values: dict[str, Any]) -> Row:
    (row,) = rows_of(reader, folder, lines(values))
    assert isinstance(row, Row), row
    return row


def only_refusal(reader: Any, folder: Path, values: dict[str, Any]) -> Refusal:
    (refusal,) = rows_of(reader, folder, lines(values))
    assert isinstance(refusal, Refusal), refusal
    return refusal


def test_reads_a_row_of_the_full_mbpp(tmp_path: Path) -> None:
    row = only_row(mbpp.read, tmp_path, FULL)

    assert (row.external_id, row.language, row.entry_point, row.title) == ("7", "python", "add_up", "Add up")
    assert row.text == (
        "Write a function to add up a list.\n\nYour code should pass this test: assert add_up([1, 2]) == 3\n"
    )
    assert row.tests == ("zero = 0\nassert add_up([1, 2]) == 3\nassert add_up([]) == zero\nassert add_up([-1]) == -1\n")
    assert (row.metadata, row.unknown_keys, row.test_kind) == ({}, (), "code")
    exec(row.reference + row.tests, {})  # noqa: S102  a text of this file


def test_turns_crlf_into_lf_keeps_tabs_and_says_so(tmp_path: Path) -> None:
    row = only_row(mbpp.read, tmp_path, FULL)

    assert row.reference == (
        "import math\ndef helper(a):\n\treturn a\ndef add_up(values): \n\treturn helper(sum(values))\n"
    )
    assert row.notes == (("rows whose CRLF line ends became LF", 1),)
    assert only_row(mbpp.read, tmp_path, FULL | {"code": "def add_up(v):\n\treturn sum(v)\n"}).notes == ()
    cut_off = only_row(mbpp.read, tmp_path, FULL | {"code": "def add_up(v):\r\n\treturn sum(v)\r"})
    assert cut_off.reference == "def add_up(v):\n\treturn sum(v)\n"


def test_reads_the_sanitized_mbpp_as_one_array(tmp_path: Path) -> None:
    (row,) = rows_of(mbpp.read, tmp_path, json.dumps([SANITIZED], indent=1))

    assert isinstance(row, Row)
    assert (row.external_id, str(row.place), row.entry_point) == ("8", "entry 1", "halve")
    assert row.tests == "import math\nassert math.isclose(halve(3), 1.5)\n"
    assert row.metadata == {"source_file": "a notebook"}


@pytest.mark.parametrize(
    "test",
    [
        "assert set(wanted(1)) == set([1])",
        "assert not wanted(1)",
        "assert math.isclose(wanted(1), 1.0, rel_tol=0.1)",
        "assert (wanted(1)) == (helper(1))",
        "assert sorted(list(wanted(helper(1))), key=str) == [1]",
        "assert 3 == wanted(helper(1))",
    ],
)
def test_reads_the_functions_name_from_the_asserts(tmp_path: Path, test: str) -> None:
    code = "def helper(a):\n    return a\n\ndef wanted(a):\n    return a\n\ndef unused():\n    pass\n"

    assert only_row(mbpp.read, tmp_path, FULL | {"code": code, "test_list": [test]}).entry_point == "wanted"


def test_an_mbpp_row_may_lack_code_and_tests(tmp_path: Path) -> None:
    row = only_row(mbpp.read, tmp_path, {"task_id": 1, "text": "Write a function."})

    assert (row.reference, row.tests, row.entry_point) == ("", "", "")
    assert row.text == "Write a function.\n"


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"task_id": None}, "task_id", "empty"),
        ({"task_id": True}, "task_id", "must be a string"),
        ({"test_list": "assert f()"}, "test_list", "must be a list of strings, not text"),
        ({"test_list": ["assert ("]}, "test_list", "no valid Python"),
        ({"text": ""}, "text", "empty"),
    ],
)
def test_refuses_a_wrong_value_of_mbpp_by_field(
    tmp_path: Path, changes: dict[str, Any], field: str, message: str
) -> None:
    refusal = only_refusal(mbpp.read, tmp_path, FULL | changes)

    assert (refusal.line, refusal.field) == (1, field)
    assert message in refusal.message


def test_refuses_entries_of_an_array_by_number(tmp_path: Path) -> None:
    first, second, third = rows_of(mbpp.read, tmp_path, json.dumps([3, SANITIZED, {"task_id": "\ud800"}]))

    assert str(first) == "entry 1: a number where a JSON object is expected: write one {...} a row."
    assert isinstance(second, Row)
    assert str(third).startswith("entry 3, task_id: holds half of a character")


@pytest.mark.parametrize(
    ("text", "message"), [("[", "broken JSON"), ("[]", "holds no rows"), ('[{"a": 1}] x', "broken JSON")]
)
def test_refuses_a_broken_array_as_a_whole(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SourceUnreadable, match=message):
        rows_of(mbpp.read, tmp_path, text)


PUBLIC = {
    "task_id": "BigCodeBench/0",
    "complete_prompt": 'import os\n\ndef task_func(a):\n    """\n    Add one.\n    """\n',
    "instruct_prompt": "Add one to a number. Return it.\nStart with:\n```\ndef task_func(a):\n```",
    "canonical_solution": "    return a + 1",
    "code_prompt": "import os\ndef task_func(a):\n",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n    pass",
    "entry_point": "task_func",
    "doc_struct": '{"reqs": ["os"]}',
    "libs": "['os', 'json']",
}
ANNOTATION = {
    "task_id": "BigCodeBench/0",
    "entry_point": "task_func",
    "signature": "def task_func(a):",
    "prompt": PUBLIC["complete_prompt"],
    "prompt_wo_doc": PUBLIC["code_prompt"],
    "canonical_solution": PUBLIC["canonical_solution"],
    "clean_canonical_solution": PUBLIC["canonical_solution"],
    "test": PUBLIC["test"],
    "apis": ["os.path"],
    "libs": ["os", "json"],
    "doc": {"reqs": ["os"]},
    "instruction": PUBLIC["instruct_prompt"],
}


def test_reads_both_forms_of_bigcodebench_as_the_same_requirement(tmp_path: Path) -> None:
    public = only_row(bigcodebench.read, tmp_path, PUBLIC)
    annotation = only_row(bigcodebench.read, tmp_path, ANNOTATION)

    assert public.reference == ('import os\n\ndef task_func(a):\n    """\n    Add one.\n    """\n    return a + 1\n')
    assert public.text == f"{PUBLIC['instruct_prompt']}\n"
    assert (public.external_id, public.entry_point, public.title) == (
        "BigCodeBench/0",
        "task_func",
        "Add one to a number",
    )
    assert (annotation.reference, annotation.text, annotation.tests, annotation.title) == (
        public.reference,
        public.text,
        public.tests,
        public.title,
    )
    assert public.metadata == {"libs": ["os", "json"], "doc": {"reqs": ["os"]}}
    assert annotation.metadata == public.metadata | {"signature": "def task_func(a):", "apis": ["os.path"]}


def test_falls_back_to_the_prompt_and_the_clean_solution(tmp_path: Path) -> None:
    bare = {key: value for key, value in ANNOTATION.items() if key not in ("instruction", "canonical_solution")}

    row = only_row(bigcodebench.read, tmp_path, bare)

    assert row.text == ANNOTATION["prompt"]
    assert row.reference.endswith("    return a + 1\n")
    assert row.title == "task_func"


@pytest.mark.parametrize("libs", ["open('x', 'w')", "[1]", "['a'", "{'a': 1}", "[" * 5000, "(" * 20_000])
def test_refuses_libs_that_are_no_list_of_names_and_runs_nothing(tmp_path: Path, libs: str) -> None:
    refusal = only_refusal(bigcodebench.read, tmp_path, PUBLIC | {"libs": libs})

    assert (refusal.line, refusal.field) == (1, "libs")


def test_refuses_a_doc_structure_that_is_no_json(tmp_path: Path) -> None:
    refusal = only_refusal(bigcodebench.read, tmp_path, PUBLIC | {"doc_struct": "{'reqs': []}"})

    assert str(refusal).startswith("line 1, doc_struct: broken JSON at column 2")
