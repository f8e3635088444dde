"""Lizard: size and cyclomatic complexity per function, in every language that we know."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec

from perturbation.reports.analysers import Metrics, ToolRun, ToolStatus
from perturbation.reports.analysers.running import ToolFailed, failed, how_it_failed, missing, start, versioned
from perturbation.sandbox.host import python_executable

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
    return versioned("lizard")


def measure(files: Mapping[str, str]) -> ToolRun[Metrics]:
    """Measure texts by file name; the ending of the name decides the language."""
    if find_spec("lizard") is None:
        return missing(tool_version(), "run `make install`.")
    try:
        measured = _measured(files)
    except ToolFailed as error:
        return failed(tool_version(), error)
    results = {name: _metrics(values) for name, values in measured.items()}
    return ToolRun(tool=tool_version(), status=ToolStatus.DONE, results=results)


def _measured(files: Mapping[str, str]) -> dict[str, dict[str, object]]:
    site_packages = sysconfig.get_path("purelib")
    outcome = start(
        (python_executable(), "-I", "-S", "-c", MEASURE, site_packages, *sorted(files)),
        files=files,
        readable=(site_packages,),
    )
    try:
        return dict(json.loads(outcome.stdout))
    except ValueError:
        raise ToolFailed(how_it_failed(outcome)) from None


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
