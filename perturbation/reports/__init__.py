"""The multisource diagnosis: builds and stores one report per source for an accepted program.

A report is a function of its input and its tool's version: what is there for both is not made again, and a new
version makes a new report beside the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction

from perturbation import model_client
from perturbation.models import Program, Report, Verification, content_hash
from perturbation.reports import execution, quality, static_analysis
from perturbation.verification import verify_program

EXECUTION_VERSION = "execution 2"


@dataclass(frozen=True)
class _Made:
    status: str
    content: dict[str, object]


@dataclass(frozen=True)
class _Source:
    """How one kind of report is made, and what it depends on."""

    tool_version: str
    inputs: tuple[str, ...]
    make: Callable[[], _Made]


def build_for(*, program: Program, kinds: Sequence[str] = Report.Kind.values) -> list[Report]:
    """Return the current report of each kind, making those that are missing or out of date."""
    return [_current(program, kind, SOURCES[kind](program)) for kind in kinds]


def _current(program: Program, kind: str, source: _Source) -> Report:
    input_hash = content_hash(*source.inputs)
    existing = program.reports.filter(kind=kind, tool_version=source.tool_version, input_hash=input_hash).first()
    if existing and existing.status != Report.Status.FAILED:
        return existing if existing.is_current else _mark_current(existing)
    made = source.make()
    with transaction.atomic():
        program.reports.filter(kind=kind).update(is_current=False)
        report, _ = Report.objects.update_or_create(
            program=program,
            kind=kind,
            tool_version=source.tool_version,
            input_hash=input_hash,
            defaults={"status": made.status, "content": made.content, "is_current": True},
        )
    return report


def _mark_current(report: Report) -> Report:
    with transaction.atomic():
        report.program.reports.filter(kind=report.kind).update(is_current=False)
        report.is_current = True
        report.save(update_fields=["is_current"])
    return report


def _execution(program: Program) -> _Source:
    own = verify_program(program=program)
    parent = program.parent if program.kind != Program.Kind.DISRUPTED else None
    parent_run = verify_program(program=parent) if parent else None

    def make() -> _Made:
        report = execution.from_verifications(own=own, parent=parent_run)
        return _Made(status=Report.Status.DONE, content=report.as_dict())

    inputs = (own.input_hash, _hash_of(parent_run))
    return _Source(tool_version=EXECUTION_VERSION, inputs=inputs, make=make)


def _hash_of(verification: Verification | None) -> str:
    return verification.input_hash if verification else ""


def _static_analysis(program: Program) -> _Source:
    parent = program.parent if program.kind != Program.Kind.DISRUPTED else None
    parent_text = parent.text if parent else None

    def make() -> _Made:
        found = static_analysis.analyse(text=program.text, parent=parent_text, language=program.language)
        return _Made(status=Report.Status(found.status.value), content=found.as_dict())

    version = static_analysis.tool_version(program.language)
    return _Source(tool_version=version, inputs=(program.text, parent_text or ""), make=make)


def _quality(program: Program) -> _Source:
    models = model_client.configured_models()

    def make() -> _Made:
        if not models:
            return _Made(status=Report.Status.NOT_CONFIGURED, content={"message": quality.NOT_CONFIGURED})
        model = models[int(content_hash(program.content_key), 16) % len(models)]
        try:
            review = quality.review(
                requirement=program.requirement.text, program=program.text, language=program.language, model=model
            )
        except model_client.ModelError as error:
            return _Made(status=Report.Status.FAILED, content={"model": model, "message": str(error)})
        status = Report.Status.DONE if review.review else Report.Status.FAILED
        return _Made(status=status, content=review.as_dict(program.text))

    return _Source(tool_version=quality.tool_version(), inputs=(program.requirement.text, program.text), make=make)


SOURCES: dict[str, Callable[[Program], _Source]] = {
    Report.Kind.EXECUTION: _execution,
    Report.Kind.STATIC_ANALYSIS: _static_analysis,
    Report.Kind.QUALITY: _quality,
}
