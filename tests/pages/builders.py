"""Rows that only pages need: reports, stored diffs and long, realistic programs."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import datetime
from functools import cache
from typing import Any

from django.contrib.auth.models import User

from annotation import calibrating
from annotation.models import Assignment, Batch, Score
from perturbation.diff import markup, view
from perturbation.models import Chain, Program, RenderedDiff, Report, Step, content_hash
from tests.factories import make_assignment, make_batch, make_program, make_requirement

REQUIREMENT_TEXT = """Write `merge_bookings(bookings, gap)` for a room planner.

A booking is a pair of minutes `(start, end)` since midnight, with `0 <= start < end <= 1440`. Bookings may come in any
order and may overlap. Return the merged list in order of time: two bookings become one when they overlap, touch, or are
at most `gap` minutes apart. A gap below zero is an error: raise `ValueError` and name the gap.

- An empty list gives an empty list.
- A booking that ends before it starts is an error: raise `ValueError` and name the booking.
- The input must not be changed."""

PARENT = '''"""Merging of room bookings."""

from __future__ import annotations

from collections.abc import Iterable

MINUTES_PER_DAY = 24 * 60

Booking = tuple[int, int]


def check_booking(booking: Booking) -> None:
    """Raise ValueError when a booking lies outside the day or ends before it starts."""
    start, end = booking
    if not 0 <= start < end <= MINUTES_PER_DAY:
        raise ValueError(f"the booking {booking} is outside the day or ends before it starts")


def is_near(first: Booking, second: Booking, gap: int) -> bool:
    """Say whether the second booking starts at most `gap` minutes after the first one ends."""
    return second[0] - first[1] <= gap


def join(first: Booking, second: Booking) -> Booking:
    """Return the shortest booking that covers both."""
    return min(first[0], second[0]), max(first[1], second[1])


def merge_bookings(bookings: Iterable[Booking], gap: int = 0) -> list[Booking]:
    """Return the bookings in order of time, with neighbours at most `gap` minutes apart joined."""
    if gap < 0:
        raise ValueError(f"the gap {gap} is below zero")
    merged: list[Booking] = []
    for booking in sorted(bookings):
        check_booking(booking)
        if merged and is_near(merged[-1], booking, gap):
            merged[-1] = join(merged[-1], booking)
        else:
            merged.append(booking)
    return merged


def free_time(bookings: Iterable[Booking]) -> int:
    """Return how many minutes of the day no booking covers."""
    taken = sum(end - start for start, end in merge_bookings(bookings))
    return MINUTES_PER_DAY - taken


def busiest_hour(bookings: Iterable[Booking]) -> int:
    """Return the hour from 0 to 23 with the most booked minutes; the earliest on a tie."""
    minutes = [0] * 24
    for start, end in merge_bookings(bookings):
        for minute in range(start, end):
            minutes[minute // 60] += 1
    return max(range(24), key=lambda hour: (minutes[hour], -hour))
'''
FIRST_STEP = PARENT.replace("merged", "tmp2").replace("MINUTES_PER_DAY - taken", "1440 - taken")
SECOND_STEP = FIRST_STEP.replace("second[0] - first[1] <= gap", "second[0] - first[1] < gap")
THIRD_STEP = SECOND_STEP.replace(
    "    minutes = [0] * 24\n",
    "    minutes = [0] * 24\n    # merge first, the input is sorted already\n    unused = list(minutes)\n",
)
STEPS = (
    ("rename-to-meaningless", 4, "tweak", FIRST_STEP),
    ("wrong-boundary-comparison", 2, "tweak", SECOND_STEP),
    ("unused-variable", 4, "tweak", THIRD_STEP),
)
FOREIGN = '''def count_words(text: str) -> dict[str, int]:
    """Return how often each word of the text occurs, in lower case."""
    counts: dict[str, int] = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts
'''

EXECUTION: dict[str, Any] = {
    "status": "failed",
    "cases": [
        {
            "name": "test_joins_neighbours_that_touch",
            "outcome": "failed",
            "expected": "[(540, 660)]",
            "actual": "[(540, 600), (600, 660)]",
            "message": "",
            "seconds": 0.001,
            "parent_outcome": "passed",
        },
        {
            "name": "test_joins_across_the_gap",
            "outcome": "failed",
            "expected": "[(0, 100)]",
            "actual": "[(0, 40), (50, 100)]",
            "message": "",
            "seconds": 0.001,
            "parent_outcome": "passed",
        },
        {
            "name": "test_refuses_a_negative_gap_with_its_value_in_the_message",
            "outcome": "error",
            "expected": None,
            "actual": None,
            "message": "TypeError: unsupported operand type(s) for -: 'str' and 'int'",
            "seconds": 0.002,
            "parent_outcome": "error",
        },
        *(
            {
                "name": f"test_keeps_bookings_{n}",
                "outcome": "passed",
                "expected": None,
                "actual": None,
                "message": "",
                "seconds": 0.001,
                "parent_outcome": "passed",
            }
            for n in range(9)
        ),
    ],
    "counts": {"passed": 9, "failed": 2, "error": 1},
    "output": "9 passed, 2 failed, 1 error\n",
    "seconds": 0.213,
    "sandbox": "bubblewrap",
}
STATIC: dict[str, Any] = {
    "tool": "ruff 0.17.6",
    "findings": [
        {
            "rule": "F841",
            "url": "https://docs.astral.sh/ruff/rules/unused-variable",
            "severity": "warning",
            "line": 51,
            "column": 5,
            "message": "Local variable `unused` is assigned to but never used",
            "category": "pyflakes",
            "state": "introduced",
        },
        {
            "rule": "PLR2004",
            "url": "",
            "severity": "note",
            "line": 46,
            "column": 12,
            "message": "Magic value used in subtraction",
            "category": "pylint",
            "state": "introduced",
        },
        {
            "rule": "E501",
            "url": "",
            "severity": "note",
            "line": 16,
            "column": 80,
            "message": "Line too long",
            "category": "style",
            "state": "unchanged",
        },
    ],
    "fixed": [],
    "metrics": {
        "program": {"lines": 55, "code_lines": 37, "functions": 6, "max_complexity": 4, "mean_complexity": 2.2},
        "parent": {"lines": 53, "code_lines": 36, "functions": 6, "max_complexity": 4, "mean_complexity": 2.2},
    },
    "message": "",
}
QUALITY: dict[str, Any] = {
    "model": "qwen3-coder-30b",
    "summary": "The structure of the parent is kept, but bookings that touch are no longer merged.",
    "functionality": [
        {
            "claim": "Neighbours exactly `gap` minutes apart stay separate.",
            "line_start": 21,
            "line_end": 21,
            "quote": "return second[0] - first[1] < gap",
            "effort": "tweak",
            "confidence": "high",
            "supported": True,
        },
    ],
    "quality": [
        {
            "claim": "`tmp2` says nothing about its content.",
            "line_start": 33,
            "line_end": 41,
            "quote": "",
            "effort": "tweak",
            "confidence": "medium",
            "supported": True,
        },
        {
            "claim": "The class is not thread-safe.",
            "line_start": None,
            "line_end": None,
            "quote": "class Planner:",
            "effort": "refactor",
            "confidence": "low",
            "supported": False,
        },
    ],
    "flags": [],
    "raw": "",
    "message": "",
}


def make_reports(*, program: Program, with_quality: bool = False) -> list[Report]:
    """The three current reports of a program; without a model, the third says that none is configured."""
    contents = {Report.Kind.EXECUTION: EXECUTION, Report.Kind.STATIC_ANALYSIS: STATIC, Report.Kind.QUALITY: QUALITY}
    reports = []
    for kind, content in contents.items():
        is_absent = kind == Report.Kind.QUALITY and not with_quality
        reports.append(
            Report.objects.create(
                program=program,
                kind=kind,
                status=Report.Status.NOT_CONFIGURED if is_absent else Report.Status.DONE,
                tool_version="1",
                input_hash=program.text_hash,
                content={} if is_absent else content,
            )
        )
    return reports


@cache
def rendered(parent: str, child: str, language: str, chain: tuple[str, ...], names: tuple[str, ...]) -> RenderedDiff:
    """An unsaved diff, made once for equal texts."""
    diff = view.build(parent=parent, child=child, language=language, chain=chain)
    html = markup.render(diff, left_title="5-point parent", right_title="This program", steps=names)
    counts = Counter(str(step) for row in diff.rows for step in row.steps)
    return RenderedDiff(html=str(html), summary={"steps": dict(counts), "notes": []})


def make_diff(*, program: Program) -> RenderedDiff:
    """The stored diff of a program to its parent."""
    assert program.parent is not None
    steps = list(Step.objects.filter(chain__program=program).order_by("number"))
    chain = (program.parent.text, *(step.text for step in steps)) if steps else ()
    names = tuple(step.rule_id for step in steps)
    made = rendered(program.parent.text, program.text, program.language, chain, names)
    return RenderedDiff.objects.create(
        program=program, input_hash=content_hash(program.text), html=made.html, summary=made.summary
    )


def make_long_program(*, title: str = "Merge the bookings of a room", with_quality: bool = False) -> Program:
    """A perturbed program of about sixty lines with a chain of three steps, its diff and its reports."""
    requirement = make_requirement(title=title, text=REQUIREMENT_TEXT, entry_point="merge_bookings")
    parent = make_program(requirement=requirement, text=PARENT)
    program = make_program(
        requirement=requirement, text=THIRD_STEP, kind=Program.Kind.PERTURBED, parent=parent, target_score=2
    )
    chain = Chain.objects.create(program=program, target_score=2, seed="0", rewriter="mechanical")
    for number, (rule, ceiling, effort, text) in enumerate(STEPS, start=1):
        Step.objects.create(
            chain=chain, number=number, rule_id=rule, rule_version=1, ceiling=ceiling, effort=effort, text=text
        )
    make_diff(program=program)
    make_reports(program=program, with_quality=with_quality)
    return program


def make_pair() -> Program:
    """A 0-point pair: a program that was written for another requirement, as two plain panes."""
    requirement = make_requirement(title="Merge the bookings of a room", text=REQUIREMENT_TEXT)
    parent = make_program(requirement=requirement, text=PARENT)
    program = make_program(
        requirement=requirement, text=FOREIGN, kind=Program.Kind.DISRUPTED, parent=parent, target_score=0
    )
    panes = "".join(
        markup.render_plain(view.build_plain(text=text, language="python"), title=title)
        for text, title in ((PARENT, "A right solution"), (FOREIGN, "Program to score"))
    )
    RenderedDiff.objects.create(
        program=program, input_hash="0", summary={"steps": {}, "notes": []}, html=f'<div class="df-pair">{panes}</div>'
    )
    make_reports(program=program)
    return program


def make_work(
    *, annotator: User, items: int = 3, with_quality: bool = False, name: str = "", overlap: int = 1
) -> list[Assignment]:
    """A batch of long programs, all assigned to one annotator, in order."""
    programs = [
        make_long_program(title=f"Merge the bookings of room {n}", with_quality=with_quality) for n in range(items)
    ]
    batch = make_batch(name=name, programs=programs, overlap=overlap)
    return assign_all(batch=batch, annotator=annotator)


def assign_all(*, batch: Batch, annotator: User, slot: int = 0) -> list[Assignment]:
    """Give every item of a batch to one annotator, in order."""
    return [make_assignment(annotator=annotator, item=item, slot=slot) for item in batch.items.order_by("position")]


def new_score(*, assignment: Assignment, value: int, now: datetime, reason: str = "") -> Score:
    """Score an assignment through the domain, with whatever revision and content count now."""
    current = Score.objects.current().filter(assignment=assignment).first()
    submitted = calibrating.submit_score(
        assignment=assignment,
        value=value,
        reason=reason,
        idempotency_key=uuid.uuid4(),
        content_version=calibrating.content_version(program=assignment.item.program),
        expected_revision=current.revision if current else 0,
        now=now,
    )
    return submitted.score
