"""Ruff on Python programs; configuration and suppressions that a program carries do not count."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from perturbation.reports.analysers import Finding, Severity, ToolRun, ToolStatus
from perturbation.reports.analysers.running import (
    Findings,
    ToolFailed,
    failed,
    how_it_failed,
    missing,
    ordered,
    start,
    versioned,
)

# Families that tell about the quality of one standalone file. Line length, imports of a package and missing
# annotations are style that the references share, so they are left out.
SELECTED = "E,F,W,B,C4,C90,SIM,PERF,PL,RET,S,ARG,N,ERA,PIE"
IGNORED = "E501,S101,PLR2004,W291,W292,W293"

CATEGORIES = {
    "F": "correctness",
    "E": "style",
    "W": "style",
    "B": "likely fault",
    "S": "security",
    "C90": "complexity",
    "PLR09": "complexity",
    "PLE": "correctness",
    "PLW": "likely fault",
    "PERF": "performance",
    "ARG": "dead code",
    "ERA": "dead code",
    "N": "naming",
}
SEVERITIES = {
    "correctness": Severity.ERROR,
    "likely fault": Severity.WARNING,
    "security": Severity.WARNING,
    "complexity": Severity.WARNING,
}
# Correct in outcome, so no error: an unused import or variable.
UNUSED = {"F401", "F811", "F841"}


@cache
def tool_version() -> str:
    """Return "ruff" with its version, or "ruff" alone where it is not installed."""
    return versioned("ruff")


def analyse(files: Mapping[str, str]) -> ToolRun[Findings]:
    """Check Python texts by file name; findings come ordered by line, column and rule."""
    if not _executable().exists():
        return missing(tool_version(), "run `make install`.")
    try:
        entries = _entries(files)
    except ToolFailed as error:
        return failed(tool_version(), error)
    found: dict[str, list[Finding]] = {name: [] for name in files}
    for entry in entries:
        found[Path(entry["filename"]).name].append(_finding(entry))
    results = {name: ordered(items) for name, items in found.items()}
    return ToolRun(tool=tool_version(), status=ToolStatus.DONE, results=results)


def _executable() -> Path:
    return Path(sysconfig.get_path("scripts")) / "ruff"


def _entries(files: Mapping[str, str]) -> list[Any]:
    """All files in one run: the tool is started faster than it is asked twice."""
    executable = str(_executable())
    outcome = start(
        (
            *(executable, "check", "--isolated", "--no-cache", "--exit-zero", "--ignore-noqa", "--quiet"),
            *("--output-format", "json", "--target-version", "py311"),
            *("--select", SELECTED, "--ignore", IGNORED, *sorted(files)),
        ),
        files=files,
        readable=(executable,),
    )
    try:
        return list(json.loads(outcome.stdout))
    except ValueError:
        raise ToolFailed(how_it_failed(outcome)) from None


def _finding(entry: dict[str, object]) -> Finding:
    rule = str(entry.get("code") or "invalid-syntax")
    place = entry["location"]
    assert isinstance(place, dict)  # noqa: S101
    category = _category(rule)
    return Finding(
        rule=rule,
        severity=Severity.NOTE if rule in UNUSED else SEVERITIES.get(category, Severity.NOTE),
        category="dead code" if rule in UNUSED else category,
        message=str(entry["message"]),
        line=int(place["row"]),
        column=int(place["column"]),
        url=str(entry.get("url") or ""),
    )


def _category(rule: str) -> str:
    if rule == "invalid-syntax" or rule.startswith("E9"):
        return "correctness"
    prefixes = sorted(CATEGORIES, key=len, reverse=True)
    return next((CATEGORIES[prefix] for prefix in prefixes if rule.startswith(prefix)), "style")
