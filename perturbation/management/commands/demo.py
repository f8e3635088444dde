"""`demo`: the whole flow on the bundled sample through a real worker, then the web application; all on this machine."""

from __future__ import annotations

import fcntl
import io
import json
import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

from celery import current_app
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from axiom_site import env, local_services, roles
from axiom_site.local_services import ServiceFailed, Services
from perturbation import heartbeat
from perturbation.models import Selection

BENCHMARK = "sample"
SELECTION = "sample"
BATCH = "pilot"
FIRST_PORT = 8000
PASSWORD = "axiom-demo"  # noqa: S105  # the site listens on the loopback interface only
ANNOTATORS = ("anna", "ben", "carla")
ACCOUNTS = {**dict.fromkeys(ANNOTATORS, roles.ANNOTATOR), "adam": roles.ADMIN, "lea": roles.LEAD}
SAMPLE = settings.BASE_DIR / "perturbation" / "sample"
WORKER_SECONDS = 30.0


class Stopped(BaseException):
    """SIGTERM, SIGHUP or Ctrl-C: end what was started, then end."""


class Command(BaseCommand):
    """Run the demonstration."""

    help = (
        "Run the whole flow on the bundled sample (import, verify, perturb, reports, selection, pilot batch, "
        "assignment) through a local worker, then serve the site on 127.0.0.1. Started again, it goes on with the "
        "data that is there. AXIOM_DATA_DIR names the data folder."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the ways to run it."""
        parser.add_argument("--port", type=int, help=f"port of the site (the first free one from {FIRST_PORT})")
        parser.add_argument("--no-serve", action="store_true", help="end after the pipeline")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Start, work, serve, and end everything that was started, however it ends."""
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, _stop)
        if env.flag("AXIOM_ENDS_WITH_PARENT", default=False):
            local_services.end_with_parent()
        services = Services(log_dir=settings.DATA_DIR / "logs")
        try:
            with _only_one():
                self._run(services, port=options["port"], serve=not options["no_serve"])
        except ServiceFailed as error:
            raise CommandError(str(error)) from error
        except Stopped:
            self.stdout.write("Stopping.")
        finally:
            services.stop()

    def _run(self, services: Services, *, port: int | None, serve: bool) -> None:
        began = time.monotonic()
        call_command("migrate", verbosity=0)
        environment = self._start_workers(services)
        with _collecting_static(environment):
            make_accounts()
            self._pipeline()
            self.stdout.write(f"Pipeline ready in {time.monotonic() - began:.1f} s.")
        if serve:
            self._serve(services, port=port, environment=environment)

    def _start_workers(self, services: Services) -> dict[str, str]:
        environment = {"AXIOM_HASHED_STATIC": "1"}
        try:
            address = local_services.start_broker(services, data_dir=settings.DATA_DIR)
        except ServiceFailed as error:
            self.stdout.write(f"{error} Working without a worker, in this process.")
            return environment
        environment["AXIOM_BROKER_URL"] = address
        current_app.conf.update(broker_url=address)
        worker = local_services.start_worker(services, data_dir=settings.DATA_DIR, environment=environment)
        self.stdout.write(f"Broker at {address}, worker with {os.cpu_count()} processes; logs in {services.log_dir}.")
        deadline = time.monotonic() + WORKER_SECONDS
        while not heartbeat.is_worker_seen(now=timezone.now()):
            if worker.has_ended():
                raise worker.failure()
            if time.monotonic() > deadline:
                raise ServiceFailed(f"The worker does not report after {WORKER_SECONDS:.0f} s, see {worker.log}.")
            time.sleep(0.1)
        return environment

    def _pipeline(self) -> None:
        """Every stage is safe to run again; what is there already is left alone."""
        of_sample = ("--benchmark", BENCHMARK)
        self._stage("import_requirements", str(SAMPLE), "--format", "axiom", *of_sample)
        self._stage("verify", *of_sample)
        self._stage("perturb", *of_sample, "--targets", "0,1,2,3,4", "--exemplars", "1")
        self._stage("build_reports", *of_sample)
        if not Selection.objects.filter(name=SELECTION).exists():
            self._stage("select", *of_sample, "--name", SELECTION)
        # By name, since nothing here may depend on the application of the people who score.
        if not apps.get_model("annotation", "Batch").objects.filter(name=BATCH).exists():
            self._stage("create_batch", "--name", BATCH, "--selection", SELECTION, "--pilot", "0.10")
            self._stage("assign", "--batch", BATCH, "--annotators", ",".join(ANNOTATORS), "--overlap", "3")

    def _stage(self, command: str, *arguments: str) -> None:
        began = time.monotonic()
        output = io.StringIO()
        call_command(command, *arguments, "--json", stdout=output)
        counts = json.loads(output.getvalue().splitlines()[-1])
        self.stdout.write(f"{command:<20} {time.monotonic() - began:5.1f} s   {summary(counts)}")
        self.stdout.flush()

    def _serve(self, services: Services, *, port: int | None, environment: Mapping[str, str]) -> None:
        wanted = port or FIRST_PORT
        taken = local_services.free_port(wanted)
        if taken != wanted:
            self.stdout.write(f"Port {wanted} is in use; taking {taken}.")
        local_services.start_web(services, port=taken, environment=environment)
        self.stdout.write(f"\nAXIOM is at http://127.0.0.1:{taken}/")
        for name, role in ACCOUNTS.items():
            self.stdout.write(f"  {role:<10} {name:<6} password {PASSWORD}")
        self.stdout.write("Ctrl-C ends it.")
        self.stdout.flush()
        while True:
            services.check()
            time.sleep(1)


def make_accounts() -> None:
    """Make the accounts that are not there yet, one role each; the admin may enter Django's own admin pages."""
    for name, role in ACCOUNTS.items():
        if User.objects.filter(username=name).exists():
            continue
        person = User.objects.create_user(name, password=PASSWORD, is_staff=role == roles.ADMIN)
        person.groups.add(Group.objects.get_or_create(name=role)[0])


def summary(counts: Mapping[str, Any]) -> str:
    """Say the counts of a command in one line."""
    words = []
    for name, value in counts.items():
        if isinstance(value, Mapping):
            inner = ", ".join(f"{key}: {_short(number)}" for key, number in value.items() if number)
            words += [f"{name.replace('_', ' ')} ({inner})"] if inner else []
        elif isinstance(value, int | float) and value:
            words.append(f"{name.replace('_', ' ')} {value}")
    return ", ".join(words)


def _short(value: object) -> object:
    return f"{value:.3f}" if isinstance(value, float) else value


@contextmanager
def _only_one() -> Iterator[None]:
    """Refuse to run twice on one data folder: two beats and two brokers on one socket would be the result."""
    lock: IO[str]
    with (settings.DATA_DIR / "demo.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(
                f"Another demo runs on {settings.DATA_DIR}: stop it, or set AXIOM_DATA_DIR to another folder."
            ) from None
        yield


@contextmanager
def _collecting_static(environment: Mapping[str, str]) -> Iterator[None]:
    """Collect the static files beside the work in the block, and wait for the end of both."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "collectstatic", "--noinput", "--verbosity", "0"]
    collecting = subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.PIPE)
    try:
        yield
    except BaseException:
        collecting.kill()
        raise
    finally:
        _, errors = collecting.communicate()
    if collecting.returncode:
        raise ServiceFailed(f"collectstatic failed: {errors.decode(errors='replace').strip()[-500:]}")


def _stop(_number: int, _frame: object) -> None:
    raise Stopped
