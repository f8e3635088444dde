"""Clippy on Rust programs, one file without Cargo; allow attributes are the program's own business."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from shutil import which

from perturbation.reports.analysers import Finding, Severity, ToolRun
from perturbation.reports.analysers.running import (
    Findings,
    ToolFailed,
    how_it_failed,
    missing,
    one_by_one,
    ordered,
    remembered,
    start,
)

FILE = "program.rs"
SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING}
# A program alone: what only its tests use looks dead, and its crates are not shown to the tool.
IGNORED = ("dead_code", "unused_imports")
LINT_PAGES = "https://rust-lang.github.io/rust-clippy/master/index.html"


@cache
def _sysroot() -> Path | None:
    """The tool chain's own folder: a rustup proxy on the PATH would look for a home that the sandbox has not."""
    rustc = which("rustc")
    if rustc is None:
        return None
    told = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=False, timeout=60)
    return Path(told.stdout.strip()) if told.returncode == 0 else None


@cache
def _driver() -> Path | None:
    sysroot = _sysroot()
    candidates = [sysroot / "bin" / "clippy-driver"] if sysroot else []
    return next((path for path in [*candidates, Path("/usr/bin/clippy-driver")] if path.exists()), None)


@cache
def tool_version() -> str:
    """Return "clippy" with its version, or "clippy" alone where it is not installed."""
    driver = _driver()
    if driver is None:
        return "clippy"
    told = subprocess.run([driver, "--version"], capture_output=True, text=True, check=False, timeout=60)
    return " ".join(told.stdout.split()[:2]) or "clippy"


def analyse(files: Mapping[str, str]) -> ToolRun[Findings]:
    """Check Rust texts by file name; findings come ordered by line, column and rule."""
    if _driver() is None:
        return missing(tool_version(), "install Debian's rust-clippy, or rustup's clippy component.")
    return one_by_one(tool_version(), files, _analyse)


@remembered
def _analyse(text: str) -> Findings:
    sysroot, driver = _sysroot(), _driver()
    allowed = [word for name in IGNORED for word in ("-A", name)]
    outcome = start(
        (
            *(str(driver), "--edition", "2021", "--crate-type", "lib", "--sysroot", str(sysroot)),
            *("--error-format=json", "--emit=metadata", "-o", "/tmp/program.rmeta", *allowed, FILE),  # noqa: S108
        ),
        files={FILE: text},
        readable=() if str(sysroot).startswith("/usr") else (str(sysroot),),
        environment={"LD_LIBRARY_PATH": f"{sysroot}/lib"},
    )
    lines = [line for line in outcome.stderr.decode("utf-8", "replace").splitlines() if line.startswith("{")]
    if outcome.killed_by or (outcome.exit_code and not lines):
        raise ToolFailed(how_it_failed(outcome))
    return ordered(_findings(lines))


def _findings(lines: list[str]) -> Iterator[Finding]:
    for line in lines:
        entry = json.loads(line)
        code = (entry.get("code") or {}).get("code")
        place = next((span for span in entry.get("spans", []) if span.get("is_primary")), None)
        if place is None:
            continue
        severity = SEVERITIES.get(entry.get("level"), Severity.NOTE)
        lint = str(code or "invalid-syntax")
        yield Finding(
            rule=lint,
            severity=severity,
            category="correctness" if severity is Severity.ERROR else "likely fault",
            message=str(entry.get("message") or ""),
            line=int(place["line_start"]),
            column=int(place["column_start"]),
            url=f"{LINT_PAGES}#{lint.removeprefix('clippy::')}" if lint.startswith("clippy::") else "",
        )
