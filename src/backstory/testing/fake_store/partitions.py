"""The searchable form of messages, built anew after every write."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backstory.core.columns import PartitionColumns
from backstory.core.model.embedding import Generation
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.near import NOTHING_NEAR, Near
from backstory.core.partition import Partition, build_partition
from backstory.core.times import to_micros
from backstory.testing.fake_store.state import MemoryDatabase, UserState

_Built = tuple[tuple[int, int], Partition]


class MemoryPartitions:
    """Implements ``PartitionStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._built: dict[tuple[Scope, int], _Built] = {}

    async def get(self, scope: Scope, generation: Generation | None) -> Partition:
        """The user's partition as of now."""
        state = self._database.user(scope)
        stamp = (state.next_seq, state.epoch)
        number = generation.id if generation else 0
        known = self._built.get((scope, number))
        if known is None or known[0] != stamp:
            known = stamp, build_partition(_columns(state, number))
            self._built[(scope, number)] = known
        return known[1]

    def last(self, scope: Scope, generation: Generation | None) -> Partition | None:
        """The partition as it was at the last ``get``."""
        known = self._built.get((scope, generation.id if generation else 0))
        return None if known is None else known[1]

    def forget(self, scope: Scope) -> None:
        """Drop what is cached of a user."""
        self._built = {known: built for known, built in self._built.items() if known[0] != scope}

    async def messages(
        self, scope: Scope, partition: Partition, rows: Sequence[int]
    ) -> dict[str, Message]:
        """The messages of some rows by id."""
        stored = self._database.user(scope).messages
        ids = [partition.message_ids[row] for row in rows]
        return {i: stored[i].message for i in ids if i in stored}

    async def session_keys(
        self, scope: Scope, partition: Partition, session_ids: Sequence[str]
    ) -> Mapping[str, str]:
        """How a partition names sessions."""
        del partition
        sessions = self._database.user(scope).sessions
        return {name: sessions[name].key for name in session_ids if name in sessions}

    async def metadata(self, scope: Scope, partition: Partition) -> Sequence[Mapping[str, Any]]:
        """The metadata of each row of a partition."""
        rows = self._database.user(scope).messages
        return [rows[i].message.metadata if i in rows else {} for i in partition.message_ids]

    async def nearest(
        self,
        scope: Scope,
        generation: Generation,
        vector: NDArray[np.float32],
        count: int,
        among: NDArray[np.int64] | None,
    ) -> Near:
        """Nothing: here every partition holds its vectors."""
        del scope, generation, vector, count, among
        return NOTHING_NEAR

    async def cosines(
        self,
        scope: Scope,
        generation: Generation,
        vector: NDArray[np.float32],
        seqs: NDArray[np.int64],
    ) -> Near:
        """Nothing, likewise."""
        del scope, generation, vector, seqs
        return NOTHING_NEAR


def _columns(state: UserState, generation: int) -> PartitionColumns:
    rows = sorted(state.messages.values(), key=lambda row: row.seq)
    messages = [row.message for row in rows]
    return PartitionColumns(
        seqs=[row.seq for row in rows],
        message_ids=[m.id for m in messages],
        sessions=[state.sessions[m.session_id].key for m in messages],
        timestamps=[to_micros(m.timestamp) for m in messages],
        recorded=[to_micros(m.recorded_at) for m in messages],
        known=[to_micros(m.known_from or m.recorded_at) for m in messages],
        roles=[str(m.role) for m in messages],
        speakers=[m.speaker for m in messages],
        agents=[m.agent_id for m in messages],
        lengths=[len(m.text) for m in messages],
        terms=[row.terms for row in rows],
        vectors=[row.vectors.get(generation) for row in rows],
    )
