"""`verify`: run the tests of every reference in the sandbox."""

from __future__ import annotations

from typing import Any

from axiom_site.commands import Json, benchmark_named
from perturbation import verification
from perturbation.management.driving import RunCommand
from perturbation.models import Requirement
from perturbation.units import Kind


class Command(RunCommand):
    """Verify a benchmark's references."""

    help = (
        "Run the tests of every reference in the sandbox; those that pass become 5-point programs. "
        "Counts: accepted and refused references as they stand, created and unchanged verifications, "
        "not_usable requirements (no reference, no tests, or a language that does not run here yet)."
    )
    kind = Kind.VERIFY

    def perform(self, **options: Any) -> Json:
        """Verify and count."""
        name = options["benchmark"]
        benchmark = benchmark_named(name)
        total = Requirement.objects.of(benchmark.name).count()
        usable = verification.usable(benchmark=name).count()
        counts: dict[str, Any] = {"created": 0, "unchanged": 0, "accepted": 0, "refused": 0, "refused_by_reason": {}}
        if usable:
            counts |= self.run(benchmark=name, parameters={}, inline=options["inline"])
        return counts | {"not_usable": total - usable}
