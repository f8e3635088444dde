"""One user id per concurrent run, held by a file lock, so that no two runs of root's workers share a process limit."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# A range no distribution hands out, small enough to exist where a container maps only 65,536 ids.
FIRST_UID = 60600
SLOTS = 64


@contextmanager
def user_slot() -> Iterator[int]:
    """A user id that no other run on this machine holds meanwhile; waits when all are taken."""
    fd, slot = _lock_any(_lock_folder())
    try:
        yield FIRST_UID + slot
    finally:
        os.close(fd)


def _lock_any(folder: Path) -> tuple[int, int]:
    for slot in range(SLOTS):
        fd = _open_slot(folder, slot)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
        else:
            return fd, slot
    slot = os.getpid() % SLOTS
    fd = _open_slot(folder, slot)
    fcntl.flock(fd, fcntl.LOCK_EX)
    return fd, slot


def _open_slot(folder: Path, slot: int) -> int:
    return os.open(folder / f"slot-{slot}", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _lock_folder() -> Path:
    run = Path("/run")
    base = run if os.access(run, os.W_OK) else Path(tempfile.gettempdir())
    folder = base / f"axiom-sandbox-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else; remove it")
    return folder
