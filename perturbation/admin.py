"""Django's admin pages for programs: for looking things up. Nothing is changed here; the pipeline owns these rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse

from axiom_site import roles
from perturbation.models import (
    Benchmark,
    Program,
    Report,
    Requirement,
    Run,
    RunUnit,
    Selection,
    Verification,
    WorkerHeartbeat,
)

if TYPE_CHECKING:
    AnyModelAdmin = admin.ModelAdmin[Model]
else:
    AnyModelAdmin = admin.ModelAdmin


class LookUp(AnyModelAdmin):
    """Rows that admins may read and nobody may change."""

    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Admins see these pages."""
        return roles.ADMIN in roles.roles_of(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Admins see these rows."""
        del obj
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody adds rows by hand."""
        del request, obj
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody changes rows by hand."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody deletes rows by hand."""
        del request, obj
        return False


@admin.register(Benchmark)
class BenchmarkAdmin(LookUp):
    """Benchmarks."""

    list_display = ("name", "source_format", "created_at")
    ordering = ("name", "pk")


@admin.register(Requirement)
class RequirementAdmin(LookUp):
    """Requirements, with why some cannot be used."""

    list_display = ("external_id", "benchmark", "language", "title", "problem")
    list_filter = ("benchmark", "language")
    list_select_related = ("benchmark",)
    search_fields = ("external_id", "title")
    ordering = ("benchmark", "position", "pk")


@admin.register(Program)
class ProgramAdmin(LookUp):
    """Programs, with why some were refused."""

    list_display = ("requirement", "kind", "target_score", "draw_number", "state", "refusal")
    list_filter = ("requirement__benchmark", "kind", "state", "target_score", "refusal")
    list_select_related = ("requirement",)
    search_fields = ("requirement__external_id",)
    exclude = ("tokens",)
    ordering = ("requirement", "target_score", "kind", "draw_number", "pk")

    def view_on_site(self, obj: Model) -> str:
        """Link to the program's family."""
        return reverse("perturbation:program-show", kwargs={"pk": obj.pk})


@admin.register(Verification)
class VerificationAdmin(LookUp):
    """Test runs."""

    list_display = ("program", "status", "passed", "failed", "seconds", "sandbox", "created_at")
    list_filter = ("status", "sandbox")
    list_select_related = ("program__requirement__benchmark",)
    ordering = ("-pk",)


@admin.register(Report)
class ReportAdmin(LookUp):
    """Reports, the replaced ones included."""

    list_display = ("program", "kind", "status", "tool_version", "is_current", "created_at")
    list_filter = ("kind", "status", "is_current")
    list_select_related = ("program__requirement__benchmark",)
    ordering = ("-pk",)


@admin.register(Selection)
class SelectionAdmin(LookUp):
    """Named selections."""

    list_display = ("name", "benchmark", "per_score", "seed", "created_at")
    list_select_related = ("benchmark",)
    ordering = ("name", "pk")


@admin.register(Run)
class RunAdmin(LookUp):
    """Runs."""

    list_display = ("kind", "benchmark", "state", "created_at", "finished_at")
    list_filter = ("kind", "state", "benchmark")
    list_select_related = ("benchmark",)
    ordering = ("-pk",)


@admin.register(RunUnit)
class RunUnitAdmin(LookUp):
    """Units of work, with the errors of those that failed."""

    list_display = ("key", "run", "state", "attempts", "faults", "owner", "leased_until", "finished_at")
    list_filter = ("state", "run__kind", "run__benchmark")
    list_select_related = ("run__benchmark",)
    search_fields = ("key",)
    ordering = ("-run", "position", "pk")


@admin.register(WorkerHeartbeat)
class WorkerHeartbeatAdmin(LookUp):
    """Workers and when they were last seen."""

    list_display = ("name", "seen_at", "sandbox")
    ordering = ("name", "pk")
