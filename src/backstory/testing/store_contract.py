"""The contract of a store, as tests: subclass ``StoreContract`` and override ``make_store``.

That fixture gives a function without arguments; each call of it makes another store, not opened
yet, over the same database, which is empty at the start of a test.
"""

from backstory.testing.stores.base import MakeStore, StoreCase
from backstory.testing.stores.partitions import PartitionContract
from backstory.testing.stores.recording import RecordingContract
from backstory.testing.stores.records import RecordContract
from backstory.testing.stores.sessions import SessionContract
from backstory.testing.stores.vectors import GenerationContract, VectorContract

__all__ = ["MakeStore", "StoreCase", "StoreContract"]


class StoreContract(
    RecordingContract,
    SessionContract,
    RecordContract,
    VectorContract,
    GenerationContract,
    PartitionContract,
):
    """What every store does, with the same expectations on each database."""
