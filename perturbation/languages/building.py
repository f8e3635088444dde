"""Compiling inside the sandbox, and keeping objects that many builds share. Knows no language.

Building and running are two sandbox runs: what the compiler made leaves the first through its results pipe, so that
neither limits nor words of the two mix, and a program finds nothing of its own build.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from perturbation.languages.base import TestRun, TestRunStatus
from perturbation.languages.verdict import LIMIT_WORDS, clean
from perturbation.sandbox import Command, Limits, Outcome, probe, run

BUILD_LIMITS = Limits(
    wall_seconds=120.0,
    cpu_seconds=40,
    memory_bytes=1 << 30,
    processes=128,
    open_files=256,
    file_bytes=64 << 20,
    output_bytes=1 << 20,
    disk_bytes=256 << 20,
)
PRODUCT = "product"


@dataclass(frozen=True)
class Built:
    """`product` is empty where nothing was built; `messages` are the compiler's own words."""

    product: bytes
    messages: str
    outcome: Outcome

    @property
    def is_whole(self) -> bool:
        return self.outcome.exit_code == 0 and not self.outcome.killed_by and bool(self.product)


def build(
    *,
    steps: Sequence[Sequence[str]],
    files: Mapping[str, bytes],
    readable: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
    limits: Limits = BUILD_LIMITS,
) -> Built:
    """Run the steps until one fails; the last leaves its result in the file PRODUCT (at most 8 MiB).

    Raises SandboxUnavailable or SandboxBroken.
    """
    commands = " && ".join(f"{shlex.join(step)} </dev/null 1>&2" for step in steps)
    outcome = run(
        Command(
            # bash: the number of the results pipe may have two digits, which plain sh cannot redirect to.
            argv=("/bin/bash", "--norc", "-c", f'{commands} && cat {PRODUCT} >&"$AXIOM_RESULTS_FD"'),
            files=files,
            limits=limits,
            environment={"LC_ALL": "C", **(environment or {})},
            readable=readable,
        )
    )
    return Built(outcome.results, clean(outcome.stderr.decode(errors="backslashreplace")), outcome)


def not_built(built: Built, words: str, *, missing: Sequence[str] = ()) -> TestRun:
    """The test run of a program that could not be built; `words` is the compiler's first error.

    A limit that ends the compiler says nothing about what the program does, so that too is a program that was not
    built; but one that the wall clock ended may build another time.
    """
    outcome = built.outcome
    status, message = TestRunStatus.BUILD, f"does not compile: {words}"
    if outcome.killed_by and outcome.killed_by != "output":
        message = f"the compiler {LIMIT_WORDS.get(outcome.killed_by, f'was stopped: {outcome.killed_by}')}"
        status = TestRunStatus.TIMEOUT if outcome.killed_by == "wall_time" else TestRunStatus.BUILD
    return TestRun(
        status=status,
        cases=(),
        output="",
        seconds=outcome.wall_seconds,
        sandbox=probe().name,
        inconclusive=outcome.killed_by == "wall_time",
        message=clean(message),
        missing=tuple(missing),
    )


@lru_cache(maxsize=64)
def _kept(key: str) -> dict[str, bytes]:
    """A place in this process for one object, for where the folder cannot be written to."""
    return {}


def kept_object(*, folder: Path, key: str) -> bytes | None:
    """An object built before under this key, from this process or the folder."""
    name = hashlib.sha256(key.encode()).hexdigest()
    found = _kept(name).get("object")
    if found is None:
        try:
            found = _kept(name)["object"] = (folder / f"{name}.o").read_bytes()
        except OSError:
            return None
    return found


def keep_object(content: bytes, *, folder: Path, key: str) -> None:
    """Keep an object for kept_object; a folder that cannot be written to is no fault."""
    name = hashlib.sha256(key.encode()).hexdigest()
    _kept(name)["object"] = content
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Written beside and renamed: several workers may build the same object at once.
        half = folder / f"{name}.{os.getpid()}"
        half.write_bytes(content)
        half.replace(folder / f"{name}.o")
    except OSError:
        return
