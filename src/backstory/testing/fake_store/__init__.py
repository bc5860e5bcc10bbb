"""A store in memory, for tests: simple, obviously right, and slow.

It passes ``StoreContract``. Nothing is kept when the process ends.
"""

from backstory.testing.fake_store.state import MemoryDatabase
from backstory.testing.fake_store.store import MemoryStore

__all__ = ["MemoryDatabase", "MemoryStore"]
