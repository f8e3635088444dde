"""PostgreSQL, Redis and child processes in production mode: what docker-compose.yml starts, without an engine."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from axiom_site.local_services import Service, Services
from tests import local_servers

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The server that make test started, else one of these tests' own."""
    if url := os.environ.get("AXIOM_TEST_POSTGRES_URL"):
        yield url
        return
    with local_servers.postgres() as url:
        yield url


@dataclass
class Installation:
    """A team's installation: its environment, and the processes that run in it."""

    environment: dict[str, str]
    services: Services
    started: int = field(default=0)

    def start(self, name: str, *command: str) -> Service:
        """Start a long-running process of this interpreter."""
        self.started += 1
        return self.services.start(f"{name}-{self.started}", [sys.executable, *command], environment=self.environment)

    def start_worker(self) -> Service:
        """Start a worker with its beat."""
        beat = str(self.services.log_dir / f"beat-{self.started}")
        options = ["-B", "--schedule", beat, "--concurrency", "2", "--loglevel", "WARNING"]
        return self.start("worker", "-m", "celery", "-A", "axiom_site", "worker", *options, "-n", f"w{self.started}@%h")

    def manage(self, *arguments: str, timeout: float = 240) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )

    def start_manage(self, *arguments: str) -> Service:
        """Start a management command and go on."""
        return self.start("manage", "manage.py", *arguments)


@pytest.fixture
def installation(postgres_url: str, tmp_path: Path) -> Iterator[Installation]:
    """A migrated, empty installation with a database and a broker of its own, in production mode."""
    name = f"axiom_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_url.replace("postgres://", "postgresql://"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    services = Services(log_dir=tmp_path / "logs")
    with local_servers.redis() as redis_url:
        environment = {
            "AXIOM_PRODUCTION": "1",
            "AXIOM_SECRET_KEY": secrets.token_urlsafe(50),
            "AXIOM_ALLOWED_HOSTS": "axiom.example.org,127.0.0.1",
            "AXIOM_TRUSTED_ORIGINS": "https://axiom.example.org",
            "AXIOM_BEHIND_PROXY": "1",
            "AXIOM_DATA_DIR": str(tmp_path / "data"),
            "AXIOM_STATIC_ROOT": str(tmp_path / "static"),
            "DATABASE_URL": postgres_url.rpartition("/")[0] + f"/{name}",
            "AXIOM_BROKER_URL": redis_url,
        }
        made = Installation(environment=environment, services=services)
        try:
            migrated = made.manage("migrate", "--noinput", "--verbosity", "0")
            assert migrated.returncode == 0, migrated.stderr
            yield made
        finally:
            services.stop()
    with psycopg.connect(postgres_url.replace("postgres://", "postgresql://"), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
