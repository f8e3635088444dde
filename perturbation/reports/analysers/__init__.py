"""Static analysers: one adapter per tool, all with one form of finding, all run inside the sandbox.

Three outcomes are kept apart, since "not looked" must never read as "nothing found": done, missing, failed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Severity(StrEnum):
    """How much a finding matters, in SARIF's words."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class ToolStatus(StrEnum):
    """What came of running a tool."""

    DONE = "done"
    MISSING = "missing"
    FAILED = "failed"


@dataclass(frozen=True)
class Finding:
    """One remark of a tool on one place. Lines and columns count from 1."""

    rule: str
    severity: Severity
    category: str
    message: str
    line: int
    column: int
    url: str = ""


@dataclass(frozen=True)
class Metrics:
    """Size and complexity of one program; complexities are McCabe's cyclomatic number per function."""

    lines: int
    code_lines: int
    functions: int
    max_complexity: int
    mean_complexity: float


@dataclass(frozen=True)
class ToolRun(Generic[Result]):
    """What a tool said about each file, by file name; `message` says why there is nothing."""

    tool: str
    status: ToolStatus
    results: dict[str, Result]
    message: str = ""
