"""The analysers of the five compiled or scripted languages beside Python, real tools in the real sandbox."""

from __future__ import annotations

from types import ModuleType

import pytest

from perturbation.reports import static_analysis
from perturbation.reports.analysers import Severity, ToolStatus, clippy, cppcheck, ecj, govet, oxlint, ruff
from perturbation.reports.analysers.running import ToolFailed
from perturbation.sandbox import Outcome

CLEAN = {
    "cpp": "#include <vector>\nint total(const std::vector<int> &values) {\n    int sum = 0;\n"
    "    for (int value : values) sum += value;\n    return sum;\n}\n",
    "go": "package program\n\nfunc Twice(value int) int {\n\treturn 2 * value\n}\n",
    "java": "class Solution {\n    static int twice(int value) {\n        return 2 * value;\n    }\n}\n",
    "javascript": "function twice(value) {\n  return 2 * value;\n}\n",
    "rust": "pub fn twice(value: i32) -> i32 {\n    2 * value\n}\n",
}
# language: text with one fault, its rule, its line
FAULTY = {
    "cpp": ("int first(bool is_set) {\n    int *place = nullptr;\n    return *place;\n}\n", "nullPointer", 3),
    "go": (
        'package program\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc Show(v int) {\n\tfmt.Printf("%s", v)\n}\n',
        "printf",
        9,
    ),
    "java": (
        "class Solution {\n    static int twice(int value) {\n        int unused = 3;\n"
        "        return 2 * value;\n    }\n}\n",
        "LocalVariableIsNeverUsed",
        3,
    ),
    "javascript": ("function same(a) {\n  return a === NaN;\n}\n", "eslint(use-isnan)", 2),
    "rust": (
        "pub fn total(values: &[i32]) -> i32 {\n    let mut sum = 0;\n    for i in 0..values.len() {\n"
        "        sum += values[i];\n    }\n    sum\n}\n",
        "clippy::needless_range_loop",
        3,
    ),
}
TOOLS: dict[str, ModuleType] = {"cpp": cppcheck, "go": govet, "java": ecj, "javascript": oxlint, "rust": clippy}
LANGUAGES = sorted(TOOLS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_finds_a_fault_at_its_line_and_nothing_in_a_clean_program(language: str) -> None:
    text, rule, line = FAULTY[language]

    run = TOOLS[language].analyse({"faulty": text, "clean": CLEAN[language]})

    assert run.status is ToolStatus.DONE, run.message
    assert (rule, line) in [(finding.rule, finding.line) for finding in run.results["faulty"]]
    assert run.results["clean"] == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_takes_text_that_is_no_program(language: str) -> None:
    run = TOOLS[language].analyse({"program": "\x00 }{ ' \" \ud800 #!"})

    assert run.status in {ToolStatus.DONE, ToolStatus.FAILED}
    assert run.tool[-1].isdigit()


@pytest.mark.parametrize("imported", ['import m "math"', 'import . "math"', 'import (\n\tm "math"; "os"\n)'])
def test_looks_past_imports_that_nothing_uses(imported: str) -> None:
    faulty = f'package program\n\nimport "fmt"\n{imported}\n\nfunc Show(v int) {{\n\tfmt.Printf("%s", v)\n}}\n'

    run = govet.analyse({"program": faulty})

    assert [finding.rule for finding in run.results["program"]] == ["printf"]


def test_lets_a_script_silence_nothing() -> None:
    quiet = f"/* eslint-disable */\n// oxlint-disable\n{FAULTY['javascript'][0]}"

    run = oxlint.analyse({"program": quiet})

    assert [finding.rule for finding in run.results["program"]] == ["eslint(use-isnan)"]


def test_lets_a_cpp_program_silence_nothing() -> None:
    quiet = FAULTY["cpp"][0].replace("    return", "    // cppcheck-suppress nullPointer\n    return")

    run = cppcheck.analyse({"program": quiet})

    assert "nullPointer" in [finding.rule for finding in run.results["program"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_new_problems_and_none_where_the_parent_has_them_too(language: str) -> None:
    faulty, rule, _ = FAULTY[language]

    assert rule in static_analysis.new_problems(text=faulty, parent=CLEAN[language], language=language)
    assert static_analysis.new_problems(text=f"{faulty}\n", parent=faulty, language=language) == ()


def test_takes_no_style_note_for_a_new_problem() -> None:
    parent = "def twice(value):\n    return 2 * value\n"

    assert static_analysis.new_problems(text=parent.replace("twice", "Twice"), parent=parent, language="python") == ()


def test_counts_problems_by_rule_not_by_line() -> None:
    parent = "def load(path, cache={}):\n    return cache[path]\n"
    moved = f"LIMIT = 3\n\n\n{parent}"

    assert static_analysis.new_problems(text=moved, parent=parent, language="python") == ()


def test_warnings_and_errors_are_told_apart() -> None:
    run = cppcheck.analyse({"program": FAULTY["cpp"][0]})

    assert Severity.ERROR in {finding.severity for finding in run.results["program"]}


def test_tells_a_tool_that_failed_from_one_that_found_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(*_argv: object, **_rest: object) -> Outcome:
        raise ToolFailed("out of memory")

    monkeypatch.setattr(ruff, "start", ends)

    run = ruff.analyse({"program.py": "x = 1\n"})

    assert (run.status, run.message) == (ToolStatus.FAILED, f"{ruff.tool_version()} failed: out of memory")
    with pytest.raises(static_analysis.AnalyserFailed, match="out of memory"):
        static_analysis.new_problems(text="x = 2\n", parent="x = 1\n", language="python")
