"""`demo` as a person runs it: the flow through its worker, the site, and nothing left behind when it ends."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.services.conftest import ROOT
from tests.services.test_local_services import is_alive

pytestmark = [pytest.mark.services, pytest.mark.timeout(900)]

SECONDS = 600


def environment(folder: Path) -> dict[str, str]:
    """The shell of somebody who has configured nothing but the data folder."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("AXIOM_", "DATABASE_URL"))}
    return {**ours, "AXIOM_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}


@contextmanager
def demo(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, list[int]]]:
    """Start it and yield the process, the address it prints, and its children, once the site is there."""
    command = [sys.executable, "manage.py", "demo"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout
    try:
        said = ""
        for line in process.stdout:
            said += line
            if "Ctrl-C ends it" in line:
                break
        address = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert address, said
        yield process, address[0], descendants(process.pid)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def descendants(pid: int) -> list[int]:
    """Every process that the process and its children started."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found, grown = {pid}, True
    while grown:
        fresh = {child for child, parent in pairs if parent in found} - found
        found, grown = found | fresh, bool(fresh)
    return sorted(found - {pid})


def still_alive(pids: list[int]) -> list[int]:
    """Those that are still there after at most 20 seconds."""
    deadline = time.monotonic() + 20
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return [pid for pid in pids if is_alive(pid)]


def rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    """Ask the demo's database."""
    with sqlite3.connect(folder / "axiom.sqlite3") as connection:
        return connection.execute(query).fetchall()


def test_runs_the_flow_serves_the_site_and_leaves_nothing_behind(tmp_path: Path) -> None:
    first = subprocess.run(
        [sys.executable, "manage.py", "demo", "--no-serve"],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert first.returncode == 0, first.stdout + first.stderr
    accepted = dict(
        rows(
            tmp_path,
            "SELECT target_score, count(*) FROM perturbation_program "
            "WHERE state = 'accepted' AND kind IN ('perturbed', 'disrupted') GROUP BY 1",
        )
    )
    requirements = int(str(rows(tmp_path, "SELECT count(*) FROM perturbation_requirement")[0][0]))
    assert requirements >= 24
    assert accepted[0] == 2 * requirements
    assert sum(accepted[target] for target in (1, 2, 3, 4)) >= 0.9 * 8 * requirements
    assert rows(tmp_path, "SELECT count(DISTINCT annotator_id) FROM annotation_assignment") == [(3,)]
    programs = rows(tmp_path, "SELECT id, text_hash FROM perturbation_program ORDER BY id")

    with demo(tmp_path) as (process, address, children):
        assert urllib.request.urlopen(f"{address}accounts/login/", timeout=20).status == 200
        assert len(children) >= 4
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        assert still_alive(children) == []
    assert rows(tmp_path, "SELECT id, text_hash FROM perturbation_program ORDER BY id") == programs

    with demo(tmp_path) as (process, _address, children):
        refused = subprocess.run(
            [sys.executable, "manage.py", "demo", "--no-serve"],
            cwd=ROOT,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert refused.returncode == 1
        assert refused.stderr.startswith("CommandError: Another demo runs on")
        process.kill()
        process.wait()
        assert still_alive(children) == []
