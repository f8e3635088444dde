"""The three roles, kept as Django groups, and the guard for views that belong to a role.

Annotators score, admins run the pipeline and assign, leads watch agreement.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

ANNOTATOR = "annotator"
ADMIN = "admin"
LEAD = "lead"
ROLES = (ANNOTATOR, ADMIN, LEAD)


def roles_of(user: AbstractBaseUser | AnonymousUser) -> frozenset[str]:
    """Return the roles of `user`, read from the database once per user object; a superuser is admin and lead."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    cached: frozenset[str] | None = getattr(user, "_axiom_roles", None)
    if cached is None:
        names = set(user.groups.filter(name__in=ROLES).values_list("name", flat=True))
        cached = frozenset(names | ({ADMIN, LEAD} if user.is_superuser else set()))
        user._axiom_roles = cached  # type: ignore[attr-defined]
    return cached


def role_required(*allowed: str) -> Callable[[View[P]], View[P]]:
    """Answer 403 to whoever has none of the `allowed` roles; anonymous visitors were sent to the login before."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if roles_of(request.user).isdisjoint(allowed):
                raise PermissionDenied(f"This page is for: {', '.join(allowed)}.")
            return view(request, *args, **kwargs)

        return guarded

    return decorate
