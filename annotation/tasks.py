"""Celery tasks of the annotation app; each loads by id and calls the domain function it is named after."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from annotation import agreement, calibrating
from annotation.models import Batch


@shared_task(name=calibrating.MEASURE_TASK, time_limit=300)
def measure_batch(*, batch_id: int) -> None:
    """Measure the agreement of a batch; a batch that is gone needs none."""
    batch = Batch.objects.filter(pk=batch_id).first()
    if batch is not None:
        agreement.measure(batch=batch, now=timezone.now())
