"""Run one command of hostile text with limits, and say what became of it.

Owns the means of isolation and their order. Knows no language and no Django; results leave the sandbox through
pipes only.
"""

from __future__ import annotations

from perturbation.sandbox.bubblewrap import FileNameRefused
from perturbation.sandbox.command import Command, Launch, Limits, Outcome
from perturbation.sandbox.means import Means, SandboxUnavailable, chosen, probe
from perturbation.sandbox.runner import SandboxBroken, run_with

__all__ = [
    "Command",
    "FileNameRefused",
    "Launch",
    "Limits",
    "Means",
    "Outcome",
    "SandboxBroken",
    "SandboxUnavailable",
    "probe",
    "run",
]


def run(command: Command) -> Outcome:
    """Run the command by the best means of this machine; everything it started is gone on return.

    Raises SandboxUnavailable where no means works, SandboxBroken where the means itself failed for this
    command, FileNameRefused for a file outside of the work folder or where a folder is.
    """
    return run_with(chosen(), command)
