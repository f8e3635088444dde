"""Runs inside the sandbox: calls the entry point once a case, each in a process of its own, and tells what came back.

What is expected is not known here. Uses python_harness, which is loaded before it.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from typing import TYPE_CHECKING, NoReturn

from perturbation.languages.harness.python_harness import Reporter, begin, described, finish, load_or_tell, represented

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

VALUE, FAULT, NO_MEMORY = b"v", b"e", b"m"


def entry_point(namespace: dict[str, Any], name: str) -> Callable[..., object] | None:
    """The function of this name, or that method of a class Solution, whose object is made anew for each call."""
    found = namespace.get(name)
    if callable(found):
        return found  # type: ignore[no-any-return]
    solution = namespace.get("Solution")
    if isinstance(solution, type) and callable(getattr(solution, name, None)):
        return lambda *arguments: getattr(solution(), name)(*arguments)
    return None


def call(function: Callable[..., object], arguments: list[object]) -> bytes:
    """A letter that says what came back, then JSON or words."""
    try:
        value = function(*arguments)
    except MemoryError as error:
        return NO_MEMORY + described(error).encode(errors="backslashreplace")
    except BaseException as error:
        return FAULT + described(error).encode(errors="backslashreplace")
    try:
        return VALUE + json.dumps(value).encode()
    except (TypeError, ValueError, RecursionError):
        words = f"JSON has no form for the value that was returned: {represented(value)}"
        return FAULT + words.encode(errors="backslashreplace")


def in_child(function: Callable[..., object], arguments: list[object], cpu_seconds: int, write_end: int) -> NoReturn:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    answer = memoryview(call(function, arguments))
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105
            stream.flush()
        except BaseException:
            pass
    while answer:
        answer = answer[os.write(write_end, answer) :]
    os._exit(0)


def answer_of(
    function: Callable[..., object], arguments: list[object], cpu_seconds: int, room: int
) -> tuple[bytes, int]:
    """What the child wrote, and how it ended as waitpid tells; more than `room` bytes end it."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        in_child(function, arguments, cpu_seconds, write_end)
    os.close(write_end)
    answer = b""
    while len(answer) <= room and (chunk := os.read(read_end, 1 << 16)):
        answer += chunk
    os.close(read_end)
    if len(answer) > room:
        os.kill(child, signal.SIGKILL)
    return answer, os.waitpid(child, 0)[1]


def run_calls(reporter: Reporter, order: dict[str, Any]) -> None:
    module = load_or_tell(reporter, order["program"])
    if module is None:
        return
    function = entry_point(module.__dict__, order["entry_point"])
    if function is None:
        reporter.record("broken", "entry", f"the program defines no {order['entry_point']!r}")
        return
    timed_out = False
    for number, arguments in enumerate(order["cases"]):
        if timed_out:
            reporter.record("answer", float(number), "not_run", "not run: an earlier case ran out of time", 0.0)
            continue
        sys.stdout.flush()
        reporter.record("start", str(number))
        began = time.perf_counter()
        answer, ending = answer_of(function, arguments, order["cpu_seconds"], order["room"])
        word, text = told(answer, ending, order["room"])
        timed_out = word == "timeout"
        reporter.record("answer", float(number), word, text, time.perf_counter() - began)
        if answer.startswith(NO_MEMORY):
            reporter.record("memory")


def told(answer: bytes, ending: int, room: int) -> tuple[str, str]:
    code = os.waitstatus_to_exitcode(ending)
    if code in (-signal.SIGXCPU, -signal.SIGKILL) and len(answer) <= room:
        return "timeout", "the program ran out of CPU time"
    if len(answer) > room:
        return "error", "the value returned is far longer than the expected one"
    if code < 0:
        return "error", f"the program crashed with signal {-code}"
    if not answer:
        return "error", f"the program ended the process (exit status {code}) before the call was done"
    return "value" if answer.startswith(VALUE) else "error", answer[1:].decode(errors="backslashreplace")


def main() -> NoReturn:
    reporter, order = begin()
    run_calls(reporter, order)
    finish(reporter)


if __name__ == "__main__":
    main()
