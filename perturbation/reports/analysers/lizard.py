"""Lizard: size and cyclomatic complexity per function, in every language that we know."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from perturbation import sandbox
from perturbation.reports.analysers import Metrics, ToolRun, ToolStatus
from perturbation.sandbox.host import python_executable

LIMITS = sandbox.Limits(wall_seconds=20, cpu_seconds=10, output_bytes=1 << 20)

# Runs in the sandbox, so it cannot import this package: only lizard and what lizard needs.
MEASURE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import lizard
measured = {}
for name in sys.argv[2:]:
    with open(name, encoding="utf-8", errors="replace") as file:
        source = file.read()
    info = lizard.analyze_file.analyze_source_code(name, source)
    measured[name] = {
        "lines": len(source.split("\\n")) - source.endswith("\\n"),
        "code_lines": info.nloc,
        "complexities": [function.cyclomatic_complexity for function in info.function_list],
    }
json.dump(measured, sys.stdout)
"""


@cache
def tool_version() -> str:
    """Return "lizard" with its version, or "lizard" alone where it is not installed."""
    try:
        return f"lizard {version('lizard')}"
    except PackageNotFoundError:
        return "lizard"


def measure(files: Mapping[str, str]) -> ToolRun[Metrics]:
    """Measure texts by file name; the ending of the name decides the language."""
    if find_spec("lizard") is None:
        message = "lizard is not installed: run `make install`."
        return ToolRun(tool=tool_version(), status=ToolStatus.MISSING, results={}, message=message)
    site_packages = sysconfig.get_path("purelib")
    outcome = sandbox.run(
        sandbox.Command(
            argv=(python_executable(), "-I", "-S", "-c", MEASURE, site_packages, *sorted(files)),
            files={name: text.encode("utf-8", "backslashreplace") for name, text in files.items()},
            readable=(site_packages,),
            limits=LIMITS,
        )
    )
    try:
        measured = json.loads(outcome.stdout)
    except ValueError:
        reason = outcome.killed_by or outcome.stderr.decode("utf-8", "replace").strip()[-300:] or "no output"
        return ToolRun(tool=tool_version(), status=ToolStatus.FAILED, results={}, message=f"lizard failed: {reason}")
    results = {name: _metrics(values) for name, values in measured.items()}
    return ToolRun(tool=tool_version(), status=ToolStatus.DONE, results=results)


def _metrics(values: dict[str, object]) -> Metrics:
    complexities = values["complexities"]
    assert isinstance(complexities, list)  # noqa: S101
    return Metrics(
        lines=int(str(values["lines"])),
        code_lines=int(str(values["code_lines"])),
        functions=len(complexities),
        max_complexity=max(complexities, default=0),
        mean_complexity=round(sum(complexities) / len(complexities), 2) if complexities else 0.0,
    )
