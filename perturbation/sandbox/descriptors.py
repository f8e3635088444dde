"""Bytes as inherited file descriptors, released with the run's stack."""

from __future__ import annotations

import fcntl
import os
from contextlib import ExitStack

_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


def as_descriptor(content: bytes, *, stack: ExitStack, name: str = "file") -> int:
    """A readable, sealed descriptor of the bytes, at their start."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, fd)
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    # The program may hold this descriptor as its stdin: it must not become unlimited memory.
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _SEALS)
    return fd


def status_pipe(*, stack: ExitStack) -> tuple[int, int]:
    """A pipe whose read end does not block; both ends are released with the stack."""
    read_end, write_end = os.pipe2(os.O_CLOEXEC)
    os.set_blocking(read_end, False)
    stack.callback(os.close, read_end)
    stack.callback(os.close, write_end)
    return read_end, write_end
