"""The command line of bubblewrap: namespaces, a read-only view of the system, private folders of limited size.

As root there is never a user namespace (its uid would still be the real root outside): bubblewrap sets up, then
setpriv changes
to a user id of its own per run. As another user it is the user namespace that takes all rights away.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from perturbation.files import file_and_folder
from perturbation.sandbox.command import RESULTS_VARIABLE, Command, Launch, Limits
from perturbation.sandbox.descriptors import as_descriptor, status_pipe
from perturbation.sandbox.host import (
    SYSTEM,
    SYSTEM_FILES,
    TOP_LINKS,
    interpreter_roots,
    is_below,
    parents_of,
    private_roots,
)
from perturbation.sandbox.seccomp import SeccompUnavailable, filter_bytes
from perturbation.sandbox.slots import FIRST_UID, user_slot
from perturbation.sandbox.watchdog import tasks_of_this_user

WORK = "/box"
TEMPORARY = "/tmp"  # noqa: S108  inside the sandbox: private and limited
SHARED_MEMORY = "/dev/shm"  # noqa: S108  likewise
NAMESPACES = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session"),
)
CLEAN = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": WORK,
    "TMPDIR": TEMPORARY,
    "LANG": "C.UTF-8",
    "USER": "sandbox",
}


class FileNameRefused(ValueError):
    """A file of a command would lie outside of its work folder, or where a folder is."""


@dataclass(frozen=True)
class Bubblewrap:
    """Bubblewrap by one executable; `name` says where that came from."""

    name: str
    executable: str

    def prepare(self, *, command: Command, results_fd: int, stack: ExitStack) -> Launch:
        status, status_end = status_pipe(stack=stack)
        uid = stack.enter_context(user_slot()) if os.getuid() == 0 else None
        options, inherited = _folders_and_files(command, stack)
        try:
            seccomp = as_descriptor(filter_bytes(), stack=stack)
        except SeccompUnavailable:
            pass
        else:
            inherited.append(seccomp)
            options += ["--seccomp", str(seccomp)]
        inherited += [status_end, results_fd]
        argv = (
            self.executable,
            *NAMESPACES,
            *_identity(uid),
            *options,
            *_system(command.readable),
            # The root is a tmpfs without a size of its own: nothing may be written there.
            *("--remount-ro", "/", "--chdir", WORK),
            *_environment(command.environment, results_fd),
            *("--json-status-fd", str(status_end), "--"),
            *limited(command, uid=uid),
        )
        return Launch(
            argv=argv,
            inherited=tuple(inherited),
            status_fd=status,
            helpers=2,
            kills_by_init=True,
            private_folders=(WORK, TEMPORARY, SHARED_MEMORY),
        )


def limited(command: Command, *, uid: int | None) -> tuple[str, ...]:
    """The command behind prlimit, and behind setpriv where the user id is to change."""
    bounds = command.limits
    processes = bounds.processes if uid is not None else bounds.processes + _uncounted_tasks()
    return (
        "/usr/bin/prlimit",
        f"--nproc={processes}",
        f"--cpu={bounds.cpu_seconds}:{bounds.cpu_seconds + 1}",
        f"--data={bounds.memory_bytes}",
        f"--nofile={bounds.open_files}",
        f"--fsize={bounds.file_bytes}",
        "--core=0",
        "--memlock=65536",
        "--",
        *(_setpriv(uid) if uid is not None else ()),
        *command.argv,
    )


def _setpriv(uid: int) -> Iterator[str]:
    yield from ("/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs")
    yield from ("--inh-caps=-all", "--bounding-set=-all", "--")


@lru_cache(maxsize=1)
def _counts_tasks_per_namespace() -> bool:
    """Linux counts a user's tasks per user namespace from 5.14 on; before, the worker's own processes count as well."""
    major, minor = os.uname().release.split(".")[:2]
    return (int(major), int("".join(c for c in minor if c.isdigit()) or 0)) >= (5, 14)


def _uncounted_tasks() -> int:
    """Tasks of the same user beside the program's: bubblewrap's own two, and on an older kernel all of the user's."""
    return 2 + (0 if _counts_tasks_per_namespace() else tasks_of_this_user())


def _identity(uid: int | None) -> Iterator[str]:
    if uid is None:
        yield from ("--unshare-user", "--disable-userns", "--uid", str(FIRST_UID), "--gid", str(FIRST_UID))
        return
    yield from ("--cap-drop", "ALL")
    for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
        yield from ("--cap-add", capability)


@lru_cache(maxsize=16)
def _system(readable: tuple[str, ...]) -> tuple[str, ...]:
    """The read-only view. Parent folders come first: bubblewrap would make missing ones 0700, unreadable for the
    program.
    """
    shown = [*SYSTEM, *interpreter_roots(), *readable]
    parents = dict.fromkeys(["/etc", *(folder for path in shown for folder in parents_of(path))])
    options = [
        word for folder in parents if not any(is_below(folder, path) for path in shown) for word in ("--dir", folder)
    ]
    for path in shown:
        options += ["--ro-bind", path, path]
    for path in SYSTEM_FILES:
        options += ["--ro-bind-try", path, path]
    for path in TOP_LINKS:
        if Path(path).is_symlink():
            options += ["--symlink", str(Path(path).readlink()), path]
        elif Path(path).exists():
            options += ["--ro-bind", path, path]
    for path in private_roots():
        # What the caller asked for by name stays readable even inside the application's folders.
        if any(is_below(path, root) for root in shown) and not any(is_below(name, path) for name in readable):
            options += ["--perms", "0000", "--tmpfs", path]
    return tuple(options)


def _folders_and_files(command: Command, stack: ExitStack) -> tuple[list[str], list[int]]:
    options = ["--proc", "/proc", "--dev", "/dev", *_private(SHARED_MEMORY, command.limits), "--remount-ro", "/dev"]
    options += [*_private(TEMPORARY, command.limits), *_private(WORK, command.limits)]
    inherited = []
    made: set[str] = set()
    for path, content in checked_files(command):
        for folder in reversed([str(parent) for parent in path.parents if str(parent) != "."]):
            if folder not in made:
                options += ["--perms", "0777", "--dir", f"{WORK}/{folder}"]
                made.add(folder)
        inherited.append(as_descriptor(content, stack=stack))
        options += ["--perms", "0666", "--file", str(inherited[-1]), f"{WORK}/{path}"]
    return options, inherited


def _private(path: str, limits: Limits) -> Iterator[str]:
    yield from ("--size", str(limits.disk_bytes), "--perms", "0777" if path == WORK else "1777", "--tmpfs", path)


def checked_files(command: Command) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the files under relative names that stay inside the work folder. Raises FileNameRefused for others."""
    for name in command.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
            raise FileNameRefused(f"file name {name!r} must be relative and stay inside the working directory")
    doubled = file_and_folder(command.files)
    if doubled:
        raise FileNameRefused(f"file name {doubled!r} is also the name of a folder of other files")
    for name, content in command.files.items():
        yield PurePosixPath(name), content


def _environment(extra: Mapping[str, str], results_fd: int) -> Iterator[str]:
    yield "--clearenv"
    for name, value in {**CLEAN, **extra, RESULTS_VARIABLE: str(results_fd)}.items():
        yield from ("--setenv", name, value)
