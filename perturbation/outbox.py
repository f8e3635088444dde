"""Work for the broker, kept in the database until the broker has it: written in the caller's transaction, sent later.

A row may be sent twice (the sender dies between sending and marking); every task is safe to run twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from kombu.utils.url import maybe_sanitize_url

from perturbation.models import Outbox

CHUNK = 200
KEEP_SENT_FOR = timedelta(days=7)


class BrokerAway(Exception):
    """The broker could not be reached; what was to be sent stays in the outbox."""


def put(task: str, arguments: Iterable[Mapping[str, object]]) -> None:
    """Write one row per set of arguments, in the caller's transaction."""
    Outbox.objects.bulk_create([Outbox(task=task, arguments=dict(each)) for each in arguments], batch_size=500)


def send_pending(*, now: datetime) -> int:
    """Send everything that waits, oldest first, and return how many messages that were.

    Raises BrokerAway when the broker cannot be reached.
    """
    sent = 0
    last = 0
    while rows := list(Outbox.objects.filter(sent_at__isnull=True, pk__gt=last).order_by("pk")[:CHUNK]):
        _send(rows, now)
        sent += len(rows)
        last = rows[-1].pk
    return sent


def prune(*, now: datetime) -> None:
    """Delete what was sent more than a week ago."""
    Outbox.objects.filter(sent_at__lt=now - KEEP_SENT_FOR).delete()


def _send(rows: list[Outbox], now: datetime) -> None:
    done: list[Outbox] = []
    try:
        with current_app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=1, timeout=4)
            with current_app.amqp.Producer(connection) as producer:
                for row in rows:
                    current_app.send_task(row.task, kwargs=row.arguments, producer=producer, retry=False)
                    done.append(row)
    except (OperationalError, OSError) as error:
        address = maybe_sanitize_url(current_app.conf.broker_url)
        raise BrokerAway(f"The broker at {address} cannot be reached.") from error
    finally:
        _mark_sent(done, now)


def _mark_sent(rows: list[Outbox], now: datetime) -> None:
    """Mark what was sent, but for rows that a page renewed meanwhile: their newer request goes out next time."""
    with transaction.atomic():
        for row in rows:
            Outbox.objects.filter(pk=row.pk, created_at=row.created_at, sent_at=None).update(sent_at=now)
