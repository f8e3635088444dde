"""The lead's pages of agreement."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HTMX_STOP_POLLING

from annotation import access
from annotation.contexts.agreement import agreement_list, agreement_panel
from axiom_site import roles


@require_safe
@never_cache
@roles.role_required(roles.LEAD)
def agreement_index(request: HttpRequest) -> HttpResponse:
    """Show all batches with their agreement."""
    page = agreement_list(page=request.GET.get("page"))
    return render(request, "annotation/agreement_list.html", {"page": page})


@require_safe
@never_cache
@roles.role_required(roles.LEAD)
def agreement_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the agreement of one batch."""
    panel = agreement_panel(batch=access.batch_for(request.user, pk), now=timezone.now())
    return render(request, "annotation/agreement.html", {"panel": panel})


@require_safe
@never_cache
@roles.role_required(roles.LEAD)
def agreement_poll(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the page's polling; the status that ends it once nothing can change any more."""
    panel = agreement_panel(batch=access.batch_for(request.user, pk), now=timezone.now())
    status = HTMX_STOP_POLLING if panel.is_final else 200
    return render(request, "annotation/_agreement_panel.html", {"panel": panel}, status=status)
