"""Closing a batch for scores, and opening it again."""

from __future__ import annotations

from annotation.models import Batch


def close(*, batch: Batch) -> bool:
    """Let `batch` take no more scores; return whether it was open. What is scored stays."""
    return bool(Batch.objects.filter(pk=batch.pk, state=Batch.State.OPEN).update(state=Batch.State.CLOSED))


def reopen(*, batch: Batch) -> bool:
    """Let `batch` take scores again; return whether it was closed."""
    return bool(Batch.objects.filter(pk=batch.pk, state=Batch.State.CLOSED).update(state=Batch.State.OPEN))
