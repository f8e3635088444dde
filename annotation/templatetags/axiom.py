"""Template tags of the site: who sees which pages in the top bar, and scores as small marks."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from annotation import prose as prose_text
from annotation import scale
from axiom_site import roles

register = template.Library()


@dataclass(frozen=True)
class NavigationLink:
    """One entry of the top bar."""

    title: str | Promise
    address: str
    is_current: bool


PAGES: tuple[tuple[frozenset[str], str | Promise, str], ...] = (
    (frozenset({roles.ANNOTATOR}), _("My work"), "annotation:queue-show"),
    (frozenset({roles.ADMIN}), _("Batches"), "annotation:batch-list"),
    (frozenset({roles.ADMIN, roles.LEAD}), _("Pipeline"), "perturbation:pipeline-show"),
    (frozenset({roles.LEAD}), _("Agreement"), "annotation:agreement-list"),
)


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> tuple[NavigationLink, ...]:
    """Return the pages that the signed-in person may open; none where nobody is known."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if request is None or user is None:
        return ()
    mine = roles.roles_of(user)
    return tuple(
        NavigationLink(title, address, request.path.startswith(address))
        for allowed, title, address in ((allowed, title, reverse(name)) for allowed, title, name in PAGES)
        if allowed & mine
    )


@register.simple_tag
def score(value: int | None) -> SafeString:
    """Return a score as a small mark that says its meaning on hover and to a screen reader."""
    if value is None:
        return format_html('<span class="muted">{}</span>', "–")
    grade = scale.grade(value)
    meaning = f"{grade.functionality}, {grade.label}"
    return format_html('<span class="score" data-score="{}" title="{}">{}</span>', value, meaning, value)


@register.filter
def prose(text: str) -> SafeString:
    """Return a requirement's text as paragraphs and code blocks."""
    return mark_safe(prose_text.to_html(text))  # noqa: S308  every piece is escaped there
