"""What workers are asked to do; each task calls one function and is safe to run twice."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from celery import shared_task
from django.utils import timezone

from perturbation import outbox, pipeline, step_checks


@shared_task(bind=True)
def work_unit(self: Any, *, unit_id: int) -> None:
    """Work on one unit. The task's id owns it: the broker delivers the same id again when a pool process died."""
    pipeline.work_unit(unit_id=unit_id, owner=self.request.id)
    _send()


@shared_task
def verify_step(*, step_id: int) -> None:
    """Run the tests on the text after one step."""
    step_checks.verify_step(step_id=step_id)


@shared_task
def send_outbox() -> None:
    """Send what pages and commands left in the outbox."""
    outbox.send_pending(now=timezone.now())
    outbox.prune(now=timezone.now())


@shared_task
def free_lapsed_units() -> None:
    """Give the units of killed workers to others."""
    pipeline.free_lapsed(now=timezone.now())
    _send()


def _send() -> None:
    """What cannot be sent now is sent by the next beat."""
    with suppress(outbox.BrokerAway):
        outbox.send_pending(now=timezone.now())
