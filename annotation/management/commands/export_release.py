"""Write the scores of batches to files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from annotation.batching import BatchUnknown, batch_named
from annotation.exporting import FORMATS
from annotation.exporting.files import DirectoryUnusable
from annotation.releasing import ReleaseRefused, release
from axiom_site.commands import Json, ReportingCommand


class Command(ReportingCommand):
    """Write the scores of one or more batches to files with their hashes."""

    help = "Write the scores of one or more batches to files, and note the release with the hash of each file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the command's own arguments."""
        super().add_arguments(parser)
        parser.add_argument(
            "--batch", action="append", required=True, dest="batches", help="name of a batch; may be given repeatedly"
        )
        parser.add_argument("--format", required=True, dest="format_name", help=" | ".join(FORMATS))
        parser.add_argument("--out", required=True, type=Path, help="directory to write to; made if it is not there")

    def perform(self, **options: Any) -> Json:
        """Write the files and tell what is in them."""
        try:
            row = release(
                batches=[batch_named(name) for name in options["batches"]],
                format=options["format_name"],
                directory=options["out"],
                now=timezone.now(),
            )
        except (BatchUnknown, ReleaseRefused, DirectoryUnusable) as refusal:
            raise CommandError(str(refusal)) from refusal
        missing, unresolved = row.counts["missing_scores"], row.counts["by_status"]["unresolved"]
        if missing or unresolved:
            self.say(f"Not complete: {missing} scores are missing, {unresolved} items are unresolved.")
        return {
            "release": row.pk,
            "format": row.format,
            "rows": sum(file["rows"] for file in row.files),
            "files": row.files,
            **row.counts,
        }
