"""`build_reports`: the diagnosis of every accepted program."""

from __future__ import annotations

from typing import Any

from axiom_site.commands import Json
from perturbation.management.driving import RunCommand
from perturbation.units import Kind


class Command(RunCommand):
    """Build a benchmark's reports."""

    help = (
        "Build the execution, static analysis and quality reports of every accepted program. "
        "Counts: created and unchanged reports; by_status keeps what was found apart from what could not be looked at."
    )
    kind = Kind.REPORTS

    def perform(self, **options: Any) -> Json:
        """Build and count."""
        return self.run(benchmark=options["benchmark"], parameters={}, inline=options["inline"])
