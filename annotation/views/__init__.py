"""What the pages answer: each view loads through `access`, calls one domain function and renders one context."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest


def person_of(request: HttpRequest) -> User:
    """Return who asks; views are behind the login, so somebody does."""
    assert isinstance(request.user, User)  # noqa: S101  narrows the type
    return request.user


def is_scripted(request: HttpRequest) -> bool:
    """Whether the page's own script asks, which wants the part that changed and no redirect."""
    return request.headers.get("X-Requested-With") == "fetch"
