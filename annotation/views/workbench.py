"""The workbench: one item, its score, skipping it, and the way to the next one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation import access, assigning, calibrating
from annotation.contexts.workbench import Entered, decision, workbench
from annotation.forms import ScoreForm
from annotation.models import Assignment
from annotation.views import is_scripted, person_of
from axiom_site import roles

UNPROCESSABLE = 422
CONFLICT = 409


@require_safe
@never_cache
@roles.role_required(roles.ANNOTATOR)
def work_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one item of the annotator."""
    assignment = access.assignment_for(request.user, pk)
    calibrating.open_assignment(assignment=assignment, now=timezone.now())
    page = workbench(assignment=assignment, person=person_of(request))
    return render(request, "annotation/workbench.html", {"page": page, "decision": page.decision})


@require_POST
@roles.role_required(roles.ANNOTATOR)
def work_score(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a score and go on to the next item; a refusal comes back with everything that was typed."""
    assignment = access.assignment_for(request.user, pk)
    form = ScoreForm(request.POST)
    if not form.is_valid():
        return _refused(request, assignment, form.first_problem(), status=UNPROCESSABLE)
    if not form.fits(assignment):
        problem = _("This form belongs to another item. Nothing was saved; check the item, then save again.")
        return _refused(request, assignment, problem, status=CONFLICT)
    entered = form.cleaned_data
    try:
        calibrating.submit_score(
            assignment=assignment,
            value=entered["value"],
            reason=request.POST.get("reason", ""),
            idempotency_key=entered["idempotency_key"],
            content_version=entered["content_version"],
            expected_revision=entered["expected_revision"],
            now=timezone.now(),
        )
    except (calibrating.StaleRevision, calibrating.KeyReused) as refusal:
        return _refused(request, assignment, str(refusal), status=CONFLICT, is_conflict=True)
    except calibrating.WrongContent as refusal:
        return _refused(request, assignment, str(refusal), status=CONFLICT)
    except calibrating.SubmissionRefused as refusal:
        return _refused(request, assignment, str(refusal), status=UNPROCESSABLE)
    return _go_on(request, assignment)


@require_POST
@roles.role_required(roles.ANNOTATOR)
def work_skip(request: HttpRequest, pk: int) -> HttpResponse:
    """Put an item aside with a reason and go on."""
    assignment = access.assignment_for(request.user, pk)
    try:
        calibrating.skip(assignment=assignment, reason=request.POST.get("reason", ""), now=timezone.now())
    except calibrating.SubmissionRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("annotation:work-show", pk=pk)
    return _go_on(request, assignment)


@require_POST
@roles.role_required(roles.ANNOTATOR)
def work_reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Take up a skipped item again."""
    assignment = access.assignment_for(request.user, pk)
    try:
        calibrating.reopen(assignment=assignment)
    except calibrating.SubmissionRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("annotation:work-show", pk=pk)


@require_POST
@roles.role_required(roles.ANNOTATOR)
def work_next(request: HttpRequest) -> HttpResponse:
    """Open the next item that waits."""
    return redirect(_next_address(request, after=None))


def _go_on(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    address = _next_address(request, after=assignment)
    if is_scripted(request):
        return JsonResponse({"next": address})
    answer = redirect(address)
    answer.status_code = 303
    return answer


def _next_address(request: HttpRequest, *, after: Assignment | None) -> str:
    match assigning.claim_next(person=person_of(request), now=timezone.now(), after=after):
        case assigning.Found(assignment):
            return reverse("annotation:work-show", kwargs={"pk": assignment.pk})
        case assigning.AllLocked(locked, free_at):
            messages.info(
                request,
                ngettext(
                    "%(locked)d item is in work elsewhere; the first is free at %(time)s UTC.",
                    "%(locked)d items are in work elsewhere; the first is free at %(time)s UTC.",
                    locked,
                )
                % {"locked": locked, "time": f"{free_at:%H:%M}"},
            )
        case assigning.NothingLeft():
            messages.success(request, _("Nothing waits for you: everything that is assigned to you is done."))
    return reverse("annotation:queue-show")


def _refused(
    request: HttpRequest, assignment: Assignment, problem: str | Promise, *, status: int, is_conflict: bool = False
) -> HttpResponse:
    """Answer a refused save: the decision form alone for the page's script, else the whole page."""
    person = person_of(request)
    value = request.POST.get("value", "")
    entered = Entered(
        value=int(value) if value in {"0", "1", "2", "3", "4", "5"} else None,
        reason=request.POST.get("reason", "").replace("\0", "\ufffd"),  # no HTML document can hold a zero
        problem=problem,
        is_conflict=is_conflict,
    )
    if is_scripted(request):
        form = decision(assignment=assignment, person=person, entered=entered)
        return render(request, "annotation/_decision.html", {"decision": form}, status=status)
    page = workbench(assignment=assignment, person=person, entered=entered)
    return render(request, "annotation/workbench.html", {"page": page, "decision": page.decision}, status=status)
