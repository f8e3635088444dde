"""Runs inside the sandbox: tests of several files, which import the program's files by name.

Uses python_harness, which is loaded before it.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from perturbation.languages.harness import python_harness as base

if TYPE_CHECKING:
    from typing import Any


def broken_file(program: dict[str, str]) -> str | None:
    """Words about the first file that is no Python, or None."""
    for path, text in program.items():
        try:
            compile(text, path, "exec", dont_inherit=True)
        except SyntaxError as error:
            return f"{error.msg} (line {error.lineno} of {path})"
        except (ValueError, RecursionError, MemoryError) as error:
            return f"{error} (in {path})"
    return None


def run_file(reporter: base.Reporter, tests: dict[str, Any]) -> None:
    """One test file as a module: its asserts, its classes, its functions."""
    module = ModuleType(tests["module"])
    module.__file__ = os.path.abspath(tests["path"])  # noqa: PTH100
    sys.modules[tests["module"]] = module
    reporter.prefix = tests["prefix"]
    base.run_tests_in(reporter, module.__dict__, {**tests, "needs_check": False}, script=tests["path"])


def main() -> NoReturn:
    reporter, order = base.begin()
    sys.path.insert(0, os.getcwd())  # noqa: PTH109
    base.PROGRAM_PLACES.update({os.path.abspath(path): path for path in order["program"]})  # noqa: PTH100
    base.TESTS_PLACES.update({tests["path"]: tests["path"] for tests in order["tests"]})
    words = broken_file(order["program"])
    if words:
        reporter.record("broken", "syntax", words)
    else:
        for tests in order["tests"]:
            run_file(reporter, tests)
    base.finish(reporter)


if __name__ == "__main__":
    main()
