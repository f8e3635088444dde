"""The system call filters, exported once per process as BPF. Owns which calls are refused; loading them is the
launcher's part.
"""

from __future__ import annotations

import errno
import os
import socket
from functools import lru_cache

# Calls that reach beyond one's own processes, grow the kernel's attack surface, or hold memory that no limit counts.
REFUSED = (
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot",
    "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick",
    "mount_setattr", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd",
    "kcmp", "keyctl", "add_key", "request_key", "bpf", "userfaultfd",
    "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register", "kexec_load", "kexec_file_load",
    "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff",
    "acct", "quotactl", "syslog", "open_by_handle_at", "name_to_handle_at", "settimeofday",
    "clock_settime", "clock_adjtime", "adjtimex", "iopl", "ioperm", "modify_ldt",
    "memfd_create", "memfd_secret", "shmget", "msgget", "semget", "mq_open",
    "lookup_dcookie", "nfsservctl", "migrate_pages", "move_pages", "fanotify_init",
)  # fmt: skip
SIGNALS = (
    "kill", "tkill", "tgkill", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
)  # fmt: skip
NAMESPACE_FLAGS = (0x00000080, 0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX


# What Landlock never restricts, or not before its third version: attributes and truncation by path.
FILE_CHANGES = (
    "truncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat",
    "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat",
    "removexattr", "lremovexattr", "fremovexattr", "removexattrat",
)  # fmt: skip


class SeccompUnavailable(Exception):
    """libseccomp cannot be loaded."""


@lru_cache(maxsize=8)
def filter_bytes(
    *, allow_unix_sockets: bool = True, allow_signals: bool = True, allow_file_changes: bool = True
) -> bytes:
    """The filter as BPF. Without namespaces unix sockets and signals reach the host's own processes: refuse them
    there.
    """
    try:
        # Loads a C library, which may be missing.
        import pyseccomp
    except (ImportError, OSError, RuntimeError) as error:
        raise SeccompUnavailable(f"no seccomp filter ({error}); install libseccomp2") from error
    refuse = pyseccomp.ERRNO(errno.EPERM)
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in (
        *REFUSED,
        *(() if allow_signals else SIGNALS),
        *(() if allow_file_changes else FILE_CHANGES),
    ):
        _add(rules, refuse, name)
    if not allow_file_changes:
        # Opening for reading may empty a file too.
        emptied = os.O_TRUNC | os.O_ACCMODE, os.O_TRUNC | os.O_RDONLY
        _add(rules, refuse, "open", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, *emptied))
        _add(rules, refuse, "openat", pyseccomp.Arg(2, pyseccomp.MASKED_EQ, *emptied))
        _add(rules, pyseccomp.ERRNO(errno.ENOSYS), "openat2")
    # With clone3 the flags are behind a pointer, out of a filter's reach; ENOSYS makes the C library fall back to
    # clone.
    _add(rules, pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for flag in NAMESPACE_FLAGS:
        _add(rules, refuse, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    for request in TERMINAL_INJECTION:
        _add(rules, refuse, "ioctl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xFFFFFFFF, request))
    only = (pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX),) if allow_unix_sockets else ()
    _add(rules, refuse, "socket", *only)
    return _export(rules)


def _add(rules: object, action: object, name: str, *arguments: object) -> None:
    try:
        rules.add_rule(action, name, *arguments)  # type: ignore[attr-defined]
    except (OSError, ValueError):
        # An older libseccomp does not know a newer call; the kernel of such a system seldom has it.
        return


def _export(rules: object) -> bytes:
    fd = os.memfd_create("seccomp")
    with os.fdopen(fd, "w+b") as file:
        rules.export_bpf(file)  # type: ignore[attr-defined]
        size = os.fstat(fd).st_size
        return os.pread(fd, size, 0)
