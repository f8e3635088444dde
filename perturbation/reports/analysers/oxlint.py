"""Oxlint on JavaScript programs; configuration and suppressions that a program carries do not count."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path

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

FILE = "program.js"
SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING}
# Without a module system every top-level name looks unused, and a script may use what its tests define.
IGNORED = ("no-unused-vars", "no-undef")


@cache
def tool_version() -> str:
    """Return "oxlint" with its version, or "oxlint" alone where it is not installed."""
    return versioned("oxlint")


def analyse(files: Mapping[str, str]) -> ToolRun[Findings]:
    """Check JavaScript texts by file name; findings come ordered by line, column and rule."""
    if not _executable().exists():
        return missing(tool_version(), "run `make install`.")
    return one_by_one(tool_version(), files, _analyse)


def _executable() -> Path:
    return Path(sysconfig.get_path("scripts")) / "oxlint"


@remembered
def _analyse(text: str) -> Findings:
    executable = str(_executable())
    levels = [word for name in ("correctness", "suspicious", "perf") for word in ("-W", name)]
    levels += [word for name in IGNORED for word in ("-A", name)]
    # Comments that switch rules off have no say: the directive is spelt so that the tool does not see it.
    shown = text.replace("oxlint-disable", "oxlint_disable").replace("eslint-disable", "eslint_disable")
    outcome = start(
        (executable, "--disable-nested-config", "--threads", "1", *levels, "-f", "json", FILE),
        files={FILE: shown},
        readable=(executable,),
    )
    try:
        entries = json.loads(outcome.stdout)["diagnostics"]
    except (ValueError, KeyError):
        raise ToolFailed(how_it_failed(outcome)) from None
    return ordered(_finding(entry) for entry in entries)


def _finding(entry: dict[str, object]) -> Finding:
    labels = entry.get("labels")
    span = labels[0]["span"] if isinstance(labels, list) and labels else {}
    severity = SEVERITIES.get(str(entry.get("severity")), Severity.NOTE)
    rule = str(entry.get("code") or "invalid-syntax")
    return Finding(
        rule=rule,
        severity=Severity.ERROR if rule == "invalid-syntax" else severity,
        category="correctness" if rule == "invalid-syntax" else "likely fault",
        message=str(entry.get("message") or ""),
        line=int(span.get("line") or 1),
        column=int(span.get("column") or 1),
        url=str(entry.get("url") or ""),
    )
