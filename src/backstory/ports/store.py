"""The store port: what the services ask of a database.

A store keeps each user of each tenant apart: every method that touches user data takes a
``Scope``, and nothing of another scope can be read, changed or counted through it. A method
that writes returns when its effect is durable. Errors are those of ``backstory.errors``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.results import DeleteResult
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo, UserInfo
from backstory.ports.pending import MadeVector, Pending
from backstory.ports.recording import (
    Edited,
    MessageEdit,
    NewMessage,
    Recorded,
    SessionRequest,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from backstory.core.near import Near
    from backstory.core.partition import Partition
    from backstory.ports.archive import ArchiveStore
    from backstory.ports.at_once import AtOnce
    from backstory.ports.derived import DerivedStore
    from backstory.ports.documents import DocumentStore
    from backstory.ports.erasure import ErasureStore
    from backstory.ports.facts import CollisionStore, ContradictionStore, FactStore
    from backstory.ports.reindexing import ReindexStore
    from backstory.ports.runs import RunStore


__all__ = [
    "Edited",
    "GenerationStore",
    "MadeVector",
    "MessageEdit",
    "MessageStore",
    "NewMessage",
    "PartitionStore",
    "Pending",
    "Recorded",
    "SessionRequest",
    "SessionStore",
    "Store",
]


class MessageStore(Protocol):
    """Messages, their history and their vectors."""

    async def record(
        self,
        scope: Scope,
        session: SessionRequest,
        messages: Sequence[NewMessage],
        now: datetime,
        at_once: AtOnce | None = None,
    ) -> Recorded:
        """Store messages and their session in one transaction.

        With ``at_once`` what is new and needs reading is read within it, and marked as read; not
        if messages of the session that came before are still unread: those come first. What it
        raises is raised, and nothing was stored.

        Raises:
            ConflictError: A message id is taken by other content; nothing was stored.
        """
        ...

    async def find(self, tenant_id: str, message_id: str, user_id: str | None) -> Message | None:
        """Find one message by its record id, across the tenant or within one user."""
        ...

    async def many(self, scope: Scope, ids: Sequence[str]) -> dict[str, Message]:
        """Fetch messages of one user by record id; unknown ids are left out."""
        ...

    async def known(
        self, scope: Scope, names: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        """Which (session id, message id of the caller) pairs are stored, with the content hash.

        See ``core.recording.content_hash``.
        """
        ...

    async def edit(
        self, scope: Scope, message_id: str, edit: MessageEdit, now: datetime
    ) -> Edited | None:
        """Replace text and metadata, keep the old version as history, drop a stale vector.

        Returns:
            None if there is no such message.
        """
        ...

    async def history(self, scope: Scope, message_id: str) -> list[MessageRevision]:
        """All versions of a message, oldest first, the current one last."""
        ...

    async def delete(self, scope: Scope, message_id: str) -> bool:
        """Remove a message with its vectors, words and history. False if there was none."""
        ...

    async def delete_all(self, scope: Scope, session_id: str | None) -> DeleteResult:
        """Remove all messages and sessions of a user, or those of one session."""
        ...

    async def pending(
        self, scope: Scope | None, tenant_id: str, limit: int, after: Pending | None = None
    ) -> list[Pending]:
        """Messages that need a vector, of one user or of the whole tenant, in a fixed order.

        ``after`` goes on behind the last one of an earlier call.
        """
        ...

    async def count_pending(self, scope: Scope | None, tenant_id: str) -> int:
        """How many messages need a vector."""
        ...

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Sequence[MadeVector]
    ) -> int | None:
        """Store vectors of the active generation; one for an outdated text is dropped.

        Returns:
            How many were stored; None if the generation is not the active one (any more): then
            nothing was stored.
        """
        ...

    async def note_failures(self, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Remember why messages could not be embedded; they stay pending."""
        ...


class SessionStore(Protocol):
    """Sessions and users."""

    async def sessions(self, scope: Scope) -> list[SessionInfo]:
        """All sessions of a user, oldest first."""
        ...

    async def find(self, scope: Scope, session_id: str) -> SessionInfo | None:
        """One session by its id, or None."""
        ...

    async def newest_open(self, scope: Scope, agent_id: str | None) -> SessionInfo | None:
        """The open session that received a message last."""
        ...

    async def tail(
        self, scope: Scope, session_id: str | None, limit: int, known_at: datetime | None = None
    ) -> list[Message]:
        """The last messages of a session, in order; None = of ``newest_open``'s.

        With ``known_at`` the last of those that were known then; with no session named, of the
        session that the last one known then belongs to.
        """
        ...

    async def end(self, scope: Scope, session_id: str) -> bool:
        """End a session at the time of its last message. False if it is not open."""
        ...

    async def end_timed_out(
        self, tenant_id: str, received_before: datetime, held: frozenset[str]
    ) -> int:
        """End every session that received nothing since then and is not held."""
        ...

    async def users(
        self, tenant_id: str, limit: int | None = None, after: str = ""
    ) -> list[UserInfo]:
        """Users of a tenant of whom something is known, by id: all, or so many after this id.

        That is a session, a fact or a derived record.
        """
        ...


