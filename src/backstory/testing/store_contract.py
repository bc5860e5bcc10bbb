"""The contract of a store, as tests: subclass ``StoreContract`` and override ``make_store``.

The part about what is derived from messages is ``DerivedStoreContract``, that about documents
``DocumentStoreContract``.

That fixture gives a function without arguments; each call of it makes another store, not opened
yet, over the same database, which is empty at the start of a test.
"""

from backstory.testing.stores.archive import ArchiveContract
from backstory.testing.stores.at_once import AtOnceContract
from backstory.testing.stores.base import MakeStore, StoreCase
from backstory.testing.stores.contradictions import CollisionContract, ContradictionContract
from backstory.testing.stores.derived_records import (
    DerivedContract,
    DerivedWithOthersContract,
)
from backstory.testing.stores.derived_sessions import DigestContract, DueContract
from backstory.testing.stores.derived_vectors import DerivedVectorContract
from backstory.testing.stores.derived_versions import VersionContract
from backstory.testing.stores.derived_withdrawal import DerivedWithdrawalContract
from backstory.testing.stores.documents import DocumentStoreContract
from backstory.testing.stores.erasure import ErasureContract
from backstory.testing.stores.fact_books import FactBookContract
from backstory.testing.stores.fact_changes import FactChangeContract, OneCurrentRowContract
from backstory.testing.stores.fact_history import FactHistoryContract
from backstory.testing.stores.fact_lists import FactListContract, FactRecordContract
from backstory.testing.stores.fact_removal import EraseContract
from backstory.testing.stores.fact_search import FactTextContract, FactVectorContract
from backstory.testing.stores.fact_times import FactTimeContract
from backstory.testing.stores.fact_withdrawal import WithdrawalContract
from backstory.testing.stores.partitions import PartitionContract
from backstory.testing.stores.recording import RecordingContract
from backstory.testing.stores.records import RecordContract
from backstory.testing.stores.reindexing import ReindexContract, ReindexLeaseContract
from backstory.testing.stores.runs import RunContract
from backstory.testing.stores.sessions import SessionContract
from backstory.testing.stores.unread import UnreadContract
from backstory.testing.stores.vectors import GenerationContract, VectorContract

__all__ = [
    "DerivedStoreContract",
    "DocumentStoreContract",
    "FactStoreContract",
    "MakeStore",
    "StoreCase",
    "StoreContract",
]


class FactStoreContract(
    FactChangeContract,
    FactBookContract,
    OneCurrentRowContract,
    FactRecordContract,
    FactListContract,
    FactHistoryContract,
    FactTimeContract,
    FactTextContract,
    FactVectorContract,
    UnreadContract,
    AtOnceContract,
    EraseContract,
    WithdrawalContract,
    ContradictionContract,
    CollisionContract,
):
    """The part about facts, contradictions and collisions."""


class DerivedStoreContract(
    DerivedContract,
    VersionContract,
    DerivedWithOthersContract,
    DueContract,
    DigestContract,
    DerivedWithdrawalContract,
    DerivedVectorContract,
):
    """The part about what is derived from messages."""


class StoreContract(
    RecordingContract,
    SessionContract,
    RecordContract,
    VectorContract,
    GenerationContract,
    PartitionContract,
    ReindexContract,
    ReindexLeaseContract,
    FactStoreContract,
    RunContract,
    ErasureContract,
    ArchiveContract,
):
    """What every store does, with the same expectations on each database."""
