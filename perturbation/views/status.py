"""The pipeline page, for admins and leads, and the part of it that polls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from axiom_site import roles
from perturbation.contexts import status


@require_safe
@roles.role_required(roles.ADMIN, roles.LEAD)
def pipeline_show(request: HttpRequest) -> HttpResponse:
    """Show the state of the pipeline."""
    page = status.pipeline_page(now=timezone.now())
    return render(request, "perturbation/pipeline.html", {"page": page})


@require_safe
@roles.role_required(roles.ADMIN, roles.LEAD)
def activity_show(request: HttpRequest) -> HttpResponse:
    """Show runs and workers as they are now."""
    return render(request, "perturbation/_activity.html", {"activity": status.activity(now=timezone.now())})
