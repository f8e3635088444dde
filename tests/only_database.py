"""A pytest plugin that keeps the tests that use the database: the rest need not run once more on PostgreSQL."""

from __future__ import annotations

import pytest

DATABASE_FIXTURES = frozenset({"db", "transactional_db", "live_server"})


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what never touches the database."""
    kept, dropped = [], []
    for item in items:
        uses = item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
        (kept if uses or item.get_closest_marker("services") else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
