"""What goes into a sandboxed run and what comes out of it: plain values, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

RESULTS_VARIABLE = "AXIOM_RESULTS_FD"


@dataclass(frozen=True)
class Limits:
    """Bounds of one run.

    Wall time bounds the whole run, CPU time the sum over all its processes. `output_bytes` bounds stdout and
    stderr each,
    `file_bytes` one file, `disk_bytes` each private folder, `processes` counts threads as well.
    """

    wall_seconds: float = 10.0
    cpu_seconds: int = 10
    memory_bytes: int = 512 << 20
    processes: int = 64
    open_files: int = 64
    file_bytes: int = 20 << 20
    output_bytes: int = 64 << 10
    disk_bytes: int = 64 << 20


@dataclass(frozen=True)
class Command:
    """A program to start in an empty private folder that holds `files` (relative names) and is its working directory.

    `readable` names further paths of this machine that the program may read at the same place (a tool chain, an
    analyser).
    """

    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    limits: Limits = Limits()
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    `killed_by` is None or the limit that ended it: wall_time (inconclusive: it depends on the load of the
    machine), or one of
    cpu_time, memory, output, processes, disk, file_size. `results` is what was written to the pipe whose number
    is in AXIOM_RESULTS_FD. An exit status of 128 + n counts as signal n, as shells do.
    """

    exit_code: int | None
    signal: int | None
    stdout: bytes
    stderr: bytes
    results: bytes
    wall_seconds: float
    cpu_seconds: float
    killed_by: str | None
    truncated: bool


@dataclass(frozen=True)
class Launch:
    """A command line ready to start: what to keep open, where status lines arrive, how to end it.

    `status_fd` gives JSON objects with `child-pid` once the program is about to start and `exit-code` when it ended.
    `helpers` is how many processes of the tree are the sandbox's own. `folder` is the work folder where it is on
    the host, `private_folders` are those that exist inside only.
    """

    argv: tuple[str, ...]
    inherited: tuple[int, ...]
    status_fd: int
    helpers: int
    kills_by_init: bool
    folder: Path | None = None
    private_folders: tuple[str, ...] = ()


class Backend(Protocol):
    """One means of isolation."""

    @property
    def name(self) -> str: ...

    def prepare(self, *, command: Command, results_fd: int, stack: ExitStack) -> Launch:
        """Build the launch; what must be released after the run is pushed on the stack."""
        ...
