"""What an export holds of one user: whole records, apart from any database.

Times are as they were in the store that was exported. How they are kept when an archive is
restored says ADR 14.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.fact import Fact, FactCorrection, FactRevision
from backstory.core.model.message import Message
from backstory.core.model.run import ConsolidationRun


@dataclass(frozen=True, kw_only=True)
class ArchiveHead:
    """What an archive says of itself before its first record.

    Attributes:
        generations: The models behind the vectors, by the number that the records use.
        active: The number of the generation that search used, or None.
        claim_key: Names the secret behind the hashes of erased claims, or None if there is none.
        records: How many records follow, by kind.
    """

    generations: Mapping[int, EmbedderIdentity] = field(default_factory=dict)
    active: int | None = None
    claim_key: str | None = None
    records: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ArchivedSession:
    """A session.

    Attributes:
        id: Its key in the store.
        name: The caller's session id.
        bulk_import: Whether it holds an import.
        touched: A number that every change of its messages raises; ``episode_seq`` is what it was
            when the session was digested last.
    """

    id: str
    name: str
    started_at: datetime
    last_message_at: datetime
    last_received_at: datetime
    ended_at: datetime | None = None
    agent_id: str | None = None
    mode: str | None = None
    speaker: str | None = None
    channel: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    bulk_import: bool = False
    touched: int = 1
    episode_seq: int = 0


@dataclass(frozen=True, kw_only=True)
class MessageVersion:
    """How a message was before an edit."""

    revision: int
    text: str
    metadata: Mapping[str, Any]
    recorded_at: datetime
    replaced_at: datetime


@dataclass(frozen=True, kw_only=True)
class ArchivedMessage:
    """A message with its history and its vectors.

    Attributes:
        revision: The number of its present version, 1 or more.
        versions: Earlier ones, oldest first.
        needs_reading: Whether no reader has read it yet; ``read_failures`` and ``read_error`` say
            how often that failed, and why.
        terms: Its hashed words, little-endian uint32, as code of ``terms_version`` made them.
        vectors: Little-endian float32 of length 1, by generation.
    """

    message: Message
    terms: bytes
    terms_version: int
    revision: int = 1
    versions: tuple[MessageVersion, ...] = ()
    needs_reading: bool = False
    read_failures: int = 0
    read_error: str | None = None
    vectors: Mapping[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ArchivedFact:
    """A fact with its earlier states and its vectors (see ``ArchivedMessage``)."""

    fact: Fact
    terms: bytes
    terms_version: int
    revisions: tuple[FactRevision, ...] = ()
    vectors: Mapping[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DerivedVersion:
    """A version of a derived record.

    Attributes:
        body: The fields of its kind; see ``core.derived.rows.body_of``.
        vectors: As those of ``ArchivedMessage``.
    """

    at: datetime
    recorded_at: datetime
    known_from: datetime | None = None
    replaced_at: datetime | None = None
    body: Mapping[str, Any]
    vectors: Mapping[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ArchivedDerived:
    """A derived record with all its versions, oldest first; ``type`` names what it is."""

    id: str
    type: str
    versions: tuple[DerivedVersion, ...]


@dataclass(frozen=True, kw_only=True)
class ArchivedRun:
    """A run of consolidation."""

    run: ConsolidationRun


@dataclass(frozen=True, kw_only=True)
class ErasedClaim:
    """That something was erased and must not come back: a keyed hash, which says no more."""

    claim_hash: str
    erased_at: datetime


Archived: TypeAlias = (
    ArchivedSession
    | ArchivedMessage
    | ArchivedFact
    | FactCorrection
    | Contradiction
    | Collision
    | ErasedClaim
    | ArchivedDerived
    | ArchivedRun
)
KINDS: Mapping[str, type[Archived]] = {
    "session": ArchivedSession,
    "message": ArchivedMessage,
    "fact": ArchivedFact,
    "correction": FactCorrection,
    "contradiction": Contradiction,
    "collision": Collision,
    "erased": ErasedClaim,
    "derived": ArchivedDerived,
    "run": ArchivedRun,
}
"""The name of each kind of record, in the order in which an archive holds them."""
NAMES: Mapping[type[Archived], str] = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True, kw_only=True)
class Restored:
    """What became of one record.

    Attributes:
        stored: False if it was there already, or for the reason in ``problem``.
        problem: Why it could not be stored, or None.
    """

    stored: bool
    problem: str | None = None
