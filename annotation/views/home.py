"""The first page by role, the rubric, and what a page needs to go on after a new sign-in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation import scale
from axiom_site import roles

FIRST_PAGES = (
    (roles.ANNOTATOR, "annotation:queue-show"),
    (roles.LEAD, "annotation:agreement-list"),
    (roles.ADMIN, "annotation:batch-list"),
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Send everybody to their own first page; say so when somebody has no role yet."""
    mine = roles.roles_of(request.user)
    for role, name in FIRST_PAGES:
        if role in mine:
            return redirect(name)
    return render(request, "annotation/no_role.html")


@require_safe
def rubric_show(request: HttpRequest) -> HttpResponse:
    """Show the scale as a page of its own, for browsers without script."""
    return render(request, "annotation/rubric.html", {"grades": scale.GRADES})


@login_not_required
@require_safe
@never_cache
def session_show(request: HttpRequest) -> JsonResponse:
    """Tell a page that is open already whether its person is still signed in, with a token for its forms."""
    if not request.user.is_authenticated:
        return JsonResponse({"person": None})
    return JsonResponse({"person": request.user.pk, "token": get_token(request)})
