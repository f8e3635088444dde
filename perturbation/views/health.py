"""What a monitor asks: is the database there, the broker, a worker? Scores are saved without the last two."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection
from kombu.exceptions import OperationalError

from axiom_site.celery import app
from perturbation.models import WorkerHeartbeat

BROKER_TIMEOUT_SECONDS = 1


@login_not_required
@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 while scores can be saved: `degraded` without broker or worker; 503 without the database."""
    database = database_state()
    if database != "ok":
        return JsonResponse({"status": "down", "database": database}, status=503)
    parts = {"database": database, "broker": broker_state(), "worker": worker_state()}
    status = "ok" if set(parts.values()) == {"ok"} else "degraded"
    return JsonResponse({"status": status, **parts})


def database_state() -> str:
    """Return `ok` when the database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "down"
    return "ok"


def broker_state() -> str:
    """Return `ok` when the broker answers within a second; one that takes the connection and says nothing is down."""
    options = {"socket_timeout": BROKER_TIMEOUT_SECONDS, "socket_connect_timeout": BROKER_TIMEOUT_SECONDS}
    try:
        with Connection(app.conf.broker_url, transport_options=options) as link:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_TIMEOUT_SECONDS)
    except (OperationalError, OSError):
        return "down"
    return "ok"


def worker_state() -> str:
    """Return `ok` when a worker was seen a moment ago."""
    return "ok" if WorkerHeartbeat.objects.alive(timezone.now()).exists() else "not seen"
