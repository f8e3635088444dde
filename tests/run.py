"""What `make test` and `make lint` run: linters, types, checks, then pytest on SQLite and on PostgreSQL.

Every step runs, whatever the others said; the last line counts all of them, and the exit status is 1 if any failed.
"""

# ruff: noqa: T201  # it talks to a terminal

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from perturbation.languages import registry
from tests import local_servers

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PRODUCTION = {
    "AXIOM_PRODUCTION": "1",
    "AXIOM_SECRET_KEY": "only-for-check-deploy-" + "0123456789abcdef" * 4,
    "AXIOM_ALLOWED_HOSTS": "axiom.example.org",
    "AXIOM_HSTS_SUBDOMAINS": "1",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Markers that neither run belongs to; see pyproject.toml.
NEVER = "not bench"


@dataclass(frozen=True)
class Tally:
    """How many tests or steps passed and failed."""

    passed: int = 0
    failed: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.passed + other.passed, self.failed + other.failed)


def main(arguments: list[str]) -> int:
    """Run the linters, and unless asked for `lint` alone everything else."""
    tally = lint()
    if arguments != ["lint"]:
        missing = install_missing()
        if missing:
            print(f"Cannot run the tests: {missing}", flush=True)
            return 1
        tally += checks()
        tally += tests()
    print(f"\n{tally.passed} passed, {tally.failed} failed", flush=True)
    return 1 if tally.failed or not tally.passed else 0


def lint() -> Tally:
    """Run what reads the code without running it."""
    return (
        step("ruff check", [BIN / "ruff", "check", "."])
        + step("ruff format", [BIN / "ruff", "format", "--check", "."])
        + step("mypy", [BIN / "mypy", "annotation", "perturbation", "axiom_site", "manage.py"])
        + step("djlint", [BIN / "djlint", "--lint", "--quiet", "templates"])
    )


def checks() -> Tally:
    """Run Django's own checks, in development and in production mode."""
    manage = [sys.executable, "manage.py"]
    deploy = [*manage, "check", "--deploy", "--fail-level", "WARNING"]
    return (
        step("check", [*manage, "check"])
        + step("makemigrations --check", [*manage, "makemigrations", "--check", "--dry-run"])
        + step("check --deploy", deploy, PRODUCTION)
    )


def tests() -> Tally:
    """Run pytest on SQLite, then what uses a database or the services on PostgreSQL and Redis."""
    with ExitStack() as stack:
        url = stack.enter_context(local_servers.postgres())
        redis_url = stack.enter_context(local_servers.redis())
        services = {"DATABASE_URL": url, "AXIOM_TEST_POSTGRES_URL": url, "AXIOM_TEST_REDIS_URL": redis_url}
        on_sqlite = pytest("SQLite", ["-m", f"not services and {NEVER}"], {})
        on_postgres = pytest("PostgreSQL", ["-p", "tests.only_database", "-m", f"not browser and {NEVER}"], services)
    return on_sqlite + on_postgres


def step(name: str, command: list[str | Path], environment: Mapping[str, str] | None = None) -> Tally:
    """Run one command; its output is shown only when it fails."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="axiom-data-") as data:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "AXIOM_DATA_DIR": data, **(environment or {})},
            capture_output=True,
            text=True,
            check=False,
        )
    print(f"{name:<24} {'failed' if done.returncode else 'ok':<7} {time.monotonic() - began:6.1f} s", flush=True)
    if done.returncode:
        print(done.stdout[-20_000:], done.stderr[-20_000:], sep="\n", flush=True)
    return Tally(failed=1) if done.returncode else Tally(passed=1)


def pytest(name: str, options: list[str], environment: Mapping[str, str]) -> Tally:
    """Run pytest and count from its own record; a run that ends without one counts as one failure."""
    print(f"\npytest on {name}", flush=True)
    with tempfile.TemporaryDirectory(prefix="axiom-tests-") as folder:
        record = Path(folder) / "record.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", f"--junitxml={record}", *options]
        variables = {**os.environ, "AXIOM_DATA_DIR": folder, **environment}
        status = subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
        if not record.is_file():
            return Tally(failed=1)
        suites = ET.parse(record).getroot().iter("testsuite")  # noqa: S314  # pytest wrote it just now
        counts = [
            {key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")} for suite in suites
        ]
    failed = sum(count["failures"] + count["errors"] for count in counts)
    passed = sum(count["tests"] - count["skipped"] for count in counts) - failed
    return Tally(passed=passed, failed=max(failed, int(status != 0)))


def install_missing() -> str:
    """Install the system packages that tests need, where we may; return what is missing still, in one line."""
    wanted = _missing_packages()
    if wanted and os.getuid() == 0 and shutil.which("apt-get"):
        print(f"Installing with apt-get: {' '.join(wanted)}", flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *wanted], env=quiet, check=False)
        wanted = _missing_packages()
    if wanted:
        return f"install these packages: {' '.join(wanted)}"
    without = {language.label: language.toolchain() for language in registry.all_languages() if language.runner}
    return "; ".join(f"{label}: {found.how_to}" for label, found in without.items() if not found.is_there)


def _missing_packages() -> list[str]:
    found = {
        "postgresql": local_servers.find_postgres(),
        "chromium": next(filter(None, map(shutil.which, BROWSERS)), None),
    }
    return [package for package, there in found.items() if not there]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
