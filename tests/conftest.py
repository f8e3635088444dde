"""Fixtures for all tests, and which files are collected."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client

from annotation import triggers
from axiom_site import roles

SHARED_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"

# Tests that read the shared benchmark data exist only where the data does.
collect_ignore_glob = [] if SHARED_DATA.is_dir() else ["*/test_shared_*.py", "test_shared_*.py"]


@pytest.fixture(autouse=True, scope="session")
def _fast_passwords() -> None:
    """Hash the passwords of test people without the work that slows attackers."""
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def shared_data() -> Path:
    """The folder of real benchmark slices."""
    return SHARED_DATA


@pytest.fixture
def now() -> datetime:
    """A fixed moment."""
    return datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def rng() -> random.Random:
    """A seeded source of chance."""
    return random.Random("axiom-tests")


def make_person(name: str, role: str | None) -> User:
    """Create a user with at most one role; the password is the name."""
    person = User.objects.create_user(name, password=name)
    if role:
        person.groups.add(Group.objects.get_or_create(name=role)[0])
    return person


@pytest.fixture
def alice(db: None) -> User:
    """An annotator."""
    return make_person("alice", roles.ANNOTATOR)


@pytest.fixture
def bob(db: None) -> User:
    """Another annotator."""
    return make_person("bob", roles.ANNOTATOR)


@pytest.fixture
def mia(db: None) -> User:
    """An admin, who runs the pipeline and assigns."""
    return make_person("mia", roles.ADMIN)


@pytest.fixture
def lena(db: None) -> User:
    """A lead, who watches agreement."""
    return make_person("lena", roles.LEAD)


@pytest.fixture
def otto(db: None) -> User:
    """An outsider: logged in, without a role."""
    return make_person("otto", None)


@pytest.fixture
def client_for() -> Callable[[User], Client]:
    """Return a test client that is logged in as the given person."""

    def log_in(person: User) -> Client:
        client = Client()
        client.force_login(person)
        return client

    return log_in


@pytest.fixture(autouse=True)
def _deletable_scores(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the tear-down of transactional tests empty the score table: on SQLite it deletes row by row."""
    marker = request.node.get_closest_marker("django_db")
    transactional = "transactional_db" in request.fixturenames or "live_server" in request.fixturenames
    transactional = transactional or bool(marker and marker.kwargs.get("transaction"))
    if not transactional:
        yield
        return
    request.getfixturevalue("transactional_db")
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER IF EXISTS score_no_delete")
        cursor.execute(triggers.SQLITE_DELETE)
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER IF EXISTS score_no_delete")
