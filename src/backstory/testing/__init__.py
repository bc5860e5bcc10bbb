"""Fakes and contract suites, for tests of backstory and of what is built on it.

The fakes pass the same suites as the real adapters. The suites need pytest; import them from
their modules (``backstory.testing.embedder_contract``, ``backstory.testing.store_contract``).
"""

from backstory.testing.chat_server import Call, ChatServer, Reply
from backstory.testing.clock import FakeClock
from backstory.testing.embedders import HashEmbedder
from backstory.testing.fake_store import MemoryDatabase, MemoryStore
from backstory.testing.ids import CountingIds

__all__ = [
    "Call",
    "ChatServer",
    "CountingIds",
    "FakeClock",
    "HashEmbedder",
    "MemoryDatabase",
    "MemoryStore",
    "Reply",
]
