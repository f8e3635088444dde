"""The page of a program's family. It shows every target score, so it is for admins and leads, never for annotators."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from axiom_site import roles
from perturbation import step_checks
from perturbation.contexts import lineage
from perturbation.models import Program
from perturbation.views import wants_part


@require_safe
@never_cache
@roles.role_required(roles.ADMIN, roles.LEAD)
def program_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show where a program comes from."""
    page = lineage.lineage_page(program=_program(pk))
    may_verify = roles.ADMIN in roles.roles_of(request.user)
    return render(request, "perturbation/lineage.html", {"page": page, "may_verify": may_verify})


@require_safe
@never_cache
@roles.role_required(roles.ADMIN, roles.LEAD)
def step_show(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show what one step changed: as a part of the lineage page, or as a page of its own without script."""
    shown = lineage.step_diff(program=_program(pk), number=number)
    if shown is None:
        raise Http404("No such step.")
    template = "perturbation/_step.html" if wants_part(request) else "perturbation/step.html"
    answer = render(request, template, {"shown": shown})
    answer.headers["Vary"] = "HX-Request, HX-Boosted, HX-History-Restore-Request, Cookie"
    return answer


@require_POST
@roles.role_required(roles.ADMIN)
def step_verify(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Ask a worker to run the tests on the text after a step."""
    program = _program(pk)
    with transaction.atomic():
        step_checks.request(program=program, number=number)
    messages.success(request, _("A worker runs the tests on step %d; load this page again in a moment.") % number)
    return redirect("perturbation:program-show", pk=pk)


def _program(pk: int) -> Program:
    rows = Program.objects.select_related("requirement__benchmark", "parent__requirement__benchmark")
    program = rows.filter(pk=pk).first()
    if program is None:
        raise Http404("No such program.")
    return program
