"""The execution report: how each test ended, and what changed against the parent. Pure over stored verifications."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from perturbation.models import Verification


@dataclass(frozen=True)
class ExecutionReport:
    """One run of the tests; `cases` carry the parent's outcome beside their own. `message` says what ended a run that
    did not come to the end of its tests: the compiler's errors, a limit, a crash.
    """

    status: str
    message: str
    cases: tuple[dict[str, object], ...]
    output: str
    seconds: float
    sandbox: str

    def as_dict(self) -> dict[str, object]:
        """Return the report as JSON values."""
        return {
            "status": self.status,
            "message": self.message,
            "counts": dict(sorted(Counter(str(case["outcome"]) for case in self.cases).items())),
            "cases": list(self.cases),
            "output": self.output,
            "seconds": self.seconds,
            "sandbox": self.sandbox,
        }


def from_verifications(*, own: Verification, parent: Verification | None) -> ExecutionReport:
    """Build the report of a program from its verification and, where comparable, its parent's.

    The parent's must be a run of the same tests; pass None where it is not (0-point pairs).
    """
    parent_outcomes = _outcomes(parent.cases) if parent else {}
    cases = tuple(case | {"parent_outcome": parent_outcomes.get(case["name"])} for case in own.cases)
    return ExecutionReport(
        status=own.status,
        message=own.why_it_ended,
        cases=cases,
        output=own.output,
        seconds=own.seconds,
        sandbox=own.sandbox,
    )


def _outcomes(cases: Sequence[dict[str, object]]) -> dict[object, object]:
    return {case["name"]: case["outcome"] for case in cases}
