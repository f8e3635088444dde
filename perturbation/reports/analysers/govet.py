"""Go's vet on one file, against the packages that were compiled when the language was prepared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from perturbation.languages import go_toolchain
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
from perturbation.sandbox import Outcome

FILE = "program.go"
PACKAGE = "program"
PLACE = re.compile(r"^(?:vet: )?(?:\./)?[^:\s]*?\.go:(\d+):(\d+)")
UNUSED = re.compile(r'"([^"\n]+)" imported (?:as \S+ )?and not used')
PAGES = "https://pkg.go.dev/golang.org/x/tools/go/analysis/passes"


def tool_version() -> str:
    """Return "go vet" with Go's version, or "go vet" alone where Go is not installed."""
    go = go_toolchain.found()
    return f"go vet {go.version}" if go else "go vet"


def analyse(files: Mapping[str, str]) -> ToolRun[Findings]:
    """Check Go texts by file name; findings come ordered by line, column and rule."""
    if go_toolchain.found() is None:
        return missing(tool_version(), f"{go_toolchain.HOW_TO}.")
    if go_toolchain.prepared() is None:
        return missing(tool_version(), f"{go_toolchain.PREPARE}.")
    return one_by_one(tool_version(), files, _analyse)


@remembered
def _analyse(text: str) -> Findings:
    outcome = _vet(text)
    while (unused := _unused_import(outcome.stderr)) and (shown := _blanked(text, *unused)) != text:
        # Published programs import what only their tests use, and vet stops at the first such line.
        text, outcome = shown, _vet(shown)
    return ordered(_findings(outcome))


def _unused_import(said: bytes) -> tuple[int, str] | None:
    """The line and path of an import that nothing uses, where vet gave up because of it."""
    words = said.decode("utf-8", "replace").strip()
    place, path = PLACE.search(words), UNUSED.search(words)
    return (int(place[1]), path[1]) if place and path else None


def _blanked(text: str, line: int, path: str) -> str:
    """The text with the import under the blank name in place of its own, where it has one."""
    rows = text.split("\n")
    if line <= len(rows):
        own_name = rf'(?:(?:\.|\b(?!import\b)[^\W\d]\w*)\s+)?(?="{re.escape(path)}")'
        rows[line - 1] = re.sub(own_name, "_ ", rows[line - 1], count=1)
    return "\n".join(rows)


def _vet(text: str) -> Outcome:
    go, place = go_toolchain.found(), go_toolchain.prepared()
    assert go is not None  # noqa: S101
    assert place is not None  # noqa: S101
    lines = (place / "importcfg").read_text(encoding="utf-8").splitlines()
    compiled = dict(line.removeprefix("packagefile ").split("=", 1) for line in lines if line.startswith("packagefile"))
    # What the go command hands to a vet tool for one package; see golang.org/x/tools/go/analysis/unitchecker.
    unit = {
        "ID": PACKAGE,
        "Compiler": "gc",
        "Dir": ".",
        "ImportPath": PACKAGE,
        "GoVersion": f"go{'.'.join(go.version.split('.')[:2])}",
        "GoFiles": [FILE],
        "ImportMap": {path: path for path in compiled},
        "PackageFile": compiled,
        "Standard": {},
        "PackageVetx": {},
        "VetxOutput": "/tmp/vet.out",  # noqa: S108  # inside the sandbox
    }
    return start(
        (str(go.tools / "vet"), "-json", "unit.cfg"),
        files={FILE: text, "unit.cfg": json.dumps(unit)},
        readable=(str(go.tools), str(place)),
    )


def _findings(outcome: Outcome) -> Iterator[Finding]:
    """The JSON of the passes; a program that does not type-check is one error instead."""
    said = outcome.stderr.decode("utf-8", "replace").strip()
    refusal = PLACE.search(said)
    if refusal is not None:
        message = said[refusal.end() :].splitlines()[0].lstrip(": ")
        yield Finding("type-check", Severity.ERROR, "correctness", message, int(refusal[1]), int(refusal[2]))
        return
    try:
        passes: dict[str, Any] = next(iter(json.loads(outcome.stdout).values()), {})
    except (ValueError, AttributeError):
        raise ToolFailed(how_it_failed(outcome)) from None
    for name, found in passes.items():
        for entry in found if isinstance(found, list) else ():
            place = PLACE.search(entry["posn"].rpartition("/")[2])
            yield Finding(
                rule=name,
                severity=Severity.WARNING,
                category="likely fault",
                message=entry["message"],
                line=int(place[1]) if place else 1,
                column=int(place[2]) if place else 1,
                url=f"{PAGES}/{name}",
            )
