"""Ruff on Python programs; configuration and suppressions that a program carries do not count."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from perturbation import sandbox
from perturbation.reports.analysers import Finding, Severity, ToolRun, ToolStatus

# Families that tell about the quality of one standalone file. Line length, imports of a package and missing
# annotations are style that the references share, so they are left out.
SELECTED = "E,F,W,B,C4,C90,SIM,PERF,PL,RET,S,ARG,N,ERA,PIE"
IGNORED = "E501,S101,PLR2004,W291,W292,W293"
LIMITS = sandbox.Limits(wall_seconds=20, cpu_seconds=10, output_bytes=4 << 20)

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
    try:
        return f"ruff {version('ruff')}"
    except PackageNotFoundError:
        return "ruff"


def analyse(files: Mapping[str, str]) -> ToolRun[tuple[Finding, ...]]:
    """Check Python texts by file name; findings come ordered by line, column and rule."""
    executable = Path(sysconfig.get_path("scripts")) / "ruff"
    if not executable.exists():
        message = "ruff is not installed: run `make install`."
        return ToolRun(tool=tool_version(), status=ToolStatus.MISSING, results={}, message=message)
    outcome = sandbox.run(
        sandbox.Command(
            argv=(
                *(str(executable), "check", "--isolated", "--no-cache", "--exit-zero", "--ignore-noqa", "--quiet"),
                *("--output-format", "json", "--target-version", "py311"),
                *("--select", SELECTED, "--ignore", IGNORED, *sorted(files)),
            ),
            files={name: text.encode("utf-8", "backslashreplace") for name, text in files.items()},
            readable=(str(executable),),
            limits=LIMITS,
        )
    )
    try:
        entries = json.loads(outcome.stdout)
    except ValueError:
        reason = outcome.killed_by or outcome.stderr.decode("utf-8", "replace").strip()[-300:] or "no output"
        return ToolRun(tool=tool_version(), status=ToolStatus.FAILED, results={}, message=f"ruff failed: {reason}")
    found: dict[str, list[Finding]] = {name: [] for name in files}
    for entry in entries:
        found[Path(entry["filename"]).name].append(_finding(entry))
    results = {name: tuple(sorted(set(items), key=_order)) for name, items in found.items()}
    return ToolRun(tool=tool_version(), status=ToolStatus.DONE, results=results)


def _order(finding: Finding) -> tuple[int, int, str]:
    return finding.line, finding.column, finding.rule


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
