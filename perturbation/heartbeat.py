"""Whether workers are alive: each writes when it was last seen and keeps the leases of what it works on alive."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from threading import Event

from django.db import DatabaseError, connection
from django.utils import timezone

from perturbation import pipeline, sandbox
from perturbation.languages import registry
from perturbation.languages.base import Language
from perturbation.models import RunUnit, WorkerHeartbeat

INTERVAL_SECONDS = 5.0

logger = logging.getLogger(__name__)


def is_worker_seen(*, now: datetime) -> bool:
    """Say whether any worker was seen a moment ago."""
    return WorkerHeartbeat.objects.alive(now).exists()


def toolchains() -> dict[str, str]:
    """Return the version of the tool chain of every language, empty where it is missing or does not answer."""
    return {language.id: _version(language) for language in registry.all_languages()}


def _version(language: Language) -> str:
    try:
        toolchain = language.toolchain()
    except (OSError, subprocess.SubprocessError) as error:
        # The worker's leases hang on the thread that asks: a compiler that hangs must not end it.
        logger.warning("The tool chain of %s does not answer: %s", language.label, error)
        return ""
    return (toolchain.version or "installed") if toolchain.is_there else ""


def beat(
    *,
    name: str,
    sandbox_name: str,
    active_task_ids: Sequence[str],
    now: datetime,
    languages: Mapping[str, str] | None = None,
) -> None:
    """Write that the worker `name` lives, and renew the leases of the units that its tasks work on.

    `languages` holds the version of each language's tool chain, empty where it is missing; None leaves it as it is.
    """
    seen: dict[str, object] = {"seen_at": now, "sandbox": sandbox_name}
    if languages is not None:
        seen["languages"] = dict(languages)
    WorkerHeartbeat.objects.update_or_create(name=name, defaults=seen)
    RunUnit.objects.filter(state=RunUnit.State.RUNNING, owner__in=active_task_ids).update(
        leased_until=now + pipeline.LEASE
    )


def run_until(*, stopped: Event, name: str, active_task_ids: Callable[[], Sequence[str]]) -> None:
    """Beat until `stopped` is set, then remove the row. A database that is away is tried again at the next beat."""
    sandbox_name = sandbox.probe().name
    languages: dict[str, str] | None = None
    while True:
        try:
            beat(
                name=name,
                sandbox_name=sandbox_name,
                active_task_ids=active_task_ids(),
                now=timezone.now(),
                languages=languages,
            )
        except DatabaseError as error:
            logger.warning("The heartbeat of %s could not be saved: %s", name, error)
        finally:
            # A pool process that is forked now must not inherit an open connection.
            connection.close()
        if languages is None:
            # Asking every compiler for its version takes a while: the worker was seen before.
            languages = toolchains()
        elif stopped.wait(INTERVAL_SECONDS):
            break
    try:
        WorkerHeartbeat.objects.filter(name=name).delete()
    except DatabaseError as error:
        logger.warning("The heartbeat of %s could not be removed: %s", name, error)
    finally:
        connection.close()
