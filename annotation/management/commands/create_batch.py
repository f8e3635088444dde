"""Make a batch from a selection."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import CommandError

from annotation.batching import BatchRefused, create_batch
from axiom_site.commands import Json, ReportingCommand, seed_text
from perturbation.models import Program, Selection


class Command(ReportingCommand):
    """Make a batch from a selection; with --pilot, a pilot batch from a random share of it."""

    help = "Make a batch from a selection. Items are in a seeded order that mixes requirements and targets."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the command's own arguments."""
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="name of the new batch, not used before")
        parser.add_argument("--selection", required=True, help="name of the selection to take the programs from")
        parser.add_argument(
            "--pilot",
            type=float,
            nargs="?",
            const=0.10,
            metavar="SHARE",
            help="make a pilot batch from this share of the selection, drawn at random (0.10 when no share is given)",
        )
        parser.add_argument("--overlap", type=int, help="annotators per item (AXIOM_OVERLAP by default)")
        parser.add_argument(
            "--seed", type=seed_text, default="0", help="decides the order and the pilot's draw (0 by default)"
        )

    def perform(self, **options: Any) -> Json:
        """Make the batch and count its items."""
        selection = _selection_named(options["selection"])
        try:
            batch = create_batch(
                name=options["name"],
                programs=Program.objects.filter(picks__selection=selection),
                by=None,
                overlap=options["overlap"],
                pilot=options["pilot"],
                seed=options["seed"],
                selection=selection,
            )
        except BatchRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        targets = Counter(batch.items.values_list("program__target_score", flat=True))
        return {
            "batch": batch.name,
            "selection": selection.name,
            "created": sum(targets.values()),
            "created_by_target": {str(target): targets[target] for target in sorted(targets)},
            "is_pilot": batch.is_pilot,
            "overlap": batch.rounds.get().overlap,
            "seed": batch.seed,
        }


def _selection_named(name: str) -> Selection:
    selection = Selection.objects.filter(name=name).first()
    if selection is None:
        names = ", ".join(Selection.objects.order_by("name").values_list("name", flat=True))
        raise CommandError(f"No selection is called {name!r}. There are: {names or 'none yet, run select first'}.")
    return selection
