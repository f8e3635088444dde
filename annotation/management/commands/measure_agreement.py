"""Measure the agreement in a batch."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from annotation.agreement import measure, progress_of
from annotation.batching import BatchUnknown, batch_named
from axiom_site.commands import Json, ReportingCommand, figure

NUMBERS = ("target", "ordinal", "nominal", "interval", "raw agreement", "pairs", "items", "scores")
PROGRESS = ("annotator", "assigned", "scored", "skipped", "open")


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

    def print_result(self, result: Json) -> None:
        """Print alpha with its reason and warnings, then a table of target scores and one of annotators."""
        assert isinstance(result, Mapping)  # noqa: S101  narrows the type
        told: Mapping[str, Any] = result
        self.stdout.write(f"batch: {told['batch']}\nalpha (ordinal): {figure(told['alpha'])}")
        if told["undefined_reason"]:
            self.stdout.write(told["undefined_reason"])
        for warning in told["warnings"]:
            self.stdout.write(f"warning: {warning}")
        parts = [*told["by_target"].items(), ("all", told)]
        self.print_table(NUMBERS, [_numbers(name, numbers) for name, numbers in parts])
        for target, numbers in told["by_target"].items():
            if numbers["undefined_reason"]:
                self.stdout.write(f"target {target}: {numbers['undefined_reason']}")
        counts = [[name, *(str(row[key]) for key in PROGRESS[1:])] for name, row in told["progress"].items()]
        self.print_table(PROGRESS, counts)


def _numbers(name: str, numbers: Mapping[str, Any]) -> list[str]:
    """One line of figures: those of one target score, or of the batch."""
    alphas = [figure(numbers[level]) for level in NUMBERS[1:4]]
    counts = [str(numbers[key]) for key in NUMBERS[5:]]
    return [name, *alphas, figure(numbers["raw_agreement"]), *counts]
