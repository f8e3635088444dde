"""The three reports of a program as the workbench shows them; tolerant of whatever a tool version left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from perturbation.models import Report

Content = Mapping[str, object]

OUTCOME_WORDS: dict[str, str | Promise] = {
    "failed": _("failed"),
    "error": _("error"),
    "timeout": _("time-out"),
    "crashed": _("crashed"),
    "memory": _("out of memory"),
    "not_run": _("not run"),
    "passed": _("passed"),
}
STATUS_WORDS: dict[str, str | Promise] = OUTCOME_WORDS | {
    "passed": _("all passed"),
    "build": _("does not compile"),
    "unavailable": _("not run: no sandbox"),
}
EFFORT_WORDS: dict[str, str | Promise] = {"none": _("no effort"), "tweak": _("tweak"), "refactor": _("refactor")}


@dataclass(frozen=True)
class CaseLine:
    """One test: `is_new` says that the parent passed it."""

    name: str
    outcome: str
    word: str | Promise
    expected: str | None
    actual: str | None
    message: str
    is_new: bool
    input: str = ""

    @property
    def has_values(self) -> bool:
        """Whether expected and actual values are known."""
        return self.expected is not None or self.actual is not None


@dataclass(frozen=True)
class ExecutionPanel:
    """What the tests said: troubled cases first, passed ones folded."""

    status: str
    message: str
    tool: str
    word: str | Promise = ""
    counts: tuple[tuple[str, str | Promise, int], ...] = ()
    troubled: tuple[CaseLine, ...] = ()
    not_run: tuple[CaseLine, ...] = ()
    passed: tuple[CaseLine, ...] = ()
    output: str = ""
    seconds: float | None = None
    sandbox: str = ""

    @property
    def is_good(self) -> bool:
        """Whether every test ran and passed."""
        return self.status == "done" and bool(self.passed) and not self.troubled and not self.not_run


@dataclass(frozen=True)
class Finding:
    """One finding of the analyser; `url` explains the rule where the analyser gives one."""

    rule: str
    url: str
    severity: str
    line: int | None
    message: str


@dataclass(frozen=True)
class Metric:
    """One measure of the program beside its parent's."""

    name: str | Promise
    parent: object
    program: object

    @property
    def is_changed(self) -> bool:
        """Whether the two differ."""
        return self.parent != self.program


@dataclass(frozen=True)
class StaticPanel:
    """What the analyser found, introduced findings apart from those the parent has too."""

    status: str
    message: str
    tool: str
    introduced: tuple[Finding, ...] = ()
    unchanged: tuple[Finding, ...] = ()
    fixed: tuple[Finding, ...] = ()
    metrics: tuple[Metric, ...] = ()


@dataclass(frozen=True)
class Claim:
    """One claim of the model, with the lines it speaks of; `is_supported` is None where nothing checked it."""

    claim: str
    line_start: int | None
    line_end: int | None
    quote: str
    effort: str | Promise
    confidence: str
    is_supported: bool | None


@dataclass(frozen=True)
class QualityPanel:
    """What a model said, in its two parts, with warnings about the report itself."""

    status: str
    message: str
    model: str
    summary: str = ""
    functionality: tuple[Claim, ...] = ()
    quality: tuple[Claim, ...] = ()
    flags: tuple[str, ...] = ()
    raw: str = ""

    @property
    def claims(self) -> int:
        """How many claims the model makes."""
        return len(self.functionality) + len(self.quality)


@dataclass(frozen=True)
class Diagnosis:
    """The three panels."""

    execution: ExecutionPanel
    static: StaticPanel
    quality: QualityPanel


def diagnosis(reports: Iterable[Report]) -> Diagnosis:
    """Shape the current reports of one program; one that was not built yet gets the status `waiting`."""
    by_kind = {report.kind: report for report in reports}
    return Diagnosis(
        execution=execution_panel(by_kind.get(Report.Kind.EXECUTION)),
        static=static_panel(by_kind.get(Report.Kind.STATIC_ANALYSIS)),
        quality=quality_panel(by_kind.get(Report.Kind.QUALITY)),
    )


def execution_panel(report: Report | None) -> ExecutionPanel:
    """Shape the execution report."""
    if report is None:
        return ExecutionPanel("waiting", "", "")
    content = _content(report)
    status = _text(content, "status")
    cases = tuple(_case(case) for case in _list(content, "cases"))
    troubled = (case for case in cases if case.outcome not in ("passed", "not_run"))
    return ExecutionPanel(
        status=report.status,
        message=_text(content, "message"),
        tool=report.tool_version,
        word=STATUS_WORDS.get(status, status),
        counts=_counts(cases),
        troubled=tuple(sorted(troubled, key=lambda case: not case.is_new)),
        not_run=tuple(case for case in cases if case.outcome == "not_run"),
        passed=tuple(case for case in cases if case.outcome == "passed"),
        output=_text(content, "output"),
        seconds=_number(content.get("seconds")),
        sandbox=_text(content, "sandbox"),
    )


