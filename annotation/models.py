"""Facts about people and scores: who was asked to score which program, what they said, what became final.

What must hold is a constraint of the database: see the Meta classes, and `triggers.py` for append-only scores.
"""

from __future__ import annotations

import uuid
from typing import Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from perturbation.models import Program, Selection

VALUE_RANGE = Q(value__gte=0, value__lte=5)


class Batch(models.Model):
    """A set of items that is given to annotators together."""

    class State(models.TextChoices):
        """Whether scores are still taken."""

        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    name = models.CharField(max_length=300, unique=True)
    selection = models.ForeignKey(Selection, null=True, blank=True, on_delete=models.PROTECT, related_name="batches")
    is_pilot = models.BooleanField(default=False)
    seed = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="batches_created")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "batches"
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="batch_has_name")]

    def __str__(self) -> str:
        return self.name


class Round(models.Model):
    """One pass over a batch's items with a fixed number of annotators per item."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(default=1)
    overlap = models.PositiveSmallIntegerField(help_text="Annotators per item.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "number"], name="round_number_once"),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="round_overlap_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}, round {self.number}"


class Item(models.Model):
    """One program of a batch."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="items")
    program = models.ForeignKey(Program, on_delete=models.PROTECT, related_name="items")
    position = models.PositiveIntegerField(help_text="Order in the batch, from 0; seeded, so that targets are mixed.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "program"], name="item_program_once"),
            models.UniqueConstraint(fields=["batch", "position"], name="item_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}#{self.position}"


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Named facts about assignments."""

    def of(self, person: User) -> Self:
        """Assignments of one annotator."""
        return self.filter(annotator=person)

    def open(self) -> Self:
        """Assignments that still wait for a score, in batches that still take scores."""
        return self.filter(state=Assignment.State.OPEN, item__batch__state=Batch.State.OPEN)

    def holding_slots(self) -> Self:
        """Assignments that count towards the overlap of their item."""
        return self.filter(state__in=[Assignment.State.OPEN, Assignment.State.SCORED])

    def in_work_order(self) -> Self:
        """Older batches first, then the batch's own order."""
        return self.order_by("item__batch_id", "item__position", "pk")

    def behind(self, other: Assignment) -> Self:
        """Assignments that come after `other` in work order."""
        batch, position = other.item.batch_id, other.item.position
        later = Q(item__batch_id__gt=batch) | Q(item__batch_id=batch, item__position__gt=position)
        return self.filter(later | Q(item__batch_id=batch, item__position=position, pk__gt=other.pk))


class Assignment(models.Model):
    """A numbered slot of an item in a round, held by one person."""

    class State(models.TextChoices):
        """Where an assignment stands."""

        OPEN = "open", _("open")
        SCORED = "scored", _("scored")
        SKIPPED = "skipped", _("skipped")
        WITHDRAWN = "withdrawn", _("withdrawn")

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="assignments")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    slot = models.PositiveSmallIntegerField(help_text="From 0, below the overlap.")
    overlap = models.PositiveSmallIntegerField(help_text="The round's, repeated so that the database can compare.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    skip_reason = models.TextField(blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    first_opened_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "round", "slot"],
                condition=Q(state__in=["open", "scored"]),
                name="assignment_slot_once",
            ),
            models.CheckConstraint(condition=Q(slot__lt=F("overlap")), name="assignment_slot_below_overlap"),
            models.UniqueConstraint(
                fields=["item", "annotator"],
                condition=Q(state="open"),
                name="assignment_one_open_per_person_and_item",
            ),
            models.UniqueConstraint(fields=["item", "round", "annotator"], name="assignment_person_once_per_round"),
            models.CheckConstraint(
                condition=~Q(state="skipped") | ~Q(skip_reason=""), name="assignment_skipped_with_reason"
            ),
        ]
        indexes = [models.Index(fields=["annotator", "state"], name="assignment_queue")]

    def __str__(self) -> str:
        return f"{self.item_id}/{self.round_id}/{self.slot}"


