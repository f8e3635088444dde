"""The pages of runs. Admins steer them; leads may look."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HTMX_STOP_POLLING

from axiom_site import roles
from perturbation import steering
from perturbation.contexts import results, runs
from perturbation.models import Run


@require_safe
@never_cache
@roles.role_required(roles.ADMIN, roles.LEAD)
def run_list(request: HttpRequest) -> HttpResponse:
    """Show all runs, newest first."""
    return render(request, "perturbation/runs.html", {"page": runs.run_list(page=request.GET.get("page"))})


@require_safe
@never_cache
@roles.role_required(roles.ADMIN, roles.LEAD)
def run_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one run."""
    run = _run(pk)
    page = runs.run_page(run=run, now=timezone.now())
    found = results.run_results(run=run, sort=request.GET.get("sort", ""))
    parts = {"page": page, "progress": page.progress, "results": found, "may_steer": _may_steer(request)}
    return render(request, "perturbation/run.html", parts)


@require_safe
@never_cache
@roles.role_required(roles.ADMIN, roles.LEAD)
def run_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the quick polling; the buttons come along once when the run's state is another than the page shows."""
    progress = runs.run_progress(run=_run(pk), now=timezone.now())
    is_news = request.GET.get("state") != progress.line.state
    parts = {"progress": progress, "with_actions": is_news, "may_steer": _may_steer(request)}
    status = HTMX_STOP_POLLING if progress.is_over else 200
    return render(request, "perturbation/_run_progress.html", parts, status=status)


@require_safe
@never_cache
@roles.role_required(roles.ADMIN, roles.LEAD)
def run_results(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the slow polling."""
    found = results.run_results(run=_run(pk), sort=request.GET.get("sort", ""))
    status = 200 if found.run.state in Run.OPEN_STATES else HTMX_STOP_POLLING
    return render(request, "perturbation/_run_results.html", {"results": found}, status=status)


@require_POST
@roles.role_required(roles.ADMIN)
def run_pause(request: HttpRequest, pk: int) -> HttpResponse:
    """Pause a run."""
    done = steering.pause(run_id=_run(pk).pk, why=_("paused by %s") % request.user.get_username())
    return _answer(request, pk, done, _("The run is paused: units at work stop within seconds."))


@require_POST
@roles.role_required(roles.ADMIN)
def run_resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a paused run go on."""
    done = steering.resume(run_id=_run(pk).pk, why=_("resumed by %s") % request.user.get_username())
    return _answer(request, pk, done, _("The run goes on as soon as a worker takes its units."))


@require_POST
@roles.role_required(roles.ADMIN)
def run_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """End a run for good."""
    why = _("cancelled by %s") % request.user.get_username()
    done = steering.cancel(run_id=_run(pk).pk, why=why, now=timezone.now())
    return _answer(request, pk, done, _("The run is cancelled. What it made stays."))


@require_POST
@roles.role_required(roles.ADMIN)
def run_retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Try the failed units of a run again."""
    why = _("failed units tried again by %s") % request.user.get_username()
    try:
        number = steering.retry_failed(run_id=_run(pk).pk, why=why)
    except steering.AnotherRunIsOpen as error:
        messages.error(request, str(error))
        return redirect("perturbation:run-show", pk=pk)
    words = ngettext("%d unit is tried again.", "%d units are tried again.", number) % number
    return _answer(request, pk, bool(number), words)


def _run(pk: int) -> Run:
    run = Run.objects.select_related("benchmark").filter(pk=pk).first()
    if run is None:
        raise Http404("No such run.")
    return run


def _may_steer(request: HttpRequest) -> bool:
    return roles.ADMIN in roles.roles_of(request.user)


def _answer(request: HttpRequest, pk: int, done: bool, words: str) -> HttpResponse:  # noqa: FBT001
    """Pressing twice, or after somebody else, is no fault: say where the run stands."""
    if done:
        messages.success(request, words)
    else:
        messages.info(request, _("Nothing to do: the run is %s.") % _run(pk).get_state_display())
    return redirect("perturbation:run-show", pk=pk)
