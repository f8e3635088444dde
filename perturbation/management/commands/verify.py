"""`verify`: run the tests of every reference in the sandbox."""

from __future__ import annotations

from typing import Any

from axiom_site.commands import Json, benchmark_named
from perturbation import verification
from perturbation.management.driving import RunCommand
from perturbation.models import Requirement
from perturbation.units import Kind

NUMBERS = ("created", "unchanged", "accepted", "refused", "verified_requirements", "not_runnable")
TOOL_CHAIN = " tool chain"


class Command(RunCommand):
    """Verify a benchmark's references."""

    help = (
        "Run the tests of every reference in the sandbox; those that pass become 5-point programs. "
        "Counts: accepted and refused references as they stand, created and unchanged verifications, "
        "verified_requirements with an accepted reference, not_runnable requirements that wait for a tool chain or "
        "for packages, by what is missing, and not_usable ones (no reference or no tests)."
    )
    kind = Kind.VERIFY

    def perform(self, **options: Any) -> Json:
        """Verify and count."""
        name = options["benchmark"]
        benchmark = benchmark_named(name)
        total = Requirement.objects.of(benchmark.name).count()
        usable = verification.verifiable(benchmark=name).count()
        counts: dict[str, Any] = dict.fromkeys(NUMBERS, 0) | {"refused_by_reason": {}, "missing": {}}
        if usable:
            counts |= self.run(benchmark=name, parameters={}, inline=options["inline"])
        self._say_what_waits(counts.pop("how_to", {}), counts["missing"])
        return counts | {"not_usable": total - usable}

    def _say_what_waits(self, how_to: dict[str, int], missing: dict[str, int]) -> None:
        """Once for each tool chain that is not there, and once for all packages; units only count."""
        for sentence, count in how_to.items():
            self.say(f"{sentence} ({count} {'requirement waits' if count == 1 else 'requirements wait'})")
        packages = [f"{name} ({count})" for name, count in missing.items() if not name.endswith(TOOL_CHAIN)]
        if packages:
            self.say(f"Requirements wait for packages that are not installed here: {', '.join(packages)}")
