"""The only way a view fetches a row for a user: permission or 404, so that nobody learns what exists."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import Http404

from annotation.models import Assignment, Batch
from axiom_site import roles


def assignment_for(user: AbstractBaseUser | AnonymousUser, pk: int) -> Assignment:
    """Return an assignment of the annotator `user`, with item, batch, program and requirement; 404 for all others."""
    rows = Assignment.objects.select_related(
        "round", "item__batch", "item__program__requirement__benchmark", "item__program__parent"
    )
    own = rows.filter(pk=pk, annotator_id=user.pk).exclude(state=Assignment.State.WITHDRAWN).first()
    if own is None or roles.ANNOTATOR not in roles.roles_of(user):
        raise Http404("No such assignment.")
    return own


def batch_for(user: AbstractBaseUser | AnonymousUser, pk: int) -> Batch:
    """Return a batch for an admin or a lead; 404 for all others."""
    batch = Batch.objects.select_related("selection").filter(pk=pk).first()
    if batch is None or roles.roles_of(user).isdisjoint({roles.ADMIN, roles.LEAD}):
        raise Http404("No such batch.")
    return batch
