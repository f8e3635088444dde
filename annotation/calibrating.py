"""Taking scores from annotators: submit a revision, skip, reopen.

Scores are only added. A save talks to the database alone; what has to be computed afterwards is left in the outbox.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from annotation.models import Assignment, Batch, Score
from perturbation.models import Outbox, Program, content_hash

MEASURE_TASK = "annotation.measure_batch"
LONGEST_REASON = 10_000
TAKES_SCORES = (Assignment.State.OPEN, Assignment.State.SCORED)


class SubmissionRefused(Exception):
    """Base of every refusal here; the message can be shown to the annotator."""


class ScoreOutOfRange(SubmissionRefused):
    """The value is no whole number from 0 to 5."""


class ReasonMissing(SubmissionRefused):
    """A skip needs a reason."""


class ReasonUnusable(SubmissionRefused):
    """The reason is too long, or holds characters that no file or database can carry."""


class BatchClosed(SubmissionRefused):
    """The batch takes no more scores."""


class AssignmentNotOpen(SubmissionRefused):
    """The assignment was skipped or withdrawn."""


class WrongContent(SubmissionRefused):
    """Program, diff or reports changed after the page was opened."""


class KeyReused(SubmissionRefused):
    """The idempotency key belongs to another submission."""


class SlotTaken(SubmissionRefused):
    """Somebody else took the place that a skip had freed."""


class StaleRevision(SubmissionRefused):
    """Another tab or request saved in between; `current` is the score that counts now, None when there is none."""

    def __init__(self, current: Score | None) -> None:
        self.current = current
        now = f"{current.value} (revision {current.revision})" if current else "no score"
        super().__init__(f"This item was scored elsewhere in the meantime: it holds {now}. Compare, then save again.")


@dataclass(frozen=True)
class Submitted:
    """The score that counts now; `is_new` is False when an equal one was there before."""

    score: Score
    is_new: bool


@dataclass(frozen=True)
class _Submission:
    assignment_id: int
    value: int
    reason: str
    key: uuid.UUID
    content_version: str
    expected_revision: int
    now: datetime

    def says_the_same_as(self, score: Score) -> bool:
        return (score.value, score.reason) == (self.value, self.reason)


def content_version(*, program: Program) -> str:
    """Return the hash of what an annotator is shown: requirement, program, stored diff and current reports."""
    diff = getattr(program, "rendered_diff", None)
    reports = program.reports.filter(is_current=True).order_by("kind").values_list("kind", "tool_version", "input_hash")
    return content_hash(
        program.requirement.source_hash,
        program.text_hash,
        diff.input_hash if diff else "",
        *(part for report in reports for part in report),
    )


def submit_score(  # noqa: PLR0913
    *,
    assignment: Assignment,
    value: int,
    reason: str = "",
    idempotency_key: uuid.UUID,
    content_version: str,
    expected_revision: int,
    now: datetime,
) -> Submitted:
    """Add a revision to the score of `assignment` and mark it as scored.

    `value` is 0 to 5, `expected_revision` the revision that the page showed (0: none yet), `content_version` what
    `content_version(program=)` gave when the page was made. The same key again, or the same value and reason as the
    score that counts, gives back the score that is there. Later revisions are taken until the batch closes. Safe
    against any number of simultaneous calls: the one current score is moved by compare-and-swap and guarded by unique
    constraints.

    Raises a SubmissionRefused: ScoreOutOfRange, ReasonUnusable, KeyReused, BatchClosed, AssignmentNotOpen,
    StaleRevision or WrongContent. Nothing is written then.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 5:
        raise ScoreOutOfRange(f"{value!r} is no score: use a whole number from 0 to 5.")
    _check_text(reason)
    submission = _Submission(assignment.pk, value, reason, idempotency_key, content_version, expected_revision, now)
    try:
        return _submit(submission)
    except IntegrityError:
        # Another request committed the same key or the same revision first; now its row can be seen.
        return _submit(submission)


def open_assignment(*, assignment: Assignment, now: datetime) -> None:
    """Note when the annotator first saw the item; later calls change nothing."""
    if assignment.first_opened_at is None:
        Assignment.objects.filter(pk=assignment.pk, first_opened_at=None).update(first_opened_at=now)
        assignment.first_opened_at = now


def skip(*, assignment: Assignment, reason: str, now: datetime) -> None:
    """Put an open assignment aside with a reason and free its slot; the draft stays. Twice the same is no error.

    Raises ReasonMissing, ReasonUnusable, BatchClosed or AssignmentNotOpen.
    """
    if not reason.strip():
        raise ReasonMissing("Say in a few words why this item cannot be scored.")
    _check_text(reason)
    with transaction.atomic():
        row = _load(assignment.pk)
        if row.state == Assignment.State.SKIPPED and row.skip_reason == reason:
            return
        _check_batch(row)
        changed = Assignment.objects.filter(pk=row.pk, state=Assignment.State.OPEN).update(
            state=Assignment.State.SKIPPED, skip_reason=reason, finished_at=now
        )
    if not changed:
        raise AssignmentNotOpen("Only an item without a score can be skipped.")


