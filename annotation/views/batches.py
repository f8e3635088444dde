"""The admin's pages of batches."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation import access, assigning, batching, closing
from annotation.contexts import batches
from annotation.forms import AssignForm, BatchForm
from annotation.models import Batch
from annotation.views import person_of
from axiom_site import roles

UNPROCESSABLE = 422


@require_safe
@roles.role_required(roles.ADMIN)
def batch_list(request: HttpRequest) -> HttpResponse:
    """Show all batches."""
    page = batches.batches(page=request.GET.get("page"))
    return render(request, "annotation/batches.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@roles.role_required(roles.ADMIN)
def batch_create(request: HttpRequest) -> HttpResponse:
    """Ask for a selection and make a batch from it."""
    form = BatchForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        selection = form.cleaned_data["selection"]
        try:
            batch = batching.create_batch(
                name=form.cleaned_data["name"],
                programs=selection.programs.all(),
                by=person_of(request),
                pilot=form.pilot_share(),
                seed=form.cleaned_data["seed"],
                selection=selection,
            )
        except batching.BatchRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The batch is there. Now choose who scores it."))
            return redirect("annotation:batch-show", pk=batch.pk)
    context = {"form": form, "selections": batches.selections()}
    return render(request, "annotation/batch_new.html", context, status=UNPROCESSABLE if form.errors else 200)


@require_safe
@roles.role_required(roles.ADMIN)
def batch_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one batch with its progress."""
    batch = access.batch_for(request.user, pk)
    return _batch_page(request, batch, form=None)


@require_http_methods(["GET", "POST"])
@roles.role_required(roles.ADMIN)
def batch_assign(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the batch to the chosen people; a reload of the page that refused leads back to the batch."""
    batch = access.batch_for(request.user, pk)
    if request.method == "GET":
        return redirect("annotation:batch-show", pk=pk)
    form = AssignForm(request.POST)
    if not form.is_valid():
        return _batch_page(request, batch, form=form)
    people, overlap = list(form.cleaned_data["people"]), form.cleaned_data["overlap"]
    try:
        report = assigning.assign(batch=batch, people=people, overlap=overlap, seed=batch.seed)
    except assigning.AssigningRefused as refusal:
        form.add_error(None, str(refusal))
        return _batch_page(request, batch, form=form)
    messages.success(request, _assigned_words(report))
    return redirect("annotation:batch-show", pk=pk)


@require_POST
@roles.role_required(roles.ADMIN)
def batch_close(request: HttpRequest, pk: int) -> HttpResponse:
    """Take no more scores for a batch."""
    if closing.close(batch=access.batch_for(request.user, pk)):
        messages.success(request, _("The batch is closed: it takes no more scores."))
    return redirect("annotation:batch-show", pk=pk)


@require_POST
@roles.role_required(roles.ADMIN)
def batch_reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Take scores for a batch again."""
    if closing.reopen(batch=access.batch_for(request.user, pk)):
        messages.success(request, _("The batch takes scores again."))
    return redirect("annotation:batch-show", pk=pk)


def _batch_page(request: HttpRequest, batch: Batch, *, form: AssignForm | None) -> HttpResponse:
    page = batches.batch_page(batch=batch)
    already = [person.annotator_id for person in page.people]
    form = form or AssignForm(initial={"overlap": page.overlap or settings.AXIOM_OVERLAP, "people": already})
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "annotation/batch.html", {"page": page, "form": form}, status=status)


def _assigned_words(report: assigning.AssignReport) -> str:
    words = ngettext("%(created)d assignment made.", "%(created)d assignments made.", report.created)
    parts = [words % {"created": report.created}]
    if report.unfilled:
        parts.append(_("%(unfilled)d places could not be filled: choose more people.") % {"unfilled": report.unfilled})
    return " ".join(parts)
