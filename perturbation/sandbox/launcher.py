"""Runs as a process of its own, with the standard library alone: limits and confines one program, reports, leaves
nothing.

Started as `python -I -S launcher.py FD`, where FD holds the plan as JSON (see launched.py).
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import signal
import struct
import sys
from typing import Any, NoReturn

ABI_WITH_SIGNAL_SCOPE = 6
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_SET_SUBREAPER, _PR_SET_PDEATHSIG = 38, 22, 36, 1
_PR_SET_KEEPCAPS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _PR_CAPBSET_DROP = 8, 47, 2, 24
_CAP_DAC_READ_SEARCH = 2
_READ = 0b1101  # execute, read file, read folder
_FILE_BITS = 0b111 | 1 << 14 | 1 << 15
_ACCESS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}

libc = ctypes.CDLL(None, use_errno=True)


def landlock_abi() -> int:
    """The version of Landlock in this kernel; 0 or less where there is none."""
    return int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def main(plan: dict[str, Any]) -> int:
    _prctl(_PR_SET_SUBREAPER, 1)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD})
    child = os.fork()
    if child == 0:
        _become(plan)
    _report(plan, {"child-pid": child})
    os.close(plan["results"])
    status = _wait(child)
    _end_all(plan["uid"])
    if status is not None:
        code = os.waitstatus_to_exitcode(status)
        _report(plan, {"exit-code": code if code >= 0 else 128 - code})
    return 0


def _report(plan: dict[str, Any], status: dict[str, int]) -> None:
    os.write(plan["status"], json.dumps(status).encode() + b"\n")


def _wait(child: int) -> int | None:
    """Reap until the child ended; None when told to stop first."""
    while True:
        got = signal.sigwaitinfo({signal.SIGTERM, signal.SIGCHLD})
        if got.si_signo == signal.SIGTERM:
            return None
        while (found := _reap()) is not None:
            if found[0] == child:
                return found[1]


def _reap() -> tuple[int, int] | None:
    try:
        pid, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return (pid, status) if pid else None


def _end_all(uid: int | None) -> None:
    """Freeze all descendants until no new one appears, then kill them: a fork bomb would outrun killing one by one."""
    while True:
        if uid is not None:
            _kill_user(uid)
        seen: set[int] = set()
        while (new := set(_descendants(os.getpid())) - seen) and uid is None:
            seen |= new
            _signal(new, signal.SIGSTOP)
        _signal(seen, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill_user(uid: int) -> None:
    """Kill every process of the run's own user at once, from a process of that user."""
    helper = os.fork()
    if helper == 0:
        with contextlib.suppress(OSError):
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(helper, 0)


def _signal(pids: set[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _descendants(root: int) -> list[int]:
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
                with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123  pathlib costs start-up time here
                    children = [int(word) for word in file.read().split()]
                found += children
                waiting += children
    return found


def _become(plan: dict[str, Any]) -> NoReturn:
    """Turn this process into the program; exit status 127 with one line where that fails."""
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGCHLD})
        os.setsid()
        os.chdir(plan["folder"])
        _limit(plan["limits"])
        protect = plan["seccomp"] is not None
        if plan["uid"] is not None:
            _change_user(plan["uid"], keep_search=plan["search_all"])
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
        if protect:
            _restrict_files(plan)
            _restrict_calls(plan["seccomp"])
        fcntl.fcntl(plan["status"], fcntl.F_SETFD, fcntl.FD_CLOEXEC)
        os.execvpe(plan["argv"][0], plan["argv"], plan["environment"])  # noqa: S606  the purpose of this file
    except BaseException as error:
        os.write(2, f"{plan['argv'][0]}: {error}\n".encode())
    os._exit(127)


def _limit(limits: dict[str, Any]) -> None:
    cpu = int(limits["cpu_seconds"])
    for kind, bound, hard in (
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_DATA, limits["memory_bytes"], limits["memory_bytes"]),
        (resource.RLIMIT_NPROC, limits["processes"], limits["processes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"], limits["open_files"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"], limits["file_bytes"]),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(kind, (bound, hard))


def _change_user(uid: int, *, keep_search: bool) -> None:
    """Drop root. `keep_search` keeps the right to pass closed folders: Landlock then says which of them."""
    if keep_search:
        _prctl(_PR_SET_KEEPCAPS, 1)
    for capability in range(64):
        if not (keep_search and capability == _CAP_DAC_READ_SEARCH):
            libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if keep_search:
        kept = 1 << _CAP_DAC_READ_SEARCH
        header = struct.pack("II", 0x20080522, 0)
        _checked(libc.capset(header, struct.pack("6I", kept, kept, kept, 0, 0, 0)))
        _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_READ_SEARCH)


def _restrict_files(plan: dict[str, Any]) -> None:
    abi = landlock_abi()
    handled = (1 << _ACCESS_BITS.get(abi, 16)) - 1
    network, scope = (3 if abi >= 4 else 0), (3 if abi >= ABI_WITH_SIGNAL_SCOPE else 0)
    attributes = struct.pack("QQQ", handled, network, scope)
    size = 24 if abi >= ABI_WITH_SIGNAL_SCOPE else 16 if abi >= 4 else 8
    ruleset = _checked(libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0)))
    for path in plan["readable"]:
        _allow(ruleset, path, _READ)
    for path in plan["devices"]:
        _allow(ruleset, path, 0b110)
    _allow(ruleset, plan["folder"], handled)
    _checked(libc.syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)))
    os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):  # noqa: PTH112
            access &= _FILE_BITS
        rule = struct.pack("=Qi", access, fd)
        _checked(libc.syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0)))
    finally:
        os.close(fd)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]  # noqa: RUF012  ctypes wants a list


def _restrict_calls(fd: int) -> None:
    fcntl.fcntl(fd, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    code = os.read(fd, 1 << 20)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    _checked(libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(program), 0, 0))


def _prctl(option: int, *arguments: int) -> None:
    words = [ctypes.c_ulong(word) for word in (*arguments, 0, 0, 0, 0)[:4]]
    _checked(libc.prctl(option, *words))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


if __name__ == "__main__":
    with os.fdopen(int(sys.argv[1]), "rb") as given:
        wanted = json.load(given)
    sys.exit(main(wanted))
