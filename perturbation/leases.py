"""The right to work on one unit for a while: renewed while the work goes on, lost when another worker took over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from perturbation.models import Run, RunUnit

# A unit that takes longer hands itself back and goes on later, well below the tasks' time limit of 600 s.
SLICE = timedelta(seconds=240)
RENEW_EVERY = timedelta(seconds=5)


class LeaseLost(Exception):
    """The unit belongs to somebody else now: stop, save nothing more."""


class SliceOver(Exception):
    """The unit has had its share of a worker's time: what it saved stays, the rest is done later."""


class RunHalted(Exception):
    """The run was paused or cancelled: what the unit saved stays, and nobody goes on with it now."""


@dataclass
class Lease:
    """A unit that `owner` holds."""

    unit_id: int
    owner: str
    clock: Callable[[], datetime]
    duration: timedelta
    started_at: datetime = field(init=False)
    renewed_at: datetime = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock: the lease was written when the unit was taken."""
        self.started_at = self.renewed_at = self.clock()

    def renew(self) -> None:
        """Call between two pieces of work. Raises LeaseLost, SliceOver or RunHalted."""
        now = self.clock()
        if now - self.started_at > SLICE:
            raise SliceOver
        if now - self.renewed_at < RENEW_EVERY:
            return
        held = RunUnit.objects.filter(pk=self.unit_id, owner=self.owner, state=RunUnit.State.RUNNING)
        if not held.update(leased_until=now + self.duration):
            raise LeaseLost
        if not Run.objects.filter(units=self.unit_id, state=Run.State.ACTIVE).exists():
            raise RunHalted
        self.renewed_at = now

    def note(self, outcome: dict[str, object]) -> None:
        """Save what the unit has counted so far, so that whoever goes on with it counts right."""
        RunUnit.objects.filter(pk=self.unit_id, owner=self.owner).update(outcome=outcome)
