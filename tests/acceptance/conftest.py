"""What acceptance tests use: memories on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from tests.acceptance.places import Place


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A database of each kind, with its tables and no rows."""
    if request.param == "postgres":
        found = Place(request.getfixturevalue("ready_postgres_url"))
    else:
        path = tmp_path / "memory.db"
        path.write_bytes(request.getfixturevalue("ready_sqlite"))
        found = Place(str(path))
    yield found
    for memory in found.opened:
        memory.close()


@pytest.fixture
def memory(place: Place) -> Memory:
    """A memory on each kind of database, with a small deterministic embedder."""
    return place.open()
