"""Start a launch, carry its pipes, hold it to its limits, and leave nothing of it behind.

Waits on the kernel (pipes and process descriptors) and looks at the use of the whole tree every tenth of a second.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from perturbation.sandbox.command import Backend, Command, Launch, Limits, Outcome
from perturbation.sandbox.descriptors import as_descriptor
from perturbation.sandbox.watchdog import Usage, proportional_bytes, read_tree

TICK_SECONDS = 0.1
GRACE_SECONDS = 20.0
RESULTS_BYTES = 8 << 20
MAX_FILES = 10_000
_CHUNK = 1 << 16
_SIGNALS = {int(one) for one in signal.valid_signals()}


class SandboxBroken(Exception):
    """The sandbox itself, not the program in it, failed."""


def run_with(backend: Backend, command: Command) -> Outcome:
    """Run the command by this means. Raises SandboxBroken where the sandbox could not start the program."""
    with ExitStack() as stack:
        with ExitStack() as ours:
            # Our copies of the write ends close once the program has its own, or the pipes would never end.
            (out, out_end), (err, err_end), (results, results_end) = (_pipe(stack, ours) for _ in range(3))
            launch = backend.prepare(command=command, results_fd=results_end, stack=stack)
            stdin = as_descriptor(command.stdin, stack=stack) if command.stdin else subprocess.DEVNULL
            process = subprocess.Popen(
                launch.argv,
                stdin=stdin,
                stdout=out_end,
                stderr=err_end,
                env={},
                cwd="/",
                pass_fds=launch.inherited,
                start_new_session=True,
            )
        with _Supervision(process, launch, command.limits, (out, err, results)) as supervision:
            return supervision.outcome()


def _pipe(readers: ExitStack, writers: ExitStack) -> tuple[int, int]:
    read_end, write_end = os.pipe2(os.O_CLOEXEC)
    readers.callback(os.close, read_end)
    writers.callback(os.close, write_end)
    os.set_blocking(read_end, False)
    return read_end, write_end


class _Supervision:
    """One running launch: an open process, its pipes and the verdict so far."""

    def __init__(
        self, process: subprocess.Popen[bytes], launch: Launch, limits: Limits, pipes: tuple[int, int, int]
    ) -> None:
        self.process, self.launch, self.limits = process, launch, limits
        self.started = time.monotonic()
        self.killed_by: str | None = None
        self.killed_at = 0.0
        self.exit_status: int | None = None
        self.init_fd: int | None = None
        self.usage = Usage(tasks=0, resident_bytes=0, cpu_seconds=0.0, pids=())
        self.status_text = b""
        self.stack = ExitStack()
        self.selector = self.stack.enter_context(selectors.DefaultSelector())
        self.outer_fd = os.pidfd_open(process.pid)
        self.stack.callback(os.close, self.outer_fd)
        self.out, self.err, self.results = pipes
        self.kept = {fd: bytearray() for fd in pipes}
        self.bounds = {self.out: limits.output_bytes, self.err: limits.output_bytes, self.results: RESULTS_BYTES}
        self.truncated = False

    def __enter__(self) -> _Supervision:
        for fd in self.kept:
            self.selector.register(fd, selectors.EVENT_READ)
        self.selector.register(self.outer_fd, selectors.EVENT_READ)
        self.selector.register(self.launch.status_fd, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self._kill("interrupted")
            self._wait_for_the_end()
        self.stack.close()

    def outcome(self) -> Outcome:
        self._watch()
        rusage_cpu = self._wait_for_the_end()
        wall = time.monotonic() - self.started
        for fd in self.kept:
            while self._read(fd):
                pass
        self._read_status()
        code, by_signal = self._ending()
        cpu = max(rusage_cpu, self.usage.cpu_seconds)
        return Outcome(
            exit_code=code,
            signal=by_signal,
            stdout=bytes(self.kept[self.out]),
            stderr=bytes(self.kept[self.err]),
            results=bytes(self.kept[self.results]),
            wall_seconds=wall,
            cpu_seconds=cpu,
            killed_by=self.killed_by or self._named_by_signal(by_signal, cpu),
            truncated=self.truncated,
        )

    def _watch(self) -> None:
        deadline = self.started + self.limits.wall_seconds
        next_tick = self.started + TICK_SECONDS
        while not self._turn(min(deadline, next_tick)):
            now = time.monotonic()
            if self.killed_by:
                if now > self.killed_at + GRACE_SECONDS:
                    self.process.kill()
                deadline = next_tick = now + TICK_SECONDS
            elif now >= deadline:
                self._kill("wall_time")
            elif now >= next_tick:
                self._check_use()
                next_tick = time.monotonic() + TICK_SECONDS

    def _turn(self, until: float) -> bool:
        """Wait for the kernel and carry what came; whether the launched process has ended."""
        ended = False
        for key, _ in self.selector.select(max(until - time.monotonic(), 0)):
            if key.fd == self.outer_fd:
                ended = True
            elif key.fd == self.launch.status_fd:
                self._read_status()
            elif self._read(key.fd) is None:
                self.selector.unregister(key.fd)
        return ended

    def _read(self, fd: int) -> int | None:
        """Bytes carried; 0 when there is nothing just now, None at the end."""
        try:
            chunk = os.read(fd, _CHUNK)
        except BlockingIOError:
            return 0
        if not chunk:
            return None
        room = self.bounds[fd] - len(self.kept[fd])
        self.kept[fd] += chunk[:room]
        if len(chunk) > room:
            self.truncated = True
            self._kill("output")
        return len(chunk)

    def _read_status(self) -> None:
        with suppress(BlockingIOError):
            self.status_text += os.read(self.launch.status_fd, _CHUNK)
        for line in self.status_text.splitlines():
            with suppress(json.JSONDecodeError):
                status = json.loads(line)
                if "child-pid" in status and self.init_fd is None:
                    self._hold(status["child-pid"])
                if "exit-code" in status and self.exit_status is None:
                    self.exit_status = status["exit-code"]
                    self._note_use()

    def _hold(self, pid: int) -> None:
        """Keep a descriptor of the first process inside: its end is the end of everything inside."""
        with suppress(ProcessLookupError):
            self.init_fd = os.pidfd_open(pid)
            self.stack.callback(os.close, self.init_fd)
            if self.killed_by:
                self._end()

    def _check_use(self) -> None:
        usage = self._note_use()
        if usage.cpu_seconds > self.limits.cpu_seconds:
            self._kill("cpu_time")
        elif usage.tasks - self.launch.helpers >= self.limits.processes:
            self._kill("processes")
        elif usage.resident_bytes > self.limits.memory_bytes and self._uses_too_much(usage):
            self._kill("memory")
        elif self._fills_the_disk(usage):
            self._kill("disk")

    def _note_use(self) -> Usage:
        usage = read_tree(self.process.pid)
        if usage.cpu_seconds > self.usage.cpu_seconds:
            self.usage = usage
        return usage

    def _uses_too_much(self, usage: Usage) -> bool:
        fair = proportional_bytes(usage.pids)
        return fair is None or fair > self.limits.memory_bytes

    def _fills_the_disk(self, usage: Usage) -> bool:
        if self.launch.folder is not None:
            return _is_full(self.launch.folder, self.limits.disk_bytes)
        for folder in self.launch.private_folders:
            try:
                found = os.statvfs(f"/proc/{usage.pids[-1]}/root{folder}")
            except (OSError, IndexError):
                return False
            if found.f_bavail == 0 or found.f_files - found.f_ffree > MAX_FILES:
                return True
        return False

    def _kill(self, reason: str) -> None:
        if not self.killed_by:
            self.killed_by, self.killed_at = reason, time.monotonic()
            self._end()

    def _end(self) -> None:
        with suppress(ProcessLookupError):
            if not self.launch.kills_by_init:
                self.process.send_signal(signal.SIGTERM)
                return
            if self.init_fd is not None:
                signal.pidfd_send_signal(self.init_fd, signal.SIGKILL)
            self.process.kill()

    def _wait_for_the_end(self) -> float:
        """Reap the launched process and wait until the first process inside is gone; CPU seconds of what was reaped."""
        cpu = 0.0
        if self.process.returncode is None:
            _, status, rusage = os.wait4(self.process.pid, 0)
            self.process.returncode = os.waitstatus_to_exitcode(status)
            cpu = rusage.ru_utime + rusage.ru_stime
        self._read_status()
        if self.init_fd is not None:
            with selectors.DefaultSelector() as last:
                last.register(self.init_fd, selectors.EVENT_READ)
                if not last.select(GRACE_SECONDS):
                    raise SandboxBroken("processes of the sandbox did not end when killed")
        return cpu

    def _ending(self) -> tuple[int | None, int | None]:
        if self.exit_status is None:
            if self.killed_by:
                return None, int(signal.SIGKILL)
            words = bytes(self.kept[self.err]).decode(errors="backslashreplace").strip()
            raise SandboxBroken(words or f"the sandbox ended with {self.process.returncode}")
        number = self.exit_status - 128
        return (None, number) if number in _SIGNALS else (self.exit_status, None)

    def _named_by_signal(self, number: int | None, cpu: float) -> str | None:
        if number == signal.SIGXFSZ:
            return "file_size"
        spent = number == signal.SIGKILL and cpu >= self.limits.cpu_seconds
        return "cpu_time" if number == signal.SIGXCPU or spent else None


def _is_full(folder: Path, bound: int) -> bool:
    """Whether the files below hold too many bytes or are too many."""
    total, count, waiting = 0, 0, [str(folder)]
    while waiting and total <= bound and count <= MAX_FILES:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                count += 1
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
    return total > bound or count > MAX_FILES
