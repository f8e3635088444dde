"""BigCodeBench: the public data set's rows and the authors' own annotation rows, as JSON lines or a JSON array.

Public: task_id, complete_prompt (code with docstring), instruct_prompt (plain words), canonical_solution (the body),
code_prompt, test (unittest), entry_point, doc_struct (a string that holds JSON), libs (a string that holds a Python
list). Annotation: prompt, prompt_wo_doc, clean_canonical_solution, signature, apis, libs (a list), doc, instruction.
Both make the same program of the same task: the prompt with its docstring, and the solution. The statement is the one
in plain words where there is one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from perturbation.importing import FieldRefused, Place, Refusal, Row
from perturbation.importing.lines import parse_value, read_rows
from perturbation.importing.values import (
    crlf_note,
    ended,
    optional_text,
    plain_lines,
    required_text,
    text_list,
    title_of_sentence,
    with_last_line_ended,
)

KEYS = {
    "task_id",
    "complete_prompt",
    "instruct_prompt",
    "code_prompt",
    "prompt",
    "prompt_wo_doc",
    "instruction",
    "canonical_solution",
    "clean_canonical_solution",
    "test",
    "entry_point",
    "libs",
    "doc_struct",
}
MAX_LIBS = 10_000


def read(path: Path) -> Iterator[Row | Refusal]:
    """Yield the rows of a BigCodeBench file of either form."""
    return read_rows(path, _row, may_be_array=True)


def _row(values: dict[str, object], place: Place) -> Row:
    task_id = required_text(values, "task_id")
    entry_point = required_text(values, "entry_point")
    prompt = required_text(values, "complete_prompt" if "complete_prompt" in values else "prompt")
    words = _first_text(values, "instruct_prompt", "instruction")
    solution = _first_text(values, "canonical_solution", "clean_canonical_solution")
    test = optional_text(values, "test")
    return Row(
        external_id=task_id,
        language="python",
        text=plain_lines(words or prompt).strip("\n") + "\n",
        entry_point=entry_point,
        reference=plain_lines(ended(with_last_line_ended(prompt) + solution)) if solution.strip() else "",
        tests=plain_lines(ended(test)),
        title=title_of_sentence(words) or entry_point,
        metadata=_metadata(values),
        notes=crlf_note(words, prompt, solution, test),
        place=place,
    )


def _first_text(values: Mapping[str, object], *names: str) -> str:
    """The first of these that is there and not blank; "" where none is."""
    return next((text for name in names if (text := optional_text(values, name)).strip()), "")


def _metadata(values: Mapping[str, object]) -> dict[str, object]:
    kept = {name: value for name, value in values.items() if name not in KEYS}
    if structure := optional_text(values, "doc_struct"):
        kept["doc"] = parse_value(structure, "doc_struct")
    return kept | {"libs": _libs(values)}


def _libs(values: Mapping[str, object]) -> list[str]:
    """The packages the task names: a list, or a string that holds a Python list of strings."""
    if not isinstance(values.get("libs"), str):
        return text_list(values, "libs")
    literal = optional_text(values, "libs")
    try:
        if len(literal) > MAX_LIBS:
            raise ValueError("too long")
        return text_list({"libs": ast.literal_eval(literal.strip() or "[]")}, "libs")
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise FieldRefused("libs", f"{literal[:60]!r} is no list of names: write it like ['os', 'json'].") from error
