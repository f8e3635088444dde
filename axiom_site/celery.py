"""The Celery application: configuration from Django's settings, tasks from the apps, the worker's heartbeat."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from typing import Any

from celery import Celery, bootsteps
from celery.signals import beat_embedded_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "axiom_site.settings")

PR_SET_PDEATHSIG = 1


class HeartbeatStep(bootsteps.StartStopStep):
    """Run the heartbeat in a thread of the worker's main process, from start to stop."""

    requires = ("celery.worker.components:Pool",)

    def start(self, worker: Any) -> None:
        """Start the thread; models can only be imported here, when Django is set up."""
        from celery.worker import state  # noqa: PLC0415

        from perturbation import heartbeat  # noqa: PLC0415

        self.stopped = threading.Event()
        self.thread = threading.Thread(
            target=heartbeat.run_until,
            kwargs={
                "stopped": self.stopped,
                "name": worker.hostname,
                "active_task_ids": lambda: [request.id for request in list(state.active_requests)],
            },
            daemon=True,
        )
        self.thread.start()

    def stop(self, _worker: Any) -> None:
        """End the thread and wait for it: its last act is to say that this worker is gone."""
        self.stopped.set()
        self.thread.join(timeout=5)


app = Celery("axiom")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(HeartbeatStep)
app.conf.beat_schedule = {
    # A tick that could not be worked on in time is worthless: the next one does the same.
    "send-outbox": {"task": "perturbation.tasks.send_outbox", "schedule": 2.0, "options": {"expires": 4}},
    "free-lapsed-units": {"task": "perturbation.tasks.free_lapsed_units", "schedule": 5.0, "options": {"expires": 10}},
}


@beat_embedded_init.connect
@worker_process_init.connect
def die_with_the_worker(**_kwargs: Any) -> None:
    """Let the worker's processes and its beat end when it is killed: otherwise they would go on for nobody."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
