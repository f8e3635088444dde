"""APPS: the tree of folders (train|test/NNNN/...) and the rows of its hub form (JSON lines or an array).

A folder has question.txt, solutions.json (a JSON list of right programs), input_output.json ({"inputs": [...],
"outputs": [...]}), metadata.json (difficulty, url) and, for call-based problems, starter_code.py; solutions and tests
may be missing. A row has problem_id, question, difficulty, url, starter_code, and solutions and input_output as
strings that hold such JSON or are empty. With `fn_name` each input is a list of arguments; without it inputs and
outputs are texts, or lists of lines. Where every output of a call-based problem is a list of one element, that
element is right as well, as in the published judge. All programs are Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from perturbation.importing import FieldRefused, Place, Refusal, Row, SourceUnreadable
from perturbation.importing.cases import WrittenTests, call_tests, stdin_tests
from perturbation.importing.folders import bytes_of, text_of, visible_folders
from perturbation.importing.lines import parse_object, parse_value, read_rows
from perturbation.importing.references import choose
from perturbation.importing.values import (
    check_text,
    external_id_of,
    optional_text,
    plain_lines,
    required_text,
    title_from,
    title_of_sentence,
    type_name,
    with_starter_code,
)

SPLITS = ("train", "test")
KEYS = {"problem_id", "question", "solutions", "input_output", "starter_code"}


def read(path: Path) -> Iterator[Row | Refusal]:
    """Yield the rows of a file of rows; of a whole tree, one of its two halves, or one problem's folder."""
    return _read_tree(path) if path.is_dir() else read_rows(path, _row, may_be_array=True)


def _row(values: dict[str, object], place: Place) -> Row:
    facts = {name: value for name, value in values.items() if name not in KEYS}
    return _problem(external_id_of(values, "problem_id"), values, facts, place)


def _read_tree(path: Path) -> Iterator[Row | Refusal]:
    folders = _problem_folders(path)
    if not folders:
        raise SourceUnreadable(f"{path} holds no problems: a folder with question.txt for each is expected.")
    for folder in folders:
        external_id = f"{folder.parent.name}/{folder.name}" if folder.parent.name in SPLITS else folder.name
        place = Place(folder=external_id)
        try:
            check_text(external_id, "folder name")
            yield _row_of_folder(folder, external_id, place)
        except FieldRefused as refused:
            yield Refusal(place, refused.field, refused.message)


def _problem_folders(path: Path) -> list[Path]:
    path = path.resolve()
    if (path / "question.txt").exists():
        return [path]
    halves = [path / split for split in SPLITS if (path / split).is_dir()]
    return [folder for half in halves or [path] for folder in visible_folders(half)]


def _row_of_folder(folder: Path, external_id: str, place: Place) -> Row:
    facts = bytes_of(folder / "metadata.json")
    values: dict[str, object] = {
        "question": text_of(folder / "question.txt", required=True),
        "solutions": text_of(folder / "solutions.json"),
        "input_output": text_of(folder / "input_output.json"),
        "starter_code": text_of(folder / "starter_code.py"),
    }
    return _problem(external_id, values, parse_object(facts) if facts.strip() else {}, place)


def _problem(external_id: str, values: Mapping[str, object], facts: dict[str, object], place: Place) -> Row:
    question = plain_lines(required_text(values, "question"))
    tests, function = _tests(values)
    chosen = choose(_solutions(values), language="python")
    return Row(
        external_id=external_id,
        language="python",
        text=with_starter_code(question, plain_lines(optional_text(values, "starter_code"))),
        entry_point=function,
        reference=chosen.reference,
        alternatives=chosen.alternatives,
        tests=tests.text,
        test_kind=tests.kind,
        title=title_from(function) or title_of_sentence(question),
        metadata=facts,
        notes=(*chosen.notes, *tests.notes),
        place=place,
    )


def _solutions(values: Mapping[str, object]) -> list[str]:
    text = optional_text(values, "solutions")
    solutions = parse_value(text, "solutions") if text.strip() else []
    if not isinstance(solutions, list) or not all(isinstance(solution, str) for solution in solutions):
        raise FieldRefused("solutions", "must hold a JSON list of program texts.")
    return solutions


def _tests(values: Mapping[str, object]) -> tuple[WrittenTests, str]:
    """The tests, and the function that they call ("" for programs that read standard input)."""
    text = optional_text(values, "input_output")
    given = parse_value(text, "input_output") if text.strip() else {}
    if not isinstance(given, dict):
        raise FieldRefused("input_output", f"must hold an object, not {type_name(given)}.")
    inputs, outputs = _list(given, "inputs"), _list(given, "outputs")
    if len(inputs) != len(outputs):
        raise FieldRefused("input_output", f"{len(inputs)} inputs and {len(outputs)} outputs: each needs the other.")
    function = optional_text(given, "fn_name").strip()
    if not function:
        return stdin_tests(zip(map(_stream, inputs), map(_stream, outputs), strict=True)), ""
    is_wrapped = all(isinstance(output, list) and len(output) == 1 for output in outputs)
    return call_tests(zip(map(_arguments, inputs), outputs, strict=True), is_wrapped=is_wrapped), function


def _list(given: Mapping[str, object], name: str) -> list[object]:
    value = given.get(name, [])
    if not isinstance(value, list):
        raise FieldRefused("input_output", f"{name} must be a list, not {type_name(value)}.")
    return value


def _arguments(value: object) -> list[object]:
    if not isinstance(value, list):
        raise FieldRefused("input_output", f"an input of a call must be a list of arguments, not {type_name(value)}.")
    return value


def _stream(value: object) -> str:
    """A text as it is, or a list of lines."""
    if isinstance(value, list):
        return "".join(f"{line}\n" for line in value)
    if not isinstance(value, str):
        raise FieldRefused("input_output", f"must have texts or lists of lines, not {type_name(value)}.")
    return value
