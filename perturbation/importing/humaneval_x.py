"""HumanEval-X as published: JSON lines in six languages; the language stands in task_id ("CPP/0", "Rust/12").

Keys: task_id, prompt, declaration, canonical_solution, test, and by language import, test_setup, text, docstring,
example_test. How a program is put together differs by language (`_program`). No entry point is given: it is read
from the call of `check` (Python) or from the last function that the declaration declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from perturbation.importing import FieldRefused, Place, Refusal, Row
from perturbation.importing.lines import read_rows
from perturbation.importing.values import ended, optional_text, required_text, title_from
from perturbation.languages import IDS

KEYS = {"task_id", "prompt", "canonical_solution", "test"}
TEXT_KEYS = ("declaration", "import", "test_setup", "text", "docstring", "example_test")
CHECK_CALL = re.compile(r"^check\((\w+)\)\s*\Z", re.MULTILINE)
DECLARED = {
    "cpp": re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*\{"),
    "go": re.compile(r"^func\s+(\w+)", re.MULTILINE),
    "java": re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*(?:throws\s[^{]*)?\{"),
    "javascript": re.compile(r"^(?:const|let|var|function)\s+(\w+)", re.MULTILINE),
    "python": re.compile(r"^(?:async\s+)?def\s+(\w+)", re.MULTILINE),
    "rust": re.compile(r"^(?:pub\s+)?fn\s+(\w+)", re.MULTILINE),
}


def read(path: Path) -> Iterator[Row | Refusal]:
    """Yield the rows of a HumanEval-X file of any of the six languages."""
    return read_rows(path, _row)


def _row(values: dict[str, object], place: Place) -> Row:
    task_id = required_text(values, "task_id")
    language = _language(task_id)
    texts = {name: optional_text(values, name) for name in (*TEXT_KEYS, "canonical_solution", "test")}
    texts["prompt"] = required_text(values, "prompt")
    entry_point = _entry_point(language, texts)
    return Row(
        external_id=task_id,
        language=language,
        text=_statement(language, texts),
        entry_point=entry_point,
        reference=ended(_program(language, texts)) if texts["canonical_solution"].strip() else "",
        tests=ended(texts["test"]),
        title=title_from(entry_point),
        metadata={name: value for name, value in values.items() if name not in KEYS},
        place=place,
    )


def _language(task_id: str) -> str:
    prefix = task_id.partition("/")[0]
    language = prefix.lower()
    if language not in IDS:
        hint = " HumanEval itself is read with --format humaneval." if prefix == "HumanEval" else ""
        raise FieldRefused(
            "task_id",
            f"{task_id[:40]!r} names no known language: CPP/, Go/, Java/, JavaScript/, Python/ or Rust/ and a number "
            f"are expected.{hint}",
        )
    return language


def _program(language: str, texts: dict[str, str]) -> str:
    if language == "go":
        # Some solutions use packages that only test_setup imports, and some tests use those of the prompt: the set is
        # published to be compiled as one file. `declaration` lacks the helpers that some prompts define.
        imports = _line(texts["import"])
        opening = "" if imports.strip() in texts["prompt"] else imports
        return _line(texts["test_setup"]) + opening + texts["prompt"] + texts["canonical_solution"]
    opening = "declaration" if language == "rust" else "prompt"
    return texts[opening] + texts["canonical_solution"]


def _line(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _statement(language: str, texts: dict[str, str]) -> str:
    statement = texts["prompt"].strip("\r\n") + "\n"
    if language != "rust":
        return statement
    signature = texts["declaration"].strip().rpartition("\n")[2]  # Rust's prompt is the comment alone
    return f"{statement}{signature}\n" if signature else statement


def _entry_point(language: str, texts: dict[str, str]) -> str:
    if language == "python" and (call := CHECK_CALL.search(texts["test"])):
        return call[1]
    names = DECLARED[language].findall(texts["declaration"] or texts["prompt"])
    return str(names[-1]) if names else ""
