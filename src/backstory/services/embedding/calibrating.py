"""Measures what cosines mean on the store's own messages, and knows what is in force.

A query is made of some words of a message. With that message it is a related pair; with messages
of other users it is an unrelated one. Where there is one user only, messages of other sessions
take their place: a person returns to the same subjects, so floors come out higher then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.calibration import calibrate, derived_query
from backstory.core.model.calibration import Calibration
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingUnavailableError
from backstory.language.lexicon import STOP_WORDS
from backstory.language.words import tokens
from backstory.ports.embedder import Calibrated, Embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from backstory.core.model.embedding import Generation
    from backstory.core.partition import Partition
    from backstory.ports.store import Store
    from backstory.services.embedding.vectors import VectorMaker

_MOST_USERS: Final = 20
_MOST_ROWS: Final = 2000
_MOST_QUERIES: Final = 200
_SEED: Final = 1
# Of a script without spaces, pieces of so many characters stand for words.
_PIECE: Final = 3


@dataclass(frozen=True)
class _Sample:
    """Some embedded messages of one user.

    Attributes:
        user: The user's number in the sample.
        scope: The user.
        ids: The messages.
        sessions: The session of each.
        vectors: One row each.
    """

    user: int
    scope: Scope
    ids: Sequence[str]
    sessions: NDArray[np.int64]
    vectors: NDArray[np.float32]


class Calibrating:
    """The calibration of the store's embedder.

    Args:
        store: Where messages and calibrations are.
        vectors: Embeds queries.
        tenant_id: Whose messages are measured on.
    """

    def __init__(self, store: Store, vectors: VectorMaker, tenant_id: str) -> None:
        self._store = store
        self._vectors = vectors
        self._tenant_id = tenant_id
        self._read: tuple[Generation, Calibration | None] | None = None

    async def current(self) -> Calibration | None:
        """What is in force: as measured in this store, else as the embedder brings it.

        None without an embedder, or where neither is there: then a similarity has no floor. It
        costs nothing beyond ``VectorMaker.generation``.
        """
        generation = await self._vectors.generation()
        if generation is None:
            return _brought_by(self._vectors.embedders.wanted)
        if self._read is None or self._read[0] != generation:
            self._read = generation, await self._of(generation)
        return self._read[1]

    async def _of(self, generation: Generation) -> Calibration | None:
        if generation.calibration is not None:
            return Calibration.from_text(generation.calibration)
        embedder, _ = await self._vectors.embedders.of(generation.identity)
        return _brought_by(embedder)

    async def measure(self) -> Calibration | None:
        """Measure and keep it; with too few messages everything stays as it was.

        At most 200 queries are embedded, and compared with at most 2,000 messages of 20 users. The
        sample is seeded: the same messages give the same floors on every database.

        Returns:
            What is in force afterwards.

        Raises:
            EmbeddingError: The embedder failed.
            EmbeddingUnavailableError: There is no embedder.
        """
        generation = await self._vectors.generation()
        if generation is None:
            if not self._vectors.works:
                raise EmbeddingUnavailableError("there is no embedder to calibrate")
            return await self.current()
        found = await self._measured(generation)
        if found is not None:
            await self._store.generations.calibrate(generation.id, found.to_text())
            self._vectors.look_again()
        return await self.current()

    async def _measured(self, generation: Generation) -> Calibration | None:
        random = np.random.default_rng(_SEED)
        samples = await self._samples(generation, random)
        if not samples:
            return None
        places, queries = await self._queries(samples, random)
        if not queries:
            return None
        made, rows = await self._vectors.embedded(queries)
        if made.id != generation.id:
            return None
        asked = np.stack([np.frombuffer(row, dtype="<f4") for row in rows])
        users = np.concatenate([np.full(len(s.ids), s.user) for s in samples])
        sessions = np.concatenate([s.sessions for s in samples])
        vectors = np.concatenate([s.vectors for s in samples])
        own = np.array(places)
        cosines = asked @ vectors.T
        if len(samples) > 1:
            apart = users[own][:, None] != users[None, :]
        else:
            apart = sessions[own][:, None] != sessions[None, :]
        return calibrate(cosines[apart].tolist(), cosines[np.arange(len(own)), own].tolist())

    async def _samples(self, generation: Generation, random: np.random.Generator) -> list[_Sample]:
        users = [
            user.user_id
            for user in await self._store.sessions.users(self._tenant_id)
            if user.messages
        ]
        chosen = random.permutation(len(users))[:_MOST_USERS].tolist()
        samples: list[_Sample] = []
        for number in chosen:
            scope = Scope(self._tenant_id, users[number])
            partition = await self._store.partitions.get(scope, generation)
            rows = np.flatnonzero(partition.has_vector)
            if partition.dimensions is None or not len(rows):
                continue
            rows = np.sort(random.permutation(rows)[: _MOST_ROWS // len(chosen)])
            samples.append(
                _Sample(
                    user=number,
                    scope=scope,
                    ids=[partition.message_ids[row] for row in rows.tolist()],
                    sessions=partition.sessions.codes[rows].astype(np.int64),
                    vectors=_rows_of(partition, rows),
                )
            )
        return samples

    async def _queries(
        self, samples: Sequence[_Sample], random: np.random.Generator
    ) -> tuple[list[int], list[str]]:
        """Queries, and for each the place of its message in the samples put together."""
        places: list[int] = []
        queries: list[str] = []
        before = 0
        for sample in samples:
            order = random.permutation(len(sample.ids))[: _MOST_QUERIES // len(samples)].tolist()
            found = await self._store.messages.many(sample.scope, [sample.ids[i] for i in order])
            for place in order:
                message = found.get(sample.ids[place])
                query = None if message is None else derived_query(_words(message.text))
                if query is not None:
                    places.append(before + place)
                    queries.append(query)
            before += len(sample.ids)
        return places, queries


def _brought_by(embedder: Embedder | None) -> Calibration | None:
    return embedder.calibration if isinstance(embedder, Calibrated) else None


def _words(text: str) -> list[str]:
    words = [word for word in tokens(text) if word not in STOP_WORDS]
    return [
        piece
        for word in words
        for piece in ([word] if word.isascii() or " " in text else _pieces(word))
    ]


def _pieces(word: str) -> list[str]:
    return [word[at : at + _PIECE] for at in range(0, len(word), _PIECE)]


def _rows_of(partition: Partition, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    result = np.zeros((len(rows), partition.dimensions or 0), dtype=np.float32)
    for block in partition.blocks:
        inside = (rows >= block.start) & (rows < block.start + block.size)
        if block.matrix is not None:
            result[inside] = block.matrix[rows[inside] - block.start]
    return result
