"""Both databases and the store in memory keep the contract of a store."""

from pathlib import Path

import pytest

from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.testing.fake_store import MemoryDatabase, MemoryStore
from backstory.testing.store_contract import MakeStore, StoreContract
from backstory.testing.stores.fact_changes import FactChangeContract
from backstory.testing.stores.fact_history import FactHistoryContract
from backstory.testing.stores.fact_removal import EraseContract
from backstory.testing.stores.records import RecordContract
from backstory.testing.stores.vectors import GenerationContract


class TestMemory(StoreContract):
    """In memory, for tests of what is built on a store."""

    @pytest.fixture
    def make_store(self) -> MakeStore:
        """Stores over one database."""
        database = MemoryDatabase()
        return lambda: MemoryStore(database)


class TestSqlite(StoreContract):
    """On a file, used through several connections."""

    @pytest.fixture
    def make_store(self, tmp_path: Path, ready_sqlite: bytes) -> MakeStore:
        """Stores over one file."""
        path = tmp_path / "memory.db"
        path.write_bytes(ready_sqlite)
        return lambda: make_store(Location("sqlite", str(path)))


class TestPostgres(StoreContract):
    """On a real server."""

    @pytest.fixture
    def make_store(self, ready_postgres_url: str) -> MakeStore:
        """Stores over one database."""
        return lambda: make_store(Location("postgres", ready_postgres_url))


class TestPostgresWithOtherNames(
    RecordContract,
    GenerationContract,
    FactChangeContract,
    FactHistoryContract,
    EraseContract,
):
    """With a prefix and a schema that must be quoted."""

    @pytest.fixture
    def make_store(self, make_store_in_postgres: MakeStore) -> MakeStore:
        """Stores over one schema."""
        return make_store_in_postgres


class TestSqliteWithOtherNames(
    RecordContract,
    GenerationContract,
    FactChangeContract,
    FactHistoryContract,
    EraseContract,
):
    """With a prefix, in a file whose name means something in URLs."""

    @pytest.fixture
    def make_store(self, make_store_in_sqlite: MakeStore) -> MakeStore:
        """Stores over one file."""
        return make_store_in_sqlite
