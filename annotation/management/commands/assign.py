"""Assign the items of a batch to annotators."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from annotation.assigning import AssigningRefused, assign, find_people
from annotation.batching import BatchUnknown, batch_named
from axiom_site.commands import Json, ReportingCommand, seed_text


class Command(ReportingCommand):
    """Give every item of a batch to exactly as many annotators as the overlap says."""

    help = (
        "Give every item of a batch to as many different annotators as the overlap says. Again: fills free slots only."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the command's own arguments."""
        super().add_arguments(parser)
        parser.add_argument("--batch", required=True, help="name of the batch")
        parser.add_argument("--annotators", required=True, help="user names, separated by commas")
        parser.add_argument(
            "--overlap",
            type=int,
            default=settings.AXIOM_OVERLAP,
            help="annotators per item (AXIOM_OVERLAP by default)",
        )
        parser.add_argument("--seed", type=seed_text, help="decides who gets what (the batch's seed by default)")

    def perform(self, **options: Any) -> Json:
        """Assign and count."""
        usernames = [name.strip() for name in options["annotators"].split(",") if name.strip()]
        try:
            batch = batch_named(options["batch"])
            seed = batch.seed if options["seed"] is None else options["seed"]
            report = assign(batch=batch, people=find_people(usernames=usernames), overlap=options["overlap"], seed=seed)
        except (AssigningRefused, BatchUnknown) as refusal:
            raise CommandError(str(refusal)) from refusal
        return {
            "batch": batch.name,
            "created": report.created,
            "unchanged": report.unchanged,
            "unfilled": report.unfilled,
            "overlap": options["overlap"],
            "per_annotator": report.per_person,
        }
