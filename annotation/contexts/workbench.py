"""The workbench page: one item with all that its annotator needs for the decision, and nobody else's score."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Max, Min, Q
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe

from annotation import calibrating, scale
from annotation.contexts.diagnosis import EFFORT_WORDS, Diagnosis, diagnosis
from annotation.models import Assignment, Batch, Score
from perturbation.models import Program, Report, Requirement, Step
from perturbation.rules import registry

STATES_DONE = [Assignment.State.SCORED, Assignment.State.SKIPPED]


@dataclass(frozen=True)
class StepLine:
    """One step of the chain: `running` is the minimum of all ceilings so far, `rows` what it still touches."""

    number: int
    title: str
    ceiling: int
    effort: str | Promise
    running: int
    rows: int | None
    is_binding: bool


@dataclass(frozen=True)
class Position:
    """Where an item stands among the annotator's own items of its round."""

    number: int
    total: int
    done: int
    previous_pk: int | None
    next_pk: int | None


@dataclass(frozen=True)
class Choice:
    """One score button."""

    grade: scale.Grade
    is_checked: bool
    is_target: bool


@dataclass(frozen=True)
class Decision:
    """The form at the foot of the page, as filled now, with what was refused about it."""

    assignment_pk: int
    item_pk: int
    round_pk: int
    content_version: str
    idempotency_key: uuid.UUID
    expected_revision: int
    choices: tuple[Choice, ...]
    reason: str
    saved: Score | None
    is_closed: bool
    is_skipped: bool
    skip_reason: str
    problem: str | Promise = ""
    conflict: Score | None = None
    entered: int | None = None


@dataclass(frozen=True)
class WorkbenchPage:
    """All of the page."""

    assignment: Assignment
    batch: Batch
    requirement: Requirement
    program: Program
    target: scale.Grade
    diff: SafeString
    is_pair: bool
    is_alone: bool
    facts: tuple[str, ...]
    steps: tuple[StepLine, ...]
    diagnosis: Diagnosis
    position: Position
    decision: Decision
    grades: tuple[scale.Grade, ...] = scale.GRADES


@dataclass(frozen=True)
class Entered:
    """What came with a refused form, to be shown again; `value` is None where no score was chosen."""

    value: int | None
    reason: str
    problem: str | Promise = ""
    is_conflict: bool = False


def workbench(*, assignment: Assignment, person: User, entered: Entered | None = None) -> WorkbenchPage:
    """Gather the page of one assignment of `person`; the caller has checked that it is theirs."""
    program = assignment.item.program
    rendered = getattr(program, "rendered_diff", None)
    summary = rendered.summary if rendered and isinstance(rendered.summary, dict) else {}
    return WorkbenchPage(
        assignment=assignment,
        batch=assignment.item.batch,
        requirement=program.requirement,
        program=program,
        target=scale.grade(program.target_score),
        diff=mark_safe(rendered.html if rendered else ""),  # noqa: S308  made of escaped pieces when it was stored
        is_pair=program.kind == Program.Kind.DISRUPTED,
        is_alone=program.kind == Program.Kind.REFERENCE,
        facts=_facts(summary),
        steps=_steps(program, summary),
        diagnosis=diagnosis(Report.objects.filter(program=program, is_current=True)),
        position=_position(assignment),
        decision=decision(assignment=assignment, person=person, entered=entered),
    )


def decision(*, assignment: Assignment, person: User, entered: Entered | None = None) -> Decision:
    """The form alone, as a refused save gets it back: what was typed, with a fresh key and the newest revision."""
    program = assignment.item.program
    saved = Score.objects.current().filter(annotator=person, item=assignment.item_id, round=assignment.round_id).first()
    checked = entered.value if entered else saved.value if saved else None
    return Decision(
        assignment_pk=assignment.pk,
        item_pk=assignment.item_id,
        round_pk=assignment.round_id,
        content_version=calibrating.content_version(program=program),
        idempotency_key=uuid.uuid4(),
        expected_revision=saved.revision if saved else 0,
        choices=tuple(
            Choice(grade, is_checked=grade.value == checked, is_target=grade.value == program.target_score)
            for grade in scale.GRADES
        ),
        reason=entered.reason if entered else saved.reason if saved else "",
        saved=saved,
        is_closed=assignment.item.batch.state == Batch.State.CLOSED,
        is_skipped=assignment.state == Assignment.State.SKIPPED,
        skip_reason=assignment.skip_reason,
        problem=entered.problem if entered else "",
        conflict=saved if entered and entered.is_conflict else None,
        entered=entered.value if entered else None,
    )


def _position(assignment: Assignment) -> Position:
    """Count in one query, then find the neighbours by their positions, which are unique in a batch."""
    here = assignment.item.position
    mine = Assignment.objects.filter(annotator=assignment.annotator_id, round=assignment.round_id).exclude(
        state=Assignment.State.WITHDRAWN
    )
    found = mine.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=Q(state__in=STATES_DONE)),
        number=Count("pk", filter=Q(item__position__lte=here)),
        previous=Max("item__position", filter=Q(item__position__lt=here)),
        following=Min("item__position", filter=Q(item__position__gt=here)),
    )
    beside = [place for place in (found["previous"], found["following"]) if place is not None]
    pks = dict(mine.filter(item__position__in=beside).values_list("item__position", "pk"))
    return Position(
        number=found["number"],
        total=found["total"],
        done=found["done"],
        previous_pk=pks.get(found["previous"]),
        next_pk=pks.get(found["following"]),
    )


def _steps(program: Program, summary: Mapping[str, object]) -> tuple[StepLine, ...]:
    """The chain with its running minimum. A step binds when its ceiling is the target and something of it is left."""
    if program.kind == Program.Kind.DISRUPTED:
        return ()
    rows = summary.get("steps")
    touched = rows if isinstance(rows, dict) else {}
    lines: list[StepLine] = []
    running = 5
    for step in Step.objects.filter(chain__program=program).defer("text").order_by("number"):
        running = min(running, step.ceiling)
        count = touched.get(str(step.number))
        lines.append(
            StepLine(
                number=step.number,
                title=rule_title(step.rule_id),
                ceiling=step.ceiling,
                effort=EFFORT_WORDS.get(step.effort, step.effort),
                running=running,
                rows=count if isinstance(count, int) else None,
                is_binding=step.ceiling == program.target_score and count != 0,
            )
        )
    return tuple(lines)


def rule_title(rule_id: str) -> str:
    """The rule's title; a rule that the catalogue no longer has is named by its id."""
    try:
        return registry.get(rule_id).title
    except LookupError:
        return rule_id.replace("-", " ").replace("_", " ")


def _facts(summary: Mapping[str, object]) -> tuple[str, ...]:
    notes = summary.get("notes")
    return tuple(str(note) for note in notes) if isinstance(notes, list) else ()