def reopen(*, assignment: Assignment) -> None:
    """Take up a skipped assignment again, in any slot that is still free; an open one stays as it is.

    Raises BatchClosed, AssignmentNotOpen, or SlotTaken when others fill all places of the item by now.
    """
    row = _load(assignment.pk)
    _check_batch(row)
    if row.state == Assignment.State.OPEN:
        return
    if row.state != Assignment.State.SKIPPED:
        raise AssignmentNotOpen("Only a skipped item can be taken up again.")
    taken = set(row.item.assignments.holding_slots().filter(round=row.round_id).values_list("slot", flat=True))
    free = sorted(set(range(row.overlap)) - taken, key=lambda slot: (slot != row.slot, slot))
    if not free:
        raise SlotTaken("Others have taken over this item in the meantime.")
    try:
        with transaction.atomic():
            changed = Assignment.objects.filter(pk=row.pk, state=Assignment.State.SKIPPED).update(
                state=Assignment.State.OPEN, slot=free[0], skip_reason="", finished_at=None
            )
    except IntegrityError:
        raise SlotTaken("Others have taken over this item in the meantime.") from None
    if not changed:
        raise AssignmentNotOpen("Only a skipped item can be taken up again.")


def _check_text(text: str) -> None:
    if len(text) > LONGEST_REASON:
        raise ReasonUnusable(f"The reason has {len(text):,} characters; at most {LONGEST_REASON:,} are kept.")
    for position, character in enumerate(text, start=1):
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise ReasonUnusable(
                f"Character {position} of the reason (U+{ord(character):04X}) cannot be stored: remove it. "
                "Half of an emoji or a binary zero looks like this."
            )


def _load(pk: int) -> Assignment:
    related = ("item__batch", "item__program__requirement", "item__program__rendered_diff")
    rows = Assignment.objects.select_related(*related)
    return rows.defer("item__program__text", "item__program__tokens", "item__program__rendered_diff__html").get(pk=pk)


def _check_batch(row: Assignment) -> None:
    if row.item.batch.state != Batch.State.OPEN:
        raise BatchClosed(f"The batch {row.item.batch.name} is closed: it takes no more scores.")


@transaction.atomic
def _submit(submission: _Submission) -> Submitted:
    known = Score.objects.filter(idempotency_key=submission.key).first()
    if known is not None:
        return _repeated(submission, known)
    row = _load(submission.assignment_id)
    _check_batch(row)
    if row.state not in TAKES_SCORES:
        raise AssignmentNotOpen(f"This item is {row.get_state_display()}: take it up again before you score it.")
    current = Score.objects.current().filter(assignment=row).first()
    if current is not None and submission.says_the_same_as(current):
        is_confirmation = submission.expected_revision == current.revision
        if not is_confirmation or submission.content_version == current.content_version:
            return Submitted(current, is_new=False)
    if submission.expected_revision != (current.revision if current else 0):
        raise StaleRevision(current)
    if submission.content_version != content_version(program=row.item.program):
        raise WrongContent(
            "The program's diff or reports changed since this page was opened: load it again, then save."
        )
    return Submitted(_add_revision(submission, row, current), is_new=True)


def _repeated(submission: _Submission, known: Score) -> Submitted:
    if known.assignment_id != submission.assignment_id or not submission.says_the_same_as(known):
        raise KeyReused("This key was used for another score: load the page again, then save.")
    return Submitted(known, is_new=False)


def _add_revision(submission: _Submission, row: Assignment, current: Score | None) -> Score:
    if current is not None and not Score.objects.current().filter(pk=current.pk).update(is_current=False):
        raise StaleRevision(Score.objects.current().filter(assignment=row).first())
    score = Score.objects.create(
        assignment=row,
        annotator_id=row.annotator_id,
        item_id=row.item_id,
        round_id=row.round_id,
        revision=submission.expected_revision + 1,
        value=submission.value,
        reason=submission.reason,
        idempotency_key=submission.key,
        content_version=submission.content_version,
        created_at=submission.now,
    )
    changed = Assignment.objects.filter(pk=row.pk, state__in=TAKES_SCORES).update(
        state=Assignment.State.SCORED, finished_at=Coalesce(F("finished_at"), submission.now)
    )
    if not changed:
        raise AssignmentNotOpen("This item was skipped or withdrawn while you scored it.")
    _request_measure(row.item.batch, submission.now)
    return score


def _request_measure(batch: Batch, now: datetime) -> None:
    """Leave one unsent request to measure the batch, in the transaction of the score.

    Touching the unsent row locks it until commit and changes its time, so that a sender which read it before does not
    mark it as sent: the measuring it asked for would have missed this score. The batch's lock keeps two first
    requests from both adding a row.
    """
    arguments = {"batch_id": batch.pk}
    unsent = Outbox.objects.filter(task=MEASURE_TASK, arguments=arguments, sent_at=None)
    if unsent.update(created_at=now):
        return
    Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if not unsent.update(created_at=now):
        Outbox.objects.create(task=MEASURE_TASK, arguments=arguments)
