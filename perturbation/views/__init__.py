"""What the pipeline's pages answer: each view loads rows, calls one domain function and renders one context."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page; a boosted link and a way back through the history want the whole page."""
    asked = HtmxDetails(request)
    return bool(asked) and not asked.boosted and not asked.history_restore_request
