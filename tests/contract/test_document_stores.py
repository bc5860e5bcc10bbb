"""Both databases and the store in memory keep the contract of documents."""

from pathlib import Path

import pytest

from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.testing.fake_store import MemoryDatabase, MemoryStore
from backstory.testing.store_contract import DocumentStoreContract, MakeStore
from backstory.testing.stores.document_canon import ThreadContract


class TestMemory(DocumentStoreContract):
    """In memory, for tests of what is built on a store."""

    @pytest.fixture
    def make_store(self) -> MakeStore:
        """Stores over one database."""
        database = MemoryDatabase()
        return lambda: MemoryStore(database)


class TestSqlite(DocumentStoreContract):
    """On a file, used through several connections."""

    @pytest.fixture
    def make_store(self, tmp_path: Path, ready_sqlite: bytes) -> MakeStore:
        """Stores over one file."""
        path = tmp_path / "memory.db"
        path.write_bytes(ready_sqlite)
        return lambda: make_store(Location("sqlite", str(path)))


class TestPostgres(DocumentStoreContract):
    """On a real server."""

    @pytest.fixture
    def make_store(self, ready_postgres_url: str) -> MakeStore:
        """Stores over one database."""
        return lambda: make_store(Location("postgres", ready_postgres_url))


class TestPostgresWithOtherNames(ThreadContract):
    """With a prefix and a schema that must be quoted."""

    @pytest.fixture
    def make_store(self, make_store_in_postgres: MakeStore) -> MakeStore:
        """Stores over one schema."""
        return make_store_in_postgres
