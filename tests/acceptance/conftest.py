"""What acceptance tests use: memories on both databases."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from backstory import Memory
from tests.acceptance.places import Kept, Place
from tests.counts import cases

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Try every test on PostgreSQL, but only two cases of each; ``make soak`` tries all."""
    most = cases(2, 1_000_000)
    tried = Counter[str]()
    kept, left = [], []
    for item in items:
        call = getattr(item, "callspec", None)
        if FOLDER in item.path.parents and call and call.params.get("place") == "postgres":
            function = item.nodeid.partition("[")[0]
            tried[function] += 1
            if tried[function] > most:
                left.append(item)
                continue
        kept.append(item)
    if left:
        items[:] = kept
        config.hook.pytest_deselected(items=left)


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


@pytest.fixture(scope="module")
def kept(request: pytest.FixtureRequest) -> Iterator[Kept]:
    """A memory that the function ``fill`` of the test's file fills."""
    with closing(Kept(request.module.fill)) as kept:
        yield kept


@pytest.fixture
def filled(kept: Kept, ready_sqlite: bytes, tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """The same, opened: the tests that only read share it."""
    return kept.memory(tmp_path_factory, ready_sqlite)
