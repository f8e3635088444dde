"""The scale of refinement effort in words: what each of the six scores means. Pages and reports take them from here."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise


@dataclass(frozen=True)
class Grade:
    """One score: `label` fits a button, `meaning` one line, `example` shows a typical case."""

    value: int
    functionality: Words
    label: Words
    meaning: Words
    example: Words


GRADES = (
    Grade(
        0,
        _("hopeless here"),
        _("write anew"),
        _("Writing it anew costs less than repairing it."),
        _("Solves another task; nothing of it can be kept."),
    ),
    Grade(
        1,
        _("wrong"),
        _("refactor"),
        _("Functionally wrong; a refactoring is needed to repair it."),
        _("A greedy algorithm where search is needed; a processing step is missing."),
    ),
    Grade(
        2,
        _("wrong"),
        _("tweak"),
        _("Functionally wrong; a small, local change repairs it."),
        _("Off by one; a wrong comparison; a missing boundary check."),
    ),
    Grade(
        3,
        _("right"),
        _("refactor"),
        _("Functionally right; the quality needs a refactoring."),
        _("Copied blocks, deep nesting, one long function that does everything."),
    ),
    Grade(
        4,
        _("right"),
        _("tweak"),
        _("Functionally right; the quality needs a tweak."),
        _("Meaningless names, a magic number, a stale comment, unused code."),
    ),
    Grade(
        5,
        _("right"),
        _("ready"),
        _("Production-ready: nothing is needed."),
        _("You would approve it in a review without a remark."),
    ),
)


def grade(value: int) -> Grade:
    """Return the words of one score from 0 to 5."""
    return GRADES[value]
