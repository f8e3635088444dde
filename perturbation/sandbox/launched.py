"""The means without namespaces: a small launcher process that limits, confines and finally ends the program's
processes.

Also runs programs unprotected, by the same launcher without confinement, for whoever asked for that explicitly.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from perturbation.sandbox import launcher
from perturbation.sandbox.bubblewrap import CLEAN, checked_files
from perturbation.sandbox.command import RESULTS_VARIABLE, Command, Launch
from perturbation.sandbox.descriptors import as_descriptor, status_pipe
from perturbation.sandbox.host import DEVICES, SYSTEM, SYSTEM_FILES, TOP_LINKS, interpreter_roots, python_executable
from perturbation.sandbox.seccomp import filter_bytes
from perturbation.sandbox.slots import user_slot
from perturbation.sandbox.watchdog import tasks_of_this_user


@dataclass(frozen=True)
class Landlocked:
    """Landlock for files, seccomp for sockets and signals, resource limits, and a sub-reaper that ends all
    descendants.
    """

    name: str = "landlock"

    def prepare(self, *, command: Command, results_fd: int, stack: ExitStack) -> Launch:
        abi = launcher.landlock_abi()
        if abi < 1:
            raise OSError("the kernel has no Landlock (5.13 or later, enabled at boot)")
        # Before ABI 6 Landlock lets signals out: another user's processes are safe, one's own are not.
        other_user = os.getuid() == 0
        signals = other_user or abi >= launcher.ABI_WITH_SIGNAL_SCOPE
        code = filter_bytes(allow_unix_sockets=False, allow_signals=signals, allow_file_changes=other_user)
        return _launch(command, results_fd, stack, seccomp=as_descriptor(code, stack=stack))


@dataclass(frozen=True)
class Unprotected:
    """Resource limits and clean-up only."""

    name: str = "unprotected"

    def prepare(self, *, command: Command, results_fd: int, stack: ExitStack) -> Launch:
        return _launch(command, results_fd, stack, seccomp=None)


def _launch(command: Command, results_fd: int, stack: ExitStack, *, seccomp: int | None) -> Launch:
    status, status_end = status_pipe(stack=stack)
    uid = stack.enter_context(user_slot()) if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="axiom-run-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    _place(command, folder, uid)
    environment = {**CLEAN, "HOME": str(folder), "TMPDIR": str(folder), **command.environment}
    limits = asdict(command.limits)
    if uid is None:
        limits["processes"] += tasks_of_this_user()
    readable = [*SYSTEM, *SYSTEM_FILES, *TOP_LINKS, *interpreter_roots(), *command.readable]
    plan = {
        "argv": command.argv,
        "folder": str(folder),
        "environment": {**environment, RESULTS_VARIABLE: str(results_fd)},
        "limits": limits,
        "uid": uid,
        "readable": readable,
        "devices": list(DEVICES),
        "seccomp": seccomp,
        "status": status_end,
        "results": results_fd,
        "search_all": not all(_is_open_to_all(path) for path in readable),
    }
    given = as_descriptor(json.dumps(plan).encode(), stack=stack)
    keep = [given, status_end, results_fd] + ([] if seccomp is None else [seccomp])
    argv = (python_executable(), "-I", "-S", str(Path(launcher.__file__).resolve()), str(given))
    return Launch(argv, tuple(keep), status, helpers=1, kills_by_init=False, folder=folder)


def _place(command: Command, folder: Path, uid: int | None) -> None:
    for name, content in checked_files(command):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if uid is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, uid, uid)


def _is_open_to_all(path: str) -> bool:
    """Whether every user may pass the folders above this path: an interpreter may lie in root's home."""
    found = [Path(path), *Path(path).parents]
    return all(one.stat().st_mode & 0o001 for one in found if one.is_dir())
