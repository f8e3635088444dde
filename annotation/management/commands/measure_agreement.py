"""Measure the agreement in a batch."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from annotation.agreement import measure, progress_of
from annotation.batching import BatchUnknown, batch_named
from axiom_site.commands import Json, ReportingCommand


class Command(ReportingCommand):
    """Print Krippendorff's alpha of a batch, with what is needed to read it."""

    help = "Print the ordinal Krippendorff's alpha of a batch (null and a reason where it is not defined)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the command's own arguments."""
        super().add_arguments(parser)
        parser.add_argument("--batch", required=True, help="name of the batch")

    def perform(self, **options: Any) -> Json:
        """Measure, unless nothing changed since the last time."""
        try:
            batch = batch_named(options["batch"])
        except BatchUnknown as refusal:
            raise CommandError(str(refusal)) from refusal
        run = measure(batch=batch, now=timezone.now())
        progress = {
            row.username: {"assigned": row.assigned, "scored": row.scored, "skipped": row.skipped, "open": row.open}
            for row in progress_of(batch)
        }
        measured = {key: value for key, value in run.content.items() if key != "undefined_reason"}
        return {
            "batch": batch.name,
            "alpha": run.alpha,
            "undefined_reason": run.undefined_reason,
            **measured,
            "progress": progress,
        }
