"""Both databases and the store in memory keep the contract of a store about derived records."""

from pathlib import Path

import pytest

from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.testing.fake_store import MemoryDatabase, MemoryStore
from backstory.testing.store_contract import DerivedStoreContract, MakeStore
from backstory.testing.stores.derived_records import DerivedWithOthersContract
from backstory.testing.stores.derived_sessions import DueContract


class TestMemory(DerivedStoreContract):
    """In memory."""

    @pytest.fixture
    def make_store(self) -> MakeStore:
        """Stores over one database."""
        database = MemoryDatabase()
        return lambda: MemoryStore(database)


class TestSqlite(DerivedStoreContract):
    """On a file, used through several connections."""

    @pytest.fixture
    def make_store(self, tmp_path: Path, ready_sqlite: bytes) -> MakeStore:
        """Stores over one file."""
        path = tmp_path / "memory.db"
        path.write_bytes(ready_sqlite)
        return lambda: make_store(Location("sqlite", str(path)))


class TestPostgres(DerivedStoreContract):
    """On a real server."""

    @pytest.fixture
    def make_store(self, ready_postgres_url: str) -> MakeStore:
        """Stores over one database."""
        return lambda: make_store(Location("postgres", ready_postgres_url))


class TestPostgresWithOtherNames(DerivedWithOthersContract, DueContract):
    """With a prefix and a schema that must be quoted."""

    @pytest.fixture
    def make_store(self, make_store_in_postgres: MakeStore) -> MakeStore:
        """Stores over one schema."""
        return make_store_in_postgres
