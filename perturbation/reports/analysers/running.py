"""What every adapter does alike: start a tool in the sandbox, tell a failed tool from a missing one, order findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from perturbation import sandbox
from perturbation.reports.analysers import Finding, ToolRun, ToolStatus

Findings = tuple[Finding, ...]
LIMITS = sandbox.Limits(wall_seconds=60, cpu_seconds=20, memory_bytes=1 << 30, processes=128, output_bytes=4 << 20)


class ToolFailed(Exception):
    """The tool ran and gave nothing that can be read; the message says how it ended."""


def start(
    argv: tuple[str, ...],
    *,
    files: Mapping[str, str],
    readable: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> sandbox.Outcome:
    """Run one command over texts by file name. Raises ToolFailed where no sandbox can run it."""
    try:
        return sandbox.run(
            sandbox.Command(
                argv=argv,
                files={name: text.encode("utf-8", "backslashreplace") for name, text in files.items()},
                readable=readable,
                environment=environment or {},
                limits=LIMITS,
            )
        )
    except (sandbox.SandboxUnavailable, sandbox.SandboxBroken) as error:
        raise ToolFailed(str(error)) from error


def how_it_failed(outcome: sandbox.Outcome) -> str:
    """Return the limit that ended a tool, else the end of what it said."""
    said = outcome.stderr.decode("utf-8", "replace").strip()[-300:]
    return outcome.killed_by or said or f"no output, exit status {outcome.exit_code}"


def versioned(package: str) -> str:
    """A tool that is a Python package, with the package's version; its name alone where it is not installed."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


def missing(tool: str, how_to: str) -> ToolRun[Any]:
    """The run of a tool that is not installed."""
    return ToolRun(tool=tool, status=ToolStatus.MISSING, results={}, message=f"{tool} is not installed: {how_to}")


def failed(tool: str, error: ToolFailed) -> ToolRun[Any]:
    """The run of a tool that ran and gave nothing that can be read."""
    return ToolRun(tool=tool, status=ToolStatus.FAILED, results={}, message=f"{tool} failed: {error}")


def one_by_one(tool: str, files: Mapping[str, str], analyse: Callable[[str], Findings]) -> ToolRun[Findings]:
    """Run a tool that takes one program at a time over each text; one failure fails the run."""
    try:
        results = {name: analyse(text) for name, text in files.items()}
    except ToolFailed as error:
        return failed(tool, error)
    return ToolRun(tool=tool, status=ToolStatus.DONE, results=results)


def remembered(analyse: Callable[[str], Findings]) -> Callable[[str], Findings]:
    """Keep the last results of a process: a parent is compared with each of its children."""
    return lru_cache(maxsize=64)(analyse)


def ordered(findings: Iterable[Finding]) -> Findings:
    """Each finding once, by line, column and rule."""
    return tuple(sorted(set(findings), key=lambda one: (one.line, one.column, one.rule, one.message)))
