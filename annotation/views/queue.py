"""An annotator's own work."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.contexts.queue import queue
from annotation.views import person_of
from axiom_site import roles


@require_safe
@never_cache
@roles.role_required(roles.ANNOTATOR)
def queue_show(request: HttpRequest) -> HttpResponse:
    """Show the annotator's batches, and what can be reopened."""
    page = queue(person=person_of(request), page=request.GET.get("page"))
    return render(request, "annotation/queue.html", {"page": page})
