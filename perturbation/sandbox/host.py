"""Which parts of this machine a program may read, and where the interpreter lies. Facts only, found once per
process.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path

SYSTEM = ("/usr",)
TOP_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@lru_cache(maxsize=1)
def python_executable() -> str:
    """The interpreter itself, outside any virtual environment: the application's packages are not the program's."""
    return str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve())


@lru_cache(maxsize=1)
def interpreter_roots() -> tuple[str, ...]:
    """Folders outside /usr that the interpreter needs."""
    wanted = {os.path.realpath(sys.base_prefix), os.path.realpath(sys.base_exec_prefix)}
    outside = sorted(root for root in wanted if not is_below(root, "/usr"))
    if "/" in outside:
        raise RuntimeError("the interpreter's prefix is /: a sandbox around it would show the whole machine")
    return tuple(outside)


@lru_cache(maxsize=1)
def private_roots() -> tuple[str, ...]:
    """Folders of the application: hidden where they lie under something that is shown."""
    roots = {str(Path(__file__).resolve().parents[2])}
    if sys.prefix != sys.base_prefix:
        roots.add(os.path.realpath(sys.prefix))
    return tuple(sorted(roots))


def is_below(path: str, root: str) -> bool:
    """Whether path is root or lies under it."""
    return path == root or path.startswith(root.rstrip("/") + "/")


def parents_of(path: str) -> list[str]:
    """Every folder above path, outermost first, without the root."""
    return [str(parent) for parent in reversed(Path(path).parents) if str(parent) != "/"]
