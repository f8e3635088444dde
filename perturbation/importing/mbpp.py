"""MBPP as published: the full set (JSON lines with `text`) and the sanitized one (a JSON array with `prompt`).

Keys of the full set: task_id (a number), text, code, test_list, challenge_test_list, test_setup_code; of the
sanitized one: source_file, task_id, prompt, code, test_imports, test_list. The statements often do not name the
function, so the first assert is added to them, as the set's authors do in their prompt. There is no key for the
function's name either: it is the function of `code` that the asserts call. CRLF in the texts becomes LF.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path

from perturbation.importing import FieldRefused, Place, Refusal, Row
from perturbation.importing.lines import read_rows
from perturbation.importing.values import (
    crlf_note,
    ended,
    external_id_of,
    optional_text,
    plain_lines,
    required_text,
    text_list,
    title_from,
    title_of_sentence,
)

KEYS = {
    "task_id",
    "text",
    "prompt",
    "code",
    "test_list",
    "challenge_test_list",
    "test_setup_code",
    "test_imports",
}


def read(path: Path) -> Iterator[Row | Refusal]:
    """Yield the rows of an MBPP file of either form."""
    return read_rows(path, _row, may_be_array=True)


def _row(values: dict[str, object], place: Place) -> Row:
    external_id = external_id_of(values, "task_id")
    statement = required_text(values, "prompt" if "prompt" in values else "text")
    code = optional_text(values, "code")
    asserts = text_list(values, "test_list") + text_list(values, "challenge_test_list")
    setup = [*text_list(values, "test_imports"), optional_text(values, "test_setup_code")]
    entry_point = _called_function(plain_lines(code), asserts)
    return Row(
        external_id=external_id,
        language="python",
        text=plain_lines(_with_first_assert(statement, asserts)),
        entry_point=entry_point,
        reference=plain_lines(ended(code)),  # in this order: some programs end in a lone CR
        tests=plain_lines("".join(map(ended, [*setup, *asserts]))) if asserts else "",
        title=title_from(entry_point) or title_of_sentence(statement),
        metadata={name: value for name, value in values.items() if name not in KEYS},
        notes=crlf_note(statement, code, *setup, *asserts),
        place=place,
    )


def _with_first_assert(statement: str, asserts: list[str]) -> str:
    example = f"\n\nYour code should pass this test: {asserts[0].strip()}" if asserts else ""
    return f"{statement.strip()}{example}\n"


def _called_function(code: str, asserts: list[str]) -> str:
    """The function or class of the program that the tests call: the first one called that the program defines."""
    defined = _defined(code)
    for statement in asserts:
        for name in _called(statement):
            if name in defined:
                return name
    return defined[-1] if defined else ""


def _defined(code: str) -> list[str]:
    try:
        body = _parsed(code, "code").body
    except FieldRefused:
        return []  # a broken reference comes in; its tests will say so
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in body if isinstance(node, kinds)]


def _called(statement: str) -> list[str]:
    """Names that an assert calls, outermost first: `set(f(1)) == ...` gives set, f."""
    tree = _parsed(plain_lines(statement), "test_list")
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [called.id for called in calls if isinstance(called, ast.Name)]


def _parsed(text: str, name: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FieldRefused(name, f"no valid Python ({error}): {text.strip()[:60]!r}. Correct it.") from error
