"""Reads what a partition is made of: all of it, or what has changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Connection, bindparam, func, select

from backstory.core.columns import ELSEWHERE, NO_COLUMNS, PartitionColumns
from backstory.core.model.embedding import Generation
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.partition import Partition, build_partition, extend_partition
from backstory.storage.kept import Kept
from backstory.storage.recording import Recorder
from backstory.storage.rows import hash_name
from backstory.storage.statements import Lists, as_stored, micros, owned, owner
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.storage.large import LargeVectors, Part

# Bytes of a cached metadata dict, assumed for the memory bound.
_METADATA_BYTES = 400
# What the objects of a partition take beside their arrays' contents, measured: it counts where
# many users of few messages are cached.
_ENTRY_BYTES = 4000


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A cached partition, the numbers that it is current for, and what was read beside it."""

    partition: Partition
    next_seq: int
    epoch: int
    kept: Kept = field(default_factory=Kept)
    part: "Part | None" = None
    metadata: dict[int, Mapping[str, Any]] | None = None
    metadata_seq: int = 0

    @property
    def nbytes(self) -> int:
        """Memory in bytes, without the messages."""
        extra = len(self.metadata) * _METADATA_BYTES if self.metadata else 0
        return self.partition.nbytes + extra + _ENTRY_BYTES


EMPTY = Entry(partition=build_partition(NO_COLUMNS), next_seq=0, epoch=0)


class Loader:
    """Reads what a partition is made of.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
        large: Where the vectors of very large users are; None on SQLite.
    """

    def __init__(self, tables: Tables, dialect: str, large: "LargeVectors | None") -> None:
        users, messages, vectors = tables.users, tables.messages, tables.message_vectors
        self.large = large
        self._lists = lists = Lists(dialect)
        self._numbers = select(users.c.next_seq, users.c.epoch).where(owned(users))
        changed = owned(messages) & (messages.c.change_no >= bindparam("since"))
        self._changed = select(
            messages.c.seq,
            messages.c.id,
            messages.c.session_id,
            micros(messages.c.timestamp, dialect),
            micros(messages.c.recorded_at, dialect),
            micros(func.coalesce(messages.c.known_from, messages.c.recorded_at), dialect),
            messages.c.role,
            messages.c.speaker,
            messages.c.agent_id,
            func.length(messages.c.text),
            as_stored(messages.c.terms),
        ).where(changed)
        # Not a join with the messages: without statistics of a new table, PostgreSQL may choose
        # a nested loop over all pairs.
        self._vectors = select(vectors.c.message_id, as_stored(vectors.c.vector)).where(
            owned(vectors), vectors.c.generation_id == bindparam("generation")
        )
        self._some_vectors = self._vectors.where(lists.holds("ids", vectors.c.message_id))
        self._metadata = select(messages.c.seq, messages.c.metadata).where(changed)
        sessions = tables.sessions
        self._sessions = select(sessions.c.name, sessions.c.id).where(
            owned(sessions), lists.holds("hashes", sessions.c.name_hash)
        )
        self._recorder = Recorder(tables, dialect)

    def numbers(self, connection: Connection, scope: Scope) -> tuple[int, int] | None:
        """The user's ``next_seq`` and ``epoch``, or None if the user is unknown."""
        row = connection.execute(self._numbers, owner(scope)).first()
        return (row[0], row[1]) if row else None

    def refreshed(
        self, connection: Connection, scope: Scope, generation: Generation | None, known: Entry
    ) -> tuple[Entry, Sequence[str]]:
        """Bring an entry up to date, in a transaction that sees one snapshot.

        Returns:
            The entry, and the messages of which ``known`` may hold an earlier state.
        """
        numbers = self.numbers(connection, scope)
        if numbers is None:
            return EMPTY, ()
        next_seq, epoch = numbers
        part = None
        if self.large is not None and generation is not None:
            part = self.large.part(connection, scope, generation)
        base = known if epoch == known.epoch and part == known.part else EMPTY
        columns = self._columns(connection, scope, generation, base.next_seq, part)
        fresh = replace(
            base,
            partition=extend_partition(base.partition, columns),
            next_seq=next_seq,
            epoch=epoch,
            part=part,
            kept=Kept() if base is EMPTY else base.kept,
        )
        return fresh, () if base is EMPTY else columns.message_ids

    def messages(
        self, connection: Connection, scope: Scope, ids: Sequence[str]
    ) -> dict[str, Message]:
        """Whole messages by id."""
        return self._recorder.many(connection, scope, ids)

    def session_keys(
        self, connection: Connection, scope: Scope, names: Sequence[str]
    ) -> dict[str, str]:
        """The keys of sessions by their names; unknown ones are left out."""
        hashes = self._lists.given([hash_name(name) for name in names])
        found = connection.execute(self._sessions, {**owner(scope), "hashes": hashes})
        return {row[0]: row[1] for row in found}

    def metadata(
        self, connection: Connection, scope: Scope, since: int
    ) -> dict[int, Mapping[str, Any]]:
        """The metadata of the messages written at or after a number."""
        parameters = {**owner(scope), "since": since}
        return {row[0]: row[1] for row in connection.execute(self._metadata, parameters)}

    def _columns(
        self,
        connection: Connection,
        scope: Scope,
        generation: Generation | None,
        since: int,
        part: "Part | None",
    ) -> PartitionColumns:
        mine = owner(scope)
        rows = connection.execute(self._changed, {**mine, "since": since}).all()
        if not rows:
            return NO_COLUMNS
        seqs, ids, sessions, said, recorded, known, roles, speakers, agents, lengths, terms = zip(
            *rows, strict=True
        )
        vectors: dict[str, bytes] = {}
        if part and self.large:
            copied = set(
                self.large.seqs(connection, part, np.array(seqs) if since else None).tolist()
            )
            vectors = {i: ELSEWHERE for i, seq in zip(ids, seqs, strict=True) if seq in copied}
        elif generation:
            vectors = self._stored(connection, scope, generation, ids if since else None)
        return PartitionColumns(
            seqs=seqs,
            message_ids=ids,
            sessions=sessions,
            timestamps=said,
            recorded=recorded,
            known=known,
            roles=roles,
            speakers=speakers,
            agents=agents,
            lengths=lengths,
            terms=terms,
            vectors=[vectors.get(message_id) for message_id in ids],
        )

    def _stored(
        self,
        connection: Connection,
        scope: Scope,
        generation: Generation,
        ids: Sequence[str] | None,
    ) -> dict[str, bytes]:
        """The vectors by message id, of all messages or of some."""
        wanted: dict[str, Any] = {**owner(scope), "generation": generation.id}
        query = self._vectors
        if ids is not None:
            query = self._some_vectors
            wanted["ids"] = self._lists.given(ids)
        # a damaged row of another size counts as no vector
        size = (generation.identity.dimensions or 0) * 4
        found = connection.execute(query, wanted).all()
        return {row[0]: row[1] for row in found if len(row[1]) == size}
