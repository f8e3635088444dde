"""HumanEval as published: JSON lines, plain or gzip.

Keys: task_id, prompt (signature and docstring), entry_point, canonical_solution (the body only), test (defines
`check(candidate)`). Program = prompt + canonical_solution; the tests end with the call of `check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perturbation.importing import Place, Refusal, Row
from perturbation.importing.lines import read_rows
from perturbation.importing.values import ended, optional_text, required_text, title_from

KEYS = {"task_id", "prompt", "entry_point", "canonical_solution", "test"}


def read(path: Path) -> Iterator[Row | Refusal]:
    """Yield the rows of a HumanEval file."""
    return read_rows(path, _row)


def _row(values: dict[str, object], place: Place) -> Row:
    task_id = required_text(values, "task_id")
    prompt = required_text(values, "prompt")
    entry_point = required_text(values, "entry_point")
    solution = optional_text(values, "canonical_solution")
    test = optional_text(values, "test")
    return Row(
        external_id=task_id,
        language="python",
        text=prompt.strip("\r\n") + "\n",
        entry_point=entry_point,
        reference=ended(prompt + solution) if solution.strip() else "",
        tests=f"{ended(test)}\ncheck({entry_point})\n" if test.strip() else "",
        title=title_from(entry_point),
        metadata={name: value for name, value in values.items() if name not in KEYS},
        place=place,
    )
