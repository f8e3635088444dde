"""The outbox: nothing is lost while the broker is away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from celery import current_app
from django.db import transaction

from perturbation import outbox
from perturbation.models import Outbox
from tests import local_servers

pytestmark = pytest.mark.django_db


@pytest.fixture
def broker() -> Iterator[str]:
    """A Redis of this test's own as the broker."""
    before = current_app.conf.broker_url
    with local_servers.redis() as url:
        current_app.conf.update(broker_url=url)
        yield url
    current_app.conf.update(broker_url=before)


@pytest.fixture
def no_broker() -> Iterator[None]:
    """A broker address at which nobody listens."""
    before = current_app.conf.broker_url
    current_app.conf.update(broker_url=f"redis://127.0.0.1:{local_servers.free_port()}/0")
    yield
    current_app.conf.update(broker_url=before)


def test_sends_what_waits_once_and_in_order(broker: str, now: datetime) -> None:
    outbox.put("perturbation.tasks.work_unit", [{"unit_id": 1}, {"unit_id": 2}])

    assert outbox.send_pending(now=now) == 2
    assert outbox.send_pending(now=now) == 0

    assert list(Outbox.objects.values_list("sent_at", flat=True)) == [now, now]
    with current_app.connection_for_read() as connection:
        queue = connection.SimpleQueue("celery")
        received = [queue.get(timeout=2).payload[1] for _ in range(2)]
        with pytest.raises(queue.Empty):
            queue.get(block=False)
        queue.close()
    assert received == [{"unit_id": 1}, {"unit_id": 2}]


def test_keeps_everything_while_the_broker_is_away(no_broker: None, now: datetime) -> None:
    outbox.put("perturbation.tasks.work_unit", [{"unit_id": 1}])

    with pytest.raises(outbox.BrokerAway, match=r"redis://127\.0\.0\.1:\d+/0 cannot be reached"):
        outbox.send_pending(now=now)

    assert Outbox.objects.get().sent_at is None


def test_forgets_the_work_of_a_transaction_that_is_rolled_back() -> None:
    with transaction.atomic():
        outbox.put("perturbation.tasks.work_unit", [{"unit_id": 1}])
        transaction.set_rollback(True)

    assert not Outbox.objects.exists()


def test_prunes_what_was_sent_more_than_a_week_ago(now: datetime) -> None:
    outbox.put("perturbation.tasks.work_unit", [{"unit_id": number} for number in range(3)])
    old, recent, _waiting = Outbox.objects.order_by("pk")
    Outbox.objects.filter(pk=old.pk).update(sent_at=now - timedelta(days=8))
    Outbox.objects.filter(pk=recent.pk).update(sent_at=now - timedelta(days=6))

    outbox.prune(now=now)

    assert [row.arguments["unit_id"] for row in Outbox.objects.order_by("pk")] == [1, 2]


def test_sends_again_what_a_page_renewed_while_it_was_on_its_way(
    broker: str, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox.put("annotation.measure_batch", [{"batch_id": 1}])
    send = current_app.send_task

    def renew_while_sending(*arguments: object, **options: object) -> object:
        Outbox.objects.update(created_at=now)
        return send(*arguments, **options)

    monkeypatch.setattr(current_app, "send_task", renew_while_sending)
    outbox.send_pending(now=now)
    monkeypatch.undo()

    assert Outbox.objects.get().sent_at is None
    assert outbox.send_pending(now=now) == 1
    assert Outbox.objects.get().sent_at == now
