"""The Eclipse compiler's warnings on Java programs, from its XML log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

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

JAR = Path("/usr/share/java/eclipse-jdt-core.jar")
JAVA = Path("/usr/bin/java")
PUBLIC_TYPE = re.compile(r"^\s*public\s+(?:(?:final|abstract|sealed)\s+)*(?:class|interface|enum|record)\s+(\w+)", re.M)
SEVERITIES = {"ERROR": Severity.ERROR, "WARNING": Severity.WARNING}
# What tells about faults and dead code; the rest of the compiler's hundred warnings is style.
WARNINGS = (
    "allDeadCode,assertIdentifier,charConcat,compareIdentical,constructorName,emptyBlock,enumSwitch,fallthrough,"
    "fieldHiding,finally,hashCode,localHiding,maskedCatchBlocks,noEffectAssign,null,raw,resource,semicolon,static-access,"
    "switchDefault,unchecked,unlikelyCollectionMethodArgumentType,unlikelyEqualsArgumentType,unused,uselessTypeCheck"
)
SCRIPT = (
    'java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$1" org.eclipse.jdt.internal.compiler.batch.Main '
    '-17 -proc:none -d none -warn:"$2" -log log.xml "$3" >/dev/null; cat log.xml'
)


@cache
def tool_version() -> str:
    """Return "ecj" with the version that Debian's jar carries in its target's name, where it is there."""
    return f"ecj {JAR.resolve().stem.rpartition('-')[2]}" if JAR.exists() else "ecj"


def analyse(files: Mapping[str, str]) -> ToolRun[Findings]:
    """Check Java texts by file name; findings come ordered by line, column and rule."""
    if not (JAR.exists() and JAVA.exists()):
        return missing(tool_version(), "install Debian's ecj and default-jdk-headless, or run `make toolchains`.")
    return one_by_one(tool_version(), files, _analyse)


@remembered
def _analyse(text: str) -> Findings:
    public = PUBLIC_TYPE.search(text)
    name = f"{public[1] if public else 'Solution'}.java"
    outcome = start(
        ("/bin/sh", "-c", SCRIPT, "sh", str(JAR), WARNINGS, name),
        files={name: text},
        # Debian's Java keeps its security settings here and does not start without them.
        readable=tuple(sorted(str(folder) for folder in Path("/etc").glob("java-*"))),
    )
    try:
        log = ET.fromstring(outcome.stdout)  # noqa: S314  # written by the compiler; expat expands no outside entity
    except ET.ParseError:
        raise ToolFailed(how_it_failed(outcome)) from None
    return ordered(_findings(log, text))


def _findings(log: ET.Element, text: str) -> Iterator[Finding]:
    for problem in log.iter("problem"):
        message = problem.find("message")
        start_at = int(problem.get("charStart") or 0)
        severity = SEVERITIES.get(problem.get("severity") or "", Severity.NOTE)
        yield Finding(
            rule=problem.get("id") or "unknown",
            severity=severity,
            category="correctness" if severity is Severity.ERROR else "likely fault",
            message=(message.get("value") or "") if message is not None else "",
            line=int(problem.get("line") or 1),
            column=start_at - text.rfind("\n", 0, start_at),
        )
