"""LiveCodeBench as published: JSON lines without reference programs, which come from a side file where there is one.

Keys: question_title, question_content, question_id, platform, contest_id, contest_date, starter_code, difficulty,
public_test_cases (a string that holds a JSON list of {input, output, testtype}), private_test_cases (the same, or
packed: see packed.py), metadata (a string that holds JSON, with func_name for functional problems). A test of type
`stdin` is a run of the program; in a `functional` one, input has one JSON argument a line and output is JSON.
The side file has JSON lines of {question_id, language, code}; several for a question are several right programs.
A row's language is that of its references; without any it is Python, the language of the starter code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from perturbation.importing import FieldRefused, Place, Refusal, Row, SourceUnreadable
from perturbation.importing.cases import WrittenTests, call_tests, stdin_tests
from perturbation.importing.lines import parse_value, read_objects, read_rows
from perturbation.importing.packed import unpack
from perturbation.importing.references import choose
from perturbation.importing.values import (
    external_id_of,
    known_language,
    optional_text,
    plain_lines,
    required_text,
    type_name,
    with_starter_code,
)

KEYS = {
    "question_title",
    "question_content",
    "question_id",
    "starter_code",
    "public_test_cases",
    "private_test_cases",
    "metadata",
}
METHOD = re.compile(r"^\s+def\s+(\w+)\s*\(\s*self\b", re.MULTILINE)

Programs = Mapping[str, list[tuple[str, str]]]


def read(path: Path, *, references: Path | None = None) -> Iterator[Row | Refusal]:
    """Yield the rows of a LiveCodeBench file, with the programs of the side file `references`."""
    programs = _side_file(references) if references else {}
    return read_rows(path, partial(_row, programs), may_be_array=True)


def _row(programs: Programs, values: dict[str, object], place: Place) -> Row:
    question_id = external_id_of(values, "question_id")
    starter = optional_text(values, "starter_code")
    facts = _facts(values)
    language, texts = _programs_of(question_id, programs)
    tests, entry_point = _tests(values, facts, starter)
    chosen = choose(texts, language=language)
    return Row(
        external_id=question_id,
        language=language,
        text=with_starter_code(plain_lines(required_text(values, "question_content")), plain_lines(starter)),
        entry_point=entry_point,
        reference=chosen.reference,
        alternatives=chosen.alternatives,
        tests=tests.text,
        test_kind=tests.kind,
        title=optional_text(values, "question_title").strip(),
        metadata={name: value for name, value in values.items() if name not in KEYS} | facts,
        notes=(*chosen.notes, *tests.notes),
        place=place,
    )


def _facts(values: Mapping[str, object]) -> dict[str, object]:
    text = optional_text(values, "metadata")
    facts = parse_value(text, "metadata") if text.strip() else {}
    if not isinstance(facts, dict):
        raise FieldRefused("metadata", f"must hold an object, not {type_name(facts)}.")
    return facts


def _tests(values: Mapping[str, object], facts: Mapping[str, object], starter: str) -> tuple[WrittenTests, str]:
    """The tests, and the function that they call ("" for programs that read standard input)."""
    cases = [*_cases(values, "public_test_cases"), *_cases(values, "private_test_cases")]
    kinds = {str(case.get("testtype")) for case in cases} or {"functional" if starter.strip() else "stdin"}
    if kinds == {"stdin"}:
        return stdin_tests((_text(case, "input"), _text(case, "output")) for case in cases), ""
    if kinds != {"functional"}:
        raise FieldRefused("public_test_cases", f"testtype must be stdin or functional for all, not {sorted(kinds)}.")
    found = METHOD.search(starter)
    function = optional_text(facts, "func_name") or (found[1] if found else "")
    return call_tests((_arguments(case), parse_value(_text(case, "output"), "output")) for case in cases), function


def _cases(values: Mapping[str, object], name: str) -> list[dict[str, object]]:
    text = optional_text(values, name).strip()
    if not text:
        return []
    cases = parse_value(text if text.startswith("[") else unpack(text, name), name)
    if not isinstance(cases, list) or not all(isinstance(case, dict) for case in cases):
        raise FieldRefused(name, "must hold a JSON list of objects with input, output and testtype.")
    return cases


def _text(case: Mapping[str, object], name: str) -> str:
    if not isinstance(case.get(name), str):
        raise FieldRefused(name, f"every test case needs it as a string, one has {type_name(case.get(name))}.")
    return str(case[name])


def _arguments(case: Mapping[str, object]) -> list[object]:
    return [parse_value(line, "input") for line in _text(case, "input").split("\n") if line.strip()]


def _programs_of(question_id: str, programs: Programs) -> tuple[str, list[str]]:
    given = programs.get(question_id, [])
    languages = list(dict.fromkeys(language for language, _ in given))
    if len(languages) > 1:
        raise FieldRefused(
            "question_id",
            f"the references of {question_id!r} are in {', '.join(languages)}: give one language a side file, and "
            "import each into a benchmark of its own.",
        )
    return (languages or ["python"])[0], [code for _, code in given]


def _side_file(path: Path) -> Programs:
    programs: dict[str, list[tuple[str, str]]] = {}
    for entry in read_objects(path):
        if isinstance(entry, Refusal):
            raise SourceUnreadable(f"{path}, {entry}")
        try:
            question_id = external_id_of(entry.values, "question_id")
            language = known_language(required_text(entry.values, "language"))
            programs.setdefault(question_id, []).append((language, required_text(entry.values, "code")))
        except FieldRefused as refused:
            raise SourceUnreadable(f"{path}, {entry.place}, {refused.field}: {refused.message}") from refused
    return programs
