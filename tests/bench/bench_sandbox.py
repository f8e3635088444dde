"""Prints what the sandbox costs: a sandboxed run against a bare process, in turns in the same run.

`python -m tests.bench.bench_sandbox`. Asserts nothing.
"""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from perturbation.languages.registry import get
from perturbation.sandbox import Command, means, probe
from perturbation.sandbox.host import python_executable
from perturbation.sandbox.runner import run_with

ROUNDS = 40
EMPTY = (python_executable(), "-P", "-s", "-S", "-c", "pass")
PROGRAM = "def double(x):\n    return x * 2\n"
TESTS = "def check(candidate):\n    assert candidate(2) == 4\n"


def timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def main() -> None:
    actions: dict[str, Callable[[], object]] = {"bare process": lambda: subprocess.run(EMPTY, check=True)}
    for backend in means.candidates():
        if means.reason_against(backend) is None:
            actions[backend.name] = lambda backend=backend: run_with(backend, Command(argv=EMPTY))  # type: ignore[misc]
    actions["Python tests"] = lambda: get("python").run_tests(program=PROGRAM, tests=TESTS, entry_point="double")
    spent: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(ROUNDS):
        for name, action in actions.items():
            spent[name].append(timed(action))
    bare = statistics.median(spent["bare process"])
    print(f"means: {probe().name}; {ROUNDS} rounds, interleaved")
    for name, times in spent.items():
        middle, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(f"{name:18} p50 {middle * 1e3:6.1f} ms  p95 {late * 1e3:6.1f} ms  {middle / bare:5.2f} x bare")
    with ThreadPoolExecutor(2) as pool:
        whole = timed(lambda: list(pool.map(lambda _: actions[probe().name](), range(ROUNDS))))
    print(f"runs per second, two at a time: {ROUNDS / whole:.0f}")


@pytest.mark.bench
def test_prints_what_a_sandboxed_run_costs() -> None:
    main()


if __name__ == "__main__":
    main()
