"""Hostile Python programs and what must become of them. Uses the standard library alone: it also runs as another user.

A program prints ESCAPED where it got what it must not get. `{marker}` is replaced by a word that no other process has.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

from perturbation.sandbox import Command, Limits, Outcome
from perturbation.sandbox.command import Backend
from perturbation.sandbox.host import python_executable
from perturbation.sandbox.runner import run_with

SHORT = Limits(wall_seconds=50.0, cpu_seconds=6, memory_bytes=256 << 20)
NAMESPACES = ("bubblewrap", "bubblewrap-wheel")


@dataclass(frozen=True)
class Hostile:
    """`endings`: the names of limits of which one must have ended it; "" stands for an ending of its own."""

    name: str
    source: str
    endings: tuple[str, ...] = ("",)
    limits: Limits = SHORT
    stdout: bytes | None = None
    stderr: bytes = b""


PROGRAMS = (
    Hostile(
        "fork bomb",
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        ("processes",),
    ),
    Hostile("memory in one process", "x = bytearray(2 << 30)", stderr=b"MemoryError"),
    Hostile(
        "memory in many children",
        "import os, time\nfor _ in range(6):\n    if not os.fork():\n        x = b'x' * (150 << 20); time.sleep(60)\n"
        "time.sleep(60)",
        ("memory",),
    ),
    Hostile(
        "memory in a shared mapping",
        "import mmap, time\nm = mmap.mmap(-1, 2 << 30)\n"
        "for i in range(0, 2 << 30, 1 << 20): m[i:i + (1 << 20)] = b'x' * (1 << 20)\ntime.sleep(60)",
        ("memory",),
    ),
    Hostile(
        "memory in an anonymous file",
        "import os\ntry: os.memfd_create('x')\nexcept OSError: pass\nelse: print('ESCAPED')",
    ),
    Hostile("endless output", "while True: print('x' * 1000)", ("output",)),
    Hostile("endless errors", "import sys\nwhile True: sys.stderr.write('x' * 1000)", ("output",)),
    Hostile(
        "endless results",
        "import os\nwhile True: os.write(int(os.environ['AXIOM_RESULTS_FD']), b'x' * 65536)",
        ("output",),
    ),
    Hostile(
        "sleep deaf to signals",
        "import signal, time\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True: time.sleep(60)",
        ("wall_time",),
        replace(SHORT, wall_seconds=0.5),
    ),
    Hostile(
        "loop deaf to signals",
        "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        ("cpu_time",),
        replace(SHORT, wall_seconds=60, cpu_seconds=1),
    ),
    Hostile(
        "loop in many children",
        "import os\nfor _ in range(3): os.fork()\nwhile True: pass",
        ("cpu_time",),
        replace(SHORT, wall_seconds=60, cpu_seconds=1),
    ),
    Hostile(
        "disk filled by many files",
        "import time\nfor n in range(200):\n    with open(f'f{{n}}', 'wb') as f: f.write(b'x' * (1 << 20))\n"
        "    time.sleep(0.004)\nprint('ESCAPED')",
        ("", "disk"),
    ),
    Hostile(
        "disk filled by empty files",
        "n = 0\nwhile True: open(f'f{{n}}', 'w').close(); n += 1",
        ("disk",),
        replace(SHORT, wall_seconds=60, cpu_seconds=60),
    ),
    Hostile(
        "one huge file",
        "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "with open('f', 'wb') as f:\n    while True: f.write(b'x' * (1 << 20))",
        ("file_size",),
    ),
    Hostile(
        "connection to a service of this machine",
        "import socket\ntry:\n    s = socket.socket()\n"
        "    s.connect(('127.0.0.1', {port})); print('ESCAPED')\n"
        "except OSError: print('refused')",
        stdout=b"refused\n",
    ),
    Hostile(
        "abstract unix socket of this machine",
        "import socket\ntry:\n    s = socket.socket(socket.AF_UNIX); s.connect('\\0{marker}'); print('ESCAPED')\n"
        "except OSError: print('refused')",
        stdout=b"refused\n",
    ),
    Hostile(
        "files of the application and of its user",
        "import os\nfor path in {private!r}:\n    try:\n        if os.path.isdir(path): seen = os.listdir(path)\n"
        "        else: seen = open(path).read()\n"
        "        if seen: print('ESCAPED', path)\n    except OSError: pass",
    ),
    Hostile(
        "environments of other processes",
        "import os\nfor pid in (*range(1, 3000), {parent}):\n    try:\n"
        "        with open(f'/proc/{{pid}}/environ', 'rb') as file:\n"
        "            if b'{marker}-secret' in file.read(): print('ESCAPED', pid)\n"
        "    except OSError: pass\nif any('{marker}-secret' in v for v in os.environ.values()): print('ESCAPED')",
    ),
    Hostile(
        "writing outside",
        "import sys\nplaces = ['/', '/usr', '/etc', '/dev', '/root', '/var', '/proc', '/sys', sys.base_prefix]\n"
        "for folder in places:\n"
        "    try: open(folder.rstrip('/') + '/{marker}', 'w'); print('ESCAPED', folder)\n    except OSError: pass",
    ),
    Hostile(
        "changing files of its user",
        "import os\nfor change in (\n    lambda p: os.chmod(p, 0o777), lambda p: os.truncate(p, 0),\n"
        "    lambda p: os.utime(p, (0, 0)),\n"
        "    lambda p: os.open(p, os.O_TRUNC), lambda p: os.setxattr(p, 'user.x', b'x'), os.remove,\n"
        "    lambda p: os.rename(p, 'mine'), lambda p: os.link(p, 'mine'),\n):\n"
        "    try: change({victim!r}); print('ESCAPED')\n    except OSError: pass",
    ),
    Hostile(
        "kernel settings",
        "for name in ('kernel/core_pattern', 'vm/drop_caches', 'kernel/modprobe'):\n"
        "    try: open('/proc/sys/' + name, 'r+'); print('ESCAPED', name)\n    except OSError: pass",
    ),
    Hostile(
        "daemon left behind",
        "import os, time\nif not os.fork():\n    os.setsid()\n    if not os.fork():\n        for fd in range(64):\n"
        "            try: os.close(fd)\n            except OSError: pass\n        time.sleep(600)\n    os._exit(0)\n"
        "time.sleep(0.1)\nprint('left')",
        stdout=b"left\n",
    ),
    Hostile("killing everything", "import os, signal\ntry: os.kill(-1, signal.SIGKILL)\nexcept OSError: pass"),
    Hostile(
        "killing the parent",
        "import os, signal\nfor pid in (1, os.getppid()):\n"
        "    try: os.kill(pid, signal.SIGKILL)\n    except OSError: pass",
    ),
    Hostile(
        "forbidden system calls",
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "for name, *args in (('unshare', 0x10000000), ('ptrace', 16, 1, 0, 0),\n"
        "                    ('chroot', b'/tmp'), ('mount', b'x', b'/tmp', b'tmpfs', 0, 0),\n"
        "                    ('setns', 3, 0), ('setuid', 0)):\n"
        "    if getattr(libc, name)(*args) == 0: print('ESCAPED', name)\n"
        "for number in (425, 250, 321, 323, 298, 101):\n"
        "    if libc.syscall(number, 0, 0, 0, 0, 0) >= 0: print('ESCAPED', number)",
    ),
    Hostile(
        "link to a file of this machine",
        "import os\nos.symlink('/etc/shadow', 'result')\n"
        "try: print('ESCAPED', open('result').read())\nexcept OSError: print('refused')",
        stdout=b"refused\n",
    ),
    Hostile(
        "binary output and terminal escapes",
        "import sys\nsys.stdout.buffer.write(b'\\x00\\xff\\x1b[2J\\x1b]0;x\\x07')",
        stdout=b"\x00\xff\x1b[2J\x1b]0;x\x07",
    ),
)


def complaints(program: Hostile, backend: Backend) -> list[str]:
    """Run the program by this means; everything that is not as it must be, in words."""
    marker = f"marker{uuid.uuid4().hex}"
    os.environ["AXIOM_TEST_SECRET"] = f"{marker}-secret"
    with (
        socket.create_server(("127.0.0.1", 0)) as service,
        socket.socket(socket.AF_UNIX) as abstract,
        tempfile.NamedTemporaryFile() as victim,
    ):
        abstract.bind(f"\0{marker}")
        abstract.listen()
        private = [
            str(Path(__file__).resolve().parents[2]),
            str(Path("~").expanduser()) if "HOME" in os.environ else "/root",
            "/etc/shadow",
            "/etc/passwd",
            sys.prefix,
            "/var",
        ]
        if sys.prefix == sys.base_prefix:
            private.remove(sys.prefix)
        source = program.source.format(
            port=service.getsockname()[1],
            marker=marker,
            parent=os.getpid(),
            private=_unseen(private),
            victim=victim.name,
        )
        argv = (python_executable(), "-P", "-s", "-S", "-c", f"# {marker}\n{source}")
        outcome = run_with(backend, Command(argv=argv, limits=program.limits))
    return [*_wrong(program, outcome), *(f"left behind: {line}" for line in processes_with(marker))]


def _unseen(private: list[str]) -> list[str]:
    """Without the folders that only lead to the interpreter: their other entries are what must not be seen."""
    shown: list[str] = []
    for path in private:
        leads = sys.base_prefix.startswith(path + "/") or path == sys.base_prefix
        if leads and os.access(path, os.R_OK | os.X_OK):
            inside = [str(one) for one in Path(path).iterdir() if not sys.base_prefix.startswith(str(one))]
            shown += [one for one in inside if os.access(one, os.R_OK)]
        else:
            shown.append(path)
    return shown


def _wrong(program: Hostile, outcome: Outcome) -> list[str]:
    found = []
    if b"ESCAPED" in outcome.stdout:
        found.append(f"escaped: {outcome.stdout[:500]!r}")
    if (outcome.killed_by or "") not in program.endings:
        found.append(f"ended by {outcome.killed_by!r}, not {program.endings}: {outcome.stderr[-500:]!r}")
    if program.stdout is not None and outcome.stdout != program.stdout:
        found.append(f"printed {outcome.stdout[:500]!r} and {outcome.stderr[-500:]!r}")
    if program.stderr not in outcome.stderr:
        found.append(f"complained {outcome.stderr[-500:]!r}")
    if max(len(outcome.stdout), len(outcome.stderr)) > program.limits.output_bytes:
        found.append("kept too much output")
    return found


def processes_with(marker: str) -> list[str]:
    """Command lines on this machine that hold the marker."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if marker.encode() in line:
                found.append(f"{entry.name}: {line[:80]!r}")
    return found


def main() -> None:
    """Run all programs by the best means and by the one without namespaces; print what is wrong as JSON."""
    from perturbation.sandbox.means import candidates, probe

    means = [backend for backend in candidates() if backend.name in (probe().name, "landlock")]
    report = {one.name: {program.name: complaints(program, one) for program in PROGRAMS} for one in means}
    sys.stdout.write(json.dumps({"uid": os.getuid(), "means": probe().name, "report": report}))


if __name__ == "__main__":
    main()
