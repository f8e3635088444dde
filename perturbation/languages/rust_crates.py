"""Builds the crates that programs may use, once, from the sources that Debian's packages install. Fetches nothing."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCES = Path("/usr/share/cargo/registry")
# What benchmarks ask for and Debian packages; those without sources on this machine are left out.
CRATES = ("rand", "regex", "md5", "itertools", "chrono", "num-bigint", "num-traits", "unicode-segmentation",
          "unicode-normalization", "once-cell", "lazy-static", "rayon", "crossbeam", "counter", "permutohedron",
          "modinverse", "enum-map", "thiserror", "anyhow", "int-enum", "time")  # fmt: skip
# What remains of a crate without its optional parts, where Debian's packages of those are not installed.
WITHOUT_OPTIONS = {"regex": ("std", "unicode", "perf-cache", "perf-dfa", "perf-inline")}
HOW_TO = "apt-get install cargo librust-rand-dev librust-regex-dev librust-md5-dev"
MANIFEST = "crates.json"
_WAIT_SECONDS = 900


def prepare_crates(folder: Path, *, compiler: Path, version: str) -> str:
    """Build what is there into `folder`, and write which file holds which crate; returns what was done."""
    wanted = {name: found for name in CRATES if (found := version_there(name))}
    stamp = json.dumps([version, wanted])
    if (folder / "stamp").exists() and (folder / "stamp").read_text() == stamp and (folder / MANIFEST).exists():
        return f"crates already built: {', '.join(sorted(prepared_crates(folder)))}"
    cargo = compiler.with_name("cargo") if compiler.with_name("cargo").exists() else shutil.which("cargo")
    if cargo is None or not wanted:
        return f"no crates ({HOW_TO})"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        # Two at once would remove what the other has just built.
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = _built_together(folder, Path(cargo), compiler, wanted)
        (folder / MANIFEST).write_text(json.dumps(built, sort_keys=True))
    if not built:
        return f"no crate could be built ({HOW_TO})"
    (folder / "stamp").write_text(stamp)
    left = sorted(set(wanted) - {name.replace("_", "-") for name in built} - set(built))
    return f"built the crates {', '.join(sorted(built))}" + (f"; could not build {', '.join(left)}" if left else "")


def prepared_crates(folder: Path) -> dict[str, Path]:
    """File of each crate by the name that sources use; nothing where none were built."""
    try:
        return {name: folder / file for name, file in json.loads((folder / MANIFEST).read_text()).items()}
    except (OSError, ValueError):
        return {}


def version_there(name: str) -> str:
    """The version of a crate among Debian's sources, or nothing."""
    found = sorted(SOURCES.glob(f"{name}-[0-9]*"))
    return found[-1].name.removeprefix(f"{name}-") if found else ""


def _built_together(folder: Path, cargo: Path, compiler: Path, wanted: dict[str, str]) -> dict[str, str]:
    """All in one project, so that they share their dependencies; one that cannot be built is dropped."""
    for old in (*folder.glob("*.rlib"), *folder.glob("*.so")):
        old.unlink()
    lines = {name: f'"={number}"' for name, number in wanted.items()}
    with tempfile.TemporaryDirectory(prefix="axiom-crates-") as made:
        place = Path(made)
        if not _cargo(place, cargo, compiler, lines):
            lines = {name: line for name in wanted if (line := _buildable(place, cargo, compiler, name, lines[name]))}
            if not lines or not _cargo(place, cargo, compiler, lines):
                return {}
        return _collected(place / "target" / "debug" / "deps", folder, set(lines))


def _buildable(place: Path, cargo: Path, compiler: Path, name: str, line: str) -> str:
    """The line of Cargo.toml with which the crate builds here, or nothing."""
    features = json.dumps(WITHOUT_OPTIONS.get(name, ("std",)))
    small = f"{{ version = {line}, default-features = false, features = {features} }}"
    return next((one for one in (line, small) if _cargo(place, cargo, compiler, {name: one})), "")


def _cargo(place: Path, cargo: Path, compiler: Path, wanted: dict[str, str]) -> bool:
    """Whether the project builds. Cargo's own folder is private too, so that no setting of the user counts."""
    _write_project(place, wanted)
    environment = {**os.environ, "CARGO_HOME": str(place / "home"), "RUSTC": str(compiler), "CARGO_INCREMENTAL": "0"}
    for name in ("RUSTFLAGS", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "RUSTC_WRAPPER"):
        environment.pop(name, None)
    shutil.rmtree(place / "target", ignore_errors=True)
    made = subprocess.run(
        [str(cargo), "build", "--offline", "--quiet"],
        cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=_WAIT_SECONDS,
    )  # fmt: skip
    return made.returncode == 0


def _write_project(place: Path, wanted: dict[str, str]) -> None:
    (place / "src").mkdir(exist_ok=True)
    (place / "src" / "lib.rs").write_text("")
    head = '[package]\nname = "axiom-crates"\nversion = "0.1.0"\nedition = "2021"\n[profile.dev]\ndebug = 0\n'
    lines = "".join(f"{name} = {line}\n" for name, line in wanted.items())
    (place / "Cargo.toml").write_text(f"{head}[dependencies]\n{lines}")
    (place / "Cargo.lock").unlink(missing_ok=True)
    (place / "home").mkdir(exist_ok=True)
    source = f'[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "{SOURCES}"\n'
    (place / "home" / "config.toml").write_text(source)


def _collected(deps: Path, folder: Path, wanted: set[str]) -> dict[str, str]:
    """Copy the libraries; name those that were asked for."""
    built = {}
    for library in sorted([*deps.glob("*.rlib"), *deps.glob("*.so")]):
        shutil.copy2(library, folder / library.name)
        name = library.name.removeprefix("lib").rpartition("-")[0]
        if name.replace("_", "-") in wanted or name in wanted:
            built[name] = library.name
    return built
