"""What the tests of annotation share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from django.db import connection, connections

T = TypeVar("T")
AtOnce = Callable[[list[Callable[[], T]]], list["T | Exception"]]


@pytest.fixture
def shared_database(transactional_db: None, _deletable_scores: None, tmp_path: Path) -> Iterator[None]:
    """A database that threads can share: SQLite in memory is copied to a file, with its triggers."""
    if connection.vendor != "sqlite" or not connection.is_in_memory_db():
        yield
        return
    in_memory, name = connections["default"], connections.settings["default"]["NAME"]
    path = tmp_path / "shared.sqlite3"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(path)])
    connections.settings["default"]["NAME"] = str(path)
    connections["default"] = connections.create_connection("default")
    yield
    connections["default"].close()
    connections.settings["default"]["NAME"] = name
    connections["default"] = in_memory


@pytest.fixture
def at_once(shared_database: None) -> AtOnce[object]:
    """Return a function that runs calls in threads, started together, and returns what each gave or raised."""

    def run(calls: list[Callable[[], object]]) -> list[object]:
        barrier = threading.Barrier(len(calls))
        outcomes: list[object] = [None] * len(calls)

        def one(place: int) -> None:
            try:
                connection.ensure_connection()
                barrier.wait(timeout=30)
                outcomes[place] = calls[place]()
            except Exception as error:  # noqa: BLE001
                outcomes[place] = error
            finally:
                connection.close()

        threads = [threading.Thread(target=one, args=(place,)) for place in range(len(calls))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        return outcomes

    return run
