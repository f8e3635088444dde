"""What a tree of processes uses just now, read from /proc. Owns no limit and kills nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True)
class Usage:
    """Sum over a process and its descendants: tasks (threads count), bytes of resident memory, CPU seconds."""

    tasks: int
    resident_bytes: int
    cpu_seconds: float
    pids: tuple[int, ...]


@lru_cache(maxsize=1)
def _units() -> tuple[int, int]:
    return os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def read_tree(root: int) -> Usage:
    """Usage of the process and all its descendants; processes that vanish meanwhile do not count."""
    page, ticks = _units()
    tasks, pages, cpu, pids = 0, 0, 0, []
    for pid in descendants(root):
        fields = _stat(pid)
        if fields is None:
            continue
        pids.append(pid)
        tasks += int(fields[17])
        pages += max(int(fields[21]), 0)
        cpu += sum(int(field) for field in fields[11:15])
    return Usage(tasks=tasks, resident_bytes=pages * page, cpu_seconds=cpu / ticks, pids=tuple(pids))


def descendants(root: int) -> Iterator[int]:
    """The process and its descendants, parents first."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += _children(pid)


def proportional_bytes(pids: tuple[int, ...]) -> int | None:
    """Memory with shared pages counted once in all, or None where the kernel does not let us read it. Slow: only
    for a verdict.
    """
    total = 0
    for pid in pids:
        try:
            text = (_PROC / str(pid) / "smaps_rollup").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        except PermissionError:
            return None
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total << 10


def tasks_of_this_user() -> int:
    """How many processes the current user has on this machine."""
    mine = os.getuid()
    return sum(1 for entry in os.scandir(_PROC) if entry.name.isdigit() and _owner(entry) == mine)


def _owner(entry: os.DirEntry[str]) -> int | None:
    try:
        return entry.stat().st_uid
    except OSError:
        return None


def _stat(pid: int) -> list[bytes] | None:
    """The fields of stat behind the command's name, which may hold spaces and brackets; field 3 is at index 0."""
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    return text[text.rindex(b")") + 2 :].split()


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208  a Path per thread costs more than the read
        for thread in threads:
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
    except OSError:
        return found
    return found
