"""The store in memory."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from backstory.core.model.scope import Scope
from backstory.testing.fake_store.archive import MemoryArchive
from backstory.testing.fake_store.contradictions import MemoryCollisions, MemoryContradictions
from backstory.testing.fake_store.derived import MemoryDerived
from backstory.testing.fake_store.documents import MemoryDocuments
from backstory.testing.fake_store.erasure import MemoryErasure
from backstory.testing.fake_store.facts import MemoryFacts
from backstory.testing.fake_store.messages import MemoryMessages
from backstory.testing.fake_store.partitions import MemoryPartitions
from backstory.testing.fake_store.reindexing import MemoryReindexing
from backstory.testing.fake_store.runs import MemoryRuns
from backstory.testing.fake_store.sessions import MemoryGenerations, MemorySessions
from backstory.testing.fake_store.state import MemoryDatabase


class MemoryStore:
    """Implements ``Store`` in memory.

    Args:
        database: Shared by all stores that are made for it; None = one of its own.
    """

    def __init__(self, database: MemoryDatabase | None = None) -> None:
        database = database or MemoryDatabase()
        self.messages = MemoryMessages(database)
        self.sessions = MemorySessions(database)
        self.generations = MemoryGenerations(database)
        self.partitions = MemoryPartitions(database)
        self.facts = MemoryFacts(database)
        self.contradictions = MemoryContradictions(database)
        self.collisions = MemoryCollisions(database)
        self.derived = MemoryDerived(database)
        self.erasure = MemoryErasure(database, self.partitions)
        self.archive = MemoryArchive(database)
        self.reindexing = MemoryReindexing(database)
        self.documents = MemoryDocuments(database)
        self.runs = MemoryRuns(database)

    def one_look(self, scope: Scope) -> AbstractContextManager[None]:  # noqa: ARG002 - the port
        """Nothing is asked for twice here."""
        return nullcontext()

    async def open(self, *, may_upgrade: bool) -> None:
        """There is nothing to check."""

    async def check(self) -> dict[str, Any]:
        """Facts about the database."""
        return {"database": "memory"}

    async def tend(self) -> None:
        """Nothing was put off."""

    async def close(self) -> None:
        """There is nothing to give back."""