class Draft(models.Model):
    """What an annotator has entered but not submitted."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="draft")
    value = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.TextField(blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(value__isnull=True) | VALUE_RANGE, name="draft_value_0_to_5")]

    def __str__(self) -> str:
        return f"draft of {self.assignment_id}"


class ScoreQuerySet(models.QuerySet["Score"]):
    """Named facts about scores."""

    def current(self) -> Self:
        """The revision that counts, one per annotator, item and round."""
        return self.filter(is_current=True)

    def in_batch(self, batch: Batch) -> Self:
        """Scores on items of one batch."""
        return self.filter(item__batch=batch)


class Score(models.Model):
    """One revision of what one annotator said about one item in one round. Rows are only ever added."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="scores")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="scores")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="scores")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="scores")
    revision = models.PositiveIntegerField(default=1, help_text="From 1.")
    is_current = models.BooleanField(default=True)
    value = models.PositiveSmallIntegerField()
    reason = models.TextField(blank=True)
    idempotency_key = models.UUIDField(unique=True, default=uuid.uuid4)
    content_version = models.CharField(max_length=64, help_text="Hash of what was shown: program, diff and reports.")
    created_at = models.DateTimeField()

    objects = ScoreQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=VALUE_RANGE, name="score_value_0_to_5"),
            models.UniqueConstraint(
                fields=["annotator", "item", "round"], condition=Q(is_current=True), name="score_one_current"
            ),
            models.UniqueConstraint(fields=["annotator", "item", "round", "revision"], name="score_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="score_revision_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.value} (revision {self.revision})"


class Comment(models.Model):
    """A remark on an item, kept from other annotators while the batch is open."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="comments")
    text = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="comment_has_text")]

    def __str__(self) -> str:
        return self.text[:60]


class Flag(models.Model):
    """Something wrong with an item itself, raised by an annotator for a lead."""

    class Kind(models.TextChoices):
        """What is wrong."""

        REQUIREMENT = "requirement", _("broken requirement")
        TESTS = "tests", _("wrong tests")
        DUPLICATE = "duplicate", _("duplicate")
        TELL_TALE = "tell_tale", _("tell-tale comment")
        OTHER = "other", _("other")

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="flags")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="flags")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    text = models.TextField(blank=True)
    created_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "author", "kind"],
                condition=Q(resolved_at__isnull=True),
                name="flag_open_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.item_id}"


class Adjudication(models.Model):
    """The final score of an item on which the annotators did not agree, decided by a lead."""

    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="adjudication")
    value = models.PositiveSmallIntegerField()
    reason = models.TextField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="adjudications")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=VALUE_RANGE, name="adjudication_value_0_to_5"),
            models.CheckConstraint(condition=~Q(reason=""), name="adjudication_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.value} for {self.item_id}"


class AgreementRun(models.Model):
    """Agreement in a batch at one moment."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="agreement_runs")
    alpha = models.FloatField(null=True, help_text="Ordinal Krippendorff's alpha; null where undefined.")
    undefined_reason = models.CharField(max_length=200, blank=True)
    content = models.JSONField(default=dict)
    scores_hash = models.CharField(max_length=64)
    measured_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(alpha__isnull=False, undefined_reason="")
                | (Q(alpha__isnull=True) & ~Q(undefined_reason="")),
                name="agreement_alpha_or_reason",
            )
        ]

    def __str__(self) -> str:
        return self.undefined_reason or f"alpha {self.alpha:.3f}"


class Release(models.Model):
    """Files written from one or more batches, with the hash of each."""

    batches = models.ManyToManyField(Batch, related_name="releases")
    format = models.CharField(max_length=20)
    files = models.JSONField(default=list, help_text="Of {path, rows, sha256}.")
    counts = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.format} of {self.created_at:%Y-%m-%d %H:%M}"
