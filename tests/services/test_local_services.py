"""The one-machine set-up: the broker beside others, a long path, children that end with their parent."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from axiom_site import broker, local_services
from axiom_site.local_services import ServiceFailed, Services

pytestmark = pytest.mark.services


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Children that are ended after the test."""
    made = Services(log_dir=tmp_path / "logs")
    yield made
    made.stop()


def ping(address: str) -> bool:
    """Ask a server through the client library."""
    return bool(redis.from_url(address.replace("redis+socket", "unix")).ping())


def is_alive(pid: int) -> bool:
    """Say whether a process runs; one that nobody waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> bool:
    """Wait for up to ten seconds."""
    deadline = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_alive(pid)


def test_keeps_the_broker_in_the_data_folder(services: Services, tmp_path: Path) -> None:
    address = local_services.start_broker(services, data_dir=tmp_path)

    assert address == f"redis+socket://{tmp_path}/broker.sock" == broker.url("", data_dir=tmp_path)
    assert ping(address)
    assert (tmp_path / "broker" / "appendonlydir").is_dir()


def test_finds_another_place_for_the_socket_of_a_long_path(services: Services, tmp_path: Path) -> None:
    data_dir = tmp_path / ("long-" * 20)
    data_dir.mkdir()

    address = local_services.start_broker(services, data_dir=data_dir)

    assert len(address.removeprefix("redis+socket://")) < 107
    assert broker.url("", data_dir=data_dir) == address
    assert ping(address)


def test_prefers_the_configured_broker(tmp_path: Path) -> None:
    assert broker.url("redis://elsewhere:6379/1", data_dir=tmp_path) == "redis://elsewhere:6379/1"


def test_takes_an_installed_server_where_the_bundled_one_does_not_start(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = local_services.get_binary_path()
    port = local_services.free_port(20000)
    choices = [("/bin/false", f"redis+socket://{tmp_path}/x.sock"), (str(real), f"redis://127.0.0.1:{port}/0")]
    monkeypatch.setattr(local_services, "_broker_choices", lambda _path: choices)

    address = local_services.start_broker(services, data_dir=tmp_path)

    assert address == f"redis://127.0.0.1:{port}/0" == broker.url("", data_dir=tmp_path)
    assert ping(address)


def test_says_why_no_broker_could_be_started(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_services, "_broker_choices", lambda path: [("/bin/false", f"redis+socket://{path}")])

    with pytest.raises(ServiceFailed, match="No broker could be started: The broker ended with status 1, see"):
        local_services.start_broker(services, data_dir=tmp_path)

    assert services.running == []


def test_takes_the_next_port_when_one_is_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert local_services.free_port(port) > port


def test_ends_the_children_of_a_killed_parent(tmp_path: Path) -> None:
    parent = f"""
import sys, time
from pathlib import Path
from axiom_site.local_services import Services
child = Services(log_dir=Path({str(tmp_path)!r})).start("child", [sys.executable, "-c", "import time; time.sleep(60)"])
print(child.process.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        child = int(process.stdout.readline())
        assert is_alive(child)
        os.kill(process.pid, signal.SIGKILL)

    assert wait_until_gone(child)


def test_notices_a_child_that_ended_by_itself(services: Services) -> None:
    service = services.start("short", [sys.executable, "-c", "import sys; sys.exit('no configuration')"])
    service.process.wait()

    with pytest.raises(ServiceFailed, match="The short ended with status 1.*no configuration"):
        services.check()