class GenerationStore(Protocol):
    """Embedding generations."""

    async def active(self) -> Generation | None:
        """The generation that search uses, None while nothing was embedded."""
        ...

    async def activate_first(self, identity: EmbedderIdentity, now: datetime) -> Generation:
        """Register the first generation; if another process was faster, give the one it made."""
        ...

    async def calibrate(self, generation_id: int, calibration: str | None) -> bool:
        """Keep what was measured of a generation's cosines, as JSON text. None takes it away.

        Returns:
            False if there is no such generation.
        """
        ...


class PartitionStore(Protocol):
    """The searchable form of one user's messages, cached and always current."""

    async def get(self, scope: Scope, generation: Generation | None) -> Partition:
        """The user's partition as of now, including every write that was acknowledged."""
        ...

    def last(self, scope: Scope, generation: Generation | None) -> Partition | None:
        """The partition as it was at the last ``get``, whatever has changed since; or None."""
        ...

    async def messages(
        self, scope: Scope, partition: Partition, rows: Sequence[int]
    ) -> dict[str, Message]:
        """The messages of some rows by id, as current as the partition or more.

        Those that are gone may be left out. The messages are shared: nobody changes what is in
        them or hands them out of the library; see ``Message.own``.
        """
        ...

    async def session_keys(
        self, scope: Scope, partition: Partition, session_ids: Sequence[str]
    ) -> Mapping[str, str]:
        """How a partition names sessions: for each id that exists, its key in this store."""
        ...

    async def metadata(self, scope: Scope, partition: Partition) -> Sequence[Mapping[str, Any]]:
        """The metadata of each row of a partition, in its order (for filters)."""
        ...

    async def nearest(
        self,
        scope: Scope,
        generation: Generation,
        vector: NDArray[np.float32],
        count: int,
        among: NDArray[np.int64] | None,
    ) -> Near:
        """The messages nearest to a vector, for a partition that holds no vectors.

        Args:
            scope: The user.
            generation: Of the vectors.
            vector: Of length 1.
            count: How many are wanted; so many come, if there are so many.
            among: The numbers of the messages that may come; None = all.
        """
        ...

    async def cosines(
        self,
        scope: Scope,
        generation: Generation,
        vector: NDArray[np.float32],
        seqs: NDArray[np.int64],
    ) -> Near:
        """The cosines of messages by number, for a partition that holds no vectors.

        Those that are gone, or have no vector, are left out.
        """
        ...


class Store(Protocol):
    """A database of backstory."""

    @property
    def messages(self) -> MessageStore:
        """Messages and vectors."""
        ...

    @property
    def sessions(self) -> SessionStore:
        """Sessions and users."""
        ...

    @property
    def generations(self) -> GenerationStore:
        """Embedding generations."""
        ...

    @property
    def partitions(self) -> PartitionStore:
        """What search reads."""
        ...

    @property
    def facts(self) -> FactStore:
        """Facts, and the readings that they come from."""
        ...

    @property
    def contradictions(self) -> ContradictionStore:
        """Contradictions."""
        ...

    @property
    def collisions(self) -> CollisionStore:
        """Collisions."""
        ...

    @property
    def derived(self) -> DerivedStore:
        """What is derived from messages: time line, summaries, feelings and the rest."""
        ...

    @property
    def erasure(self) -> ErasureStore:
        """Forgetting."""
        ...

    @property
    def archive(self) -> ArchiveStore:
        """Whole records, out and in."""
        ...

    @property
    def reindexing(self) -> ReindexStore:
        """The move to the vectors of another embedder."""
        ...

    @property
    def runs(self) -> RunStore:
        """Runs of consolidation."""
        ...

    @property
    def documents(self) -> DocumentStore:
        """Documents: chapters, entities, threads, passages, drafts."""
        ...

    def one_look(self, scope: Scope) -> AbstractContextManager[None]:
        """Ask once what has changed of a user, for all that one call reads of it.

        Within it, this task and those that it starts may read what is kept in memory as it was at
        one time: after the look began, and with every write that was acknowledged before.
        """
        ...

    async def open(self, *, may_upgrade: bool) -> None:
        """Check the schema, and upgrade it if allowed.

        Raises:
            SchemaVersionError: The store is of a newer version, or must be upgraded first.
            StoreError: It cannot be opened.
        """
        ...

    async def check(self) -> dict[str, Any]:
        """Facts about the database for ``doctor``: kind, place, version, schema, sizes."""
        ...

    async def tend(self) -> None:
        """Do what an earlier call had to put off, such as emptying files of deleted text."""
        ...

    async def close(self) -> None:
        """Give every connection back."""
        ...
