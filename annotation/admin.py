"""Rows of the annotation app for looking things up. Whatever has rules is changed through the pages and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from annotation.models import (
    Adjudication,
    AgreementRun,
    Assignment,
    Batch,
    Comment,
    Flag,
    Item,
    Release,
    Round,
    Score,
)

if TYPE_CHECKING:
    ReadOnlyBase = admin.ModelAdmin[Model]
else:
    ReadOnlyBase = admin.ModelAdmin


class ReadOnlyAdmin(ReadOnlyBase):
    """Rows that can be looked at, not added, changed or deleted."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody changes here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody deletes here."""
        return False


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    """Batches by name."""

    list_display = ["name", "is_pilot", "state", "created_by", "created_at"]
    list_filter = ["state", "is_pilot"]
    search_fields = ["name"]
    list_select_related = ["created_by"]


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    """Rounds with their overlap."""

    list_display = ["batch", "number", "overlap", "created_at"]
    list_select_related = ["batch"]


@admin.register(Item)
class ItemAdmin(ReadOnlyAdmin):
    """Items by batch."""

    list_display = ["batch", "position", "program_id"]
    list_filter = ["batch"]
    list_select_related = ["batch"]
    raw_id_fields = ["program"]


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    """Assignments by person and state."""

    list_display = ["item_id", "annotator", "slot", "state", "skip_reason", "first_opened_at", "finished_at"]
    list_filter = ["state", "item__batch"]
    search_fields = ["annotator__username"]
    list_select_related = ["annotator"]
    raw_id_fields = ["item"]


@admin.register(Score)
class ScoreAdmin(ReadOnlyAdmin):
    """Every revision of every score."""

    list_display = ["item_id", "annotator", "round_id", "revision", "value", "is_current", "created_at"]
    list_filter = ["is_current", "value"]
    search_fields = ["annotator__username"]
    list_select_related = ["annotator"]
    raw_id_fields = ["item", "assignment"]


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    """What leads decided."""

    list_display = ["item_id", "value", "decided_by", "created_at"]
    list_select_related = ["decided_by"]
    raw_id_fields = ["item"]


@admin.register(Comment)
class CommentAdmin(ReadOnlyAdmin):
    """Remarks on items."""

    list_display = ["item_id", "author", "created_at"]
    list_select_related = ["author"]
    raw_id_fields = ["item"]


@admin.register(Flag)
class FlagAdmin(ReadOnlyAdmin):
    """What annotators found wrong with items."""

    list_display = ["item_id", "kind", "author", "created_at", "resolved_at"]
    list_filter = ["kind"]
    list_select_related = ["author"]
    raw_id_fields = ["item"]


@admin.register(AgreementRun)
class AgreementRunAdmin(ReadOnlyAdmin):
    """Agreement over time."""

    list_display = ["batch", "alpha", "undefined_reason", "measured_at"]
    list_filter = ["batch"]
    list_select_related = ["batch"]


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    """Releases with the hashes of their files."""

    list_display = ["pk", "format", "created_at"]
    list_filter = ["format"]
