"""The static-analysis report: findings of a program, what is new or fixed against its parent, size and complexity."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Literal

from perturbation.diff import view
from perturbation.languages import registry
from perturbation.reports import analysers
from perturbation.reports.analysers import (
    Finding,
    Metrics,
    Severity,
    ToolStatus,
    clippy,
    cppcheck,
    ecj,
    govet,
    lizard,
    oxlint,
    ruff,
)

FINDERS = {"python": ruff, "cpp": cppcheck, "java": ecj, "javascript": oxlint, "go": govet, "rust": clippy}


class AnalyserFailed(Exception):
    """An analyser ran and nothing is known about the program; the message says how it ended."""


@dataclass(frozen=True)
class ComparedFinding:
    """A finding of the program, marked by whether the parent has it too."""

    finding: Finding
    state: Literal["introduced", "unchanged"]


@dataclass(frozen=True)
class StaticAnalysis:
    """What the analysers said about a program and its parent; `status` is the worst of the tools'."""

    status: ToolStatus
    tools: tuple[str, ...]
    findings: tuple[ComparedFinding, ...] = ()
    fixed: tuple[Finding, ...] = ()
    metrics: Metrics | None = None
    parent_metrics: Metrics | None = None
    message: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return the report as JSON values, in a stable order."""
        return {
            "tool": ", ".join(self.tools),
            "message": self.message,
            "findings": [asdict(entry.finding) | {"state": entry.state} for entry in self.findings],
            "fixed": [asdict(finding) for finding in self.fixed],
            "metrics": {
                "program": asdict(self.metrics) if self.metrics else None,
                "parent": asdict(self.parent_metrics) if self.parent_metrics else None,
            },
        }


def tool_version(language: str) -> str:
    """Return the tools and versions that a report of this language would come from."""
    return f"{FINDERS[language].tool_version()}, {lizard.tool_version()}"


def analyse(*, text: str, parent: str | None, language: str) -> StaticAnalysis:
    """Analyse `text` and, where there is one, its parent, both with the same tools in the same run."""
    ending = registry.get(language).ending
    child_name, parent_name = f"program.{ending}", f"parent.{ending}"
    files = {child_name: text} | ({parent_name: parent} if parent is not None else {})
    sizes = lizard.measure(files)
    found = FINDERS[language].analyse(files)
    if found.status is not ToolStatus.DONE:
        return _without_findings(sizes, found.message, child_name, parent_name, status=found.status)
    children, parents = found.results[child_name], found.results.get(parent_name, ())
    compared, fixed = compare(children, parents, text=text, parent=parent or "", language=language)
    return StaticAnalysis(
        status=sizes.status,
        tools=(found.tool, sizes.tool),
        findings=compared,
        fixed=fixed,
        metrics=sizes.results.get(child_name),
        parent_metrics=sizes.results.get(parent_name),
        message=sizes.message,
    )


def new_problems(*, text: str, parent: str, language: str) -> tuple[str, ...]:
    """Return the rules whose warnings and errors are more in `text` than in its parent; notes are style.

    Counted by rule, not by line: an equally good program may say the same thing elsewhere. Empty where no analyser
    for the language is installed: what was not looked at is no problem, and the report says that it was not.
    Raises AnalyserFailed where one is installed and gave nothing that can be read.
    """
    ending = registry.get(language).ending
    child_name, parent_name = f"program.{ending}", f"parent.{ending}"
    found = FINDERS[language].analyse({child_name: text, parent_name: parent})
    if found.status is ToolStatus.FAILED:
        raise AnalyserFailed(found.message)
    if found.status is ToolStatus.MISSING:
        return ()
    counts = [
        Counter(finding.rule for finding in found.results[name] if finding.severity is not Severity.NOTE)
        for name in (child_name, parent_name)
    ]
    return tuple(sorted(counts[0] - counts[1]))


def compare(
    children: tuple[Finding, ...], parents: tuple[Finding, ...], *, text: str, parent: str, language: str
) -> tuple[tuple[ComparedFinding, ...], tuple[Finding, ...]]:
    """Match findings through the diff's row pairing: same rule on paired lines is the same finding.

    Returns the child's findings in order, each marked, and the parent's findings that are gone.
    """
    rows = view.build(parent=parent, child=text, language=language).rows if parents else ()
    parent_line = {row.right_no: row.left_no for row in rows if row.right_no and row.left_no}
    open_parents = list(parents)
    compared = []
    for finding in children:
        line = parent_line.get(finding.line)
        match = next((old for old in open_parents if old.rule == finding.rule and old.line == line), None)
        if match:
            open_parents.remove(match)
        compared.append(ComparedFinding(finding=finding, state="unchanged" if match else "introduced"))
    return tuple(compared), tuple(open_parents)


def _without_findings(
    sizes: analysers.ToolRun[Metrics],
    message: str,
    child_name: str,
    parent_name: str,
    *,
    status: ToolStatus,
) -> StaticAnalysis:
    return StaticAnalysis(
        status=status,
        tools=(sizes.tool,),
        metrics=sizes.results.get(child_name),
        parent_metrics=sizes.results.get(parent_name),
        message=message,
    )