def static_panel(report: Report | None) -> StaticPanel:
    """Shape the static-analysis report."""
    if report is None:
        return StaticPanel("waiting", "", "")
    content = _content(report)
    findings = _list(content, "findings")
    return StaticPanel(
        status=report.status,
        message=_text(content, "message"),
        tool=_text(content, "tool") or report.tool_version,
        introduced=tuple(_finding(one) for one in findings if one.get("state", "introduced") == "introduced"),
        unchanged=tuple(_finding(one) for one in findings if one.get("state") == "unchanged"),
        fixed=tuple(_finding(one) for one in _list(content, "fixed")),
        metrics=_metrics(content.get("metrics")),
    )


def quality_panel(report: Report | None) -> QualityPanel:
    """Shape the model's quality report."""
    if report is None:
        return QualityPanel("waiting", "", "")
    content = _content(report)
    flags = content.get("flags")
    return QualityPanel(
        status=report.status,
        message=_text(content, "message"),
        model=_text(content, "model") or report.tool_version,
        summary=_text(content, "summary"),
        functionality=tuple(_claim(claim) for claim in _list(content, "functionality")),
        quality=tuple(_claim(claim) for claim in _list(content, "quality")),
        flags=tuple(str(flag) for flag in flags) if isinstance(flags, list) else (),
        raw=_text(content, "raw"),
    )


def _content(report: Report) -> Content:
    return report.content if isinstance(report.content, dict) else {}


def _text(content: Content, key: str) -> str:
    value = content.get(key)
    return "" if value is None else str(value)


def _optional(content: Content, key: str) -> str | None:
    value = content.get(key)
    return None if value is None else str(value)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _line(content: Content, key: str) -> int | None:
    number = _number(content.get(key))
    return None if number is None else int(number)


def _list(content: Content, key: str) -> list[Content]:
    value = content.get(key)
    return [cast(Content, one) for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _counts(cases: tuple[CaseLine, ...]) -> tuple[tuple[str, str | Promise, int], ...]:
    numbers = {outcome: sum(case.outcome == outcome for case in cases) for outcome in OUTCOME_WORDS}
    return tuple((outcome, OUTCOME_WORDS[outcome], number) for outcome, number in numbers.items() if number)


def _case(content: Content) -> CaseLine:
    outcome = _text(content, "outcome")
    parent = _text(content, "parent_outcome")
    return CaseLine(
        name=_text(content, "name"),
        outcome=outcome,
        word=OUTCOME_WORDS.get(outcome, outcome),
        expected=_optional(content, "expected"),
        actual=_optional(content, "actual"),
        message=_text(content, "message"),
        input=_text(content, "input"),
        is_new=outcome not in ("passed", "not_run") and parent == "passed",
    )


def _finding(content: Content) -> Finding:
    url = _text(content, "url")
    return Finding(
        rule=_text(content, "rule"),
        url=url if url.startswith("https://") else "",
        severity=_text(content, "severity"),
        line=_line(content, "line"),
        message=_text(content, "message"),
    )


def _claim(content: Content) -> Claim:
    supported = content.get("supported")
    effort = _text(content, "effort")
    return Claim(
        claim=_text(content, "claim"),
        line_start=_line(content, "line_start"),
        line_end=_line(content, "line_end"),
        quote=_text(content, "quote"),
        effort=EFFORT_WORDS.get(effort, effort),
        confidence=_text(content, "confidence"),
        is_supported=supported if isinstance(supported, bool) else None,
    )


METRIC_WORDS: dict[str, str | Promise] = {
    "lines": _("lines"),
    "code_lines": _("code lines"),
    "functions": _("functions"),
    "max_complexity": _("greatest complexity"),
    "mean_complexity": _("mean complexity"),
}


def _metrics(value: object) -> tuple[Metric, ...]:
    if not isinstance(value, dict):
        return ()
    program, parent = value.get("program"), value.get("parent")
    program = program if isinstance(program, dict) else {}
    parent = parent if isinstance(parent, dict) else {}
    return tuple(
        Metric(word, parent.get(key), program.get(key))
        for key, word in METRIC_WORDS.items()
        if key in program or key in parent
    )
