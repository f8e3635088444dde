"""Finds rustc and what links for it. Runs nothing of a program."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from perturbation.languages.base import Toolchain

HOW_TO = "install Debian's packages rustc, cargo and gcc (apt-get install rustc cargo gcc), or rustup"


@dataclass(frozen=True)
class Compiler:
    """The compiler itself, not a proxy that looks for one; `sysroot` is what the sandbox must show of it."""

    path: Path
    sysroot: Path

    @property
    def readable(self) -> tuple[str, ...]:
        return () if self.sysroot == Path("/usr") else (str(self.sysroot),)


@lru_cache(maxsize=1)
def compiler() -> Compiler | None:
    """rustc of the path, or rustup's in the home folder."""
    found = shutil.which("rustc") or shutil.which(str(Path.home() / ".cargo" / "bin" / "rustc"))
    if found is None or shutil.which("gcc") is None:
        return None
    told = subprocess.run([found, "--print", "sysroot"], capture_output=True, text=True, check=False)
    sysroot = Path(told.stdout.strip() or "/nowhere")
    path = sysroot / "bin" / "rustc"
    return Compiler(path, sysroot) if told.returncode == 0 and path.exists() else None


@lru_cache(maxsize=1)
def toolchain() -> Toolchain:
    """rustc and the linker that it calls."""
    found = compiler()
    if found is None:
        return Toolchain(is_there=False, how_to=HOW_TO)
    told = subprocess.run([str(found.path), "--version"], capture_output=True, text=True, check=False)
    return Toolchain(is_there=told.returncode == 0, version=" ".join(told.stdout.split()[:2]), how_to=HOW_TO)


@lru_cache(maxsize=1)
def linking() -> tuple[str, ...]:
    """gold is as fast as rustup's own linker, faster than Debian's default, and lies where every sandbox shows it."""
    return ("-Cstrip=symbols", "-Clink-arg=-fuse-ld=gold") if shutil.which("ld.gold") else ("-Cstrip=symbols",)
