"""The dense arm of very large users: the database compares, the ranking goes on in memory."""

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.core.near import Near
from backstory.core.partition import Partition
from backstory.core.ranking import rank
from backstory.core.ranking.distant import (
    FEW,
    Compared,
    completed,
    of_sessions,
    wanted_first,
    wanted_nearest,
    worth_comparing,
)
from backstory.core.terms import QueryTerms
from backstory.ports.store import Store
from backstory.threads import run_in_thread

_WIDE = 0.2
EXACT, IN_DATABASE, BY_INDEX = "exact", "exact, in the database", "approximate (pgvector, HNSW)"


class DistantArm:
    """Compares a query with vectors that are not in memory.

    Args:
        store: Where they are.
        scope: Whose.
        generation: Of the vectors.
        partition: The user's messages; ``is_distant``.
    """

    def __init__(
        self, store: Store, scope: Scope, generation: Generation, partition: Partition
    ) -> None:
        self._partitions = store.partitions
        self._scope = scope
        self._generation = generation
        self._partition = partition

    async def compare(
        self,
        vector: NDArray[np.float32],
        terms: QueryTerms,
        mask: NDArray[np.bool_] | None,
        limit: int,
    ) -> tuple[Compared, str]:
        """Give the cosines that the ranking needs, and how they were found.

        Args:
            vector: The query's, of length 1.
            terms: What the query asks of the keyword arm.
            mask: Which messages may be returned; None for all.
            limit: How many hits are wanted.
        """
        partition = self._partition
        allowed = np.ones(len(partition), dtype=np.bool_) if mask is None else mask
        embedded = np.flatnonzero(allowed & partition.has_vector)
        if len(embedded) <= FEW:
            return await self._known(vector, embedded, allowed), IN_DATABASE
        near = await self._nearest(vector, embedded, allowed, wanted_nearest(limit))
        found = partition.rows_of(np.sort(near.seqs))
        found = found[allowed[found]]
        rows = await run_in_thread(worth_comparing, partition, found, terms, allowed)
        compared = await self._known(vector, rows, allowed)
        first = await run_in_thread(_first, partition, terms, mask, limit, compared)
        rows = np.union1d(rows, of_sessions(partition, first, allowed))
        compared = await self._known(vector, rows, allowed)
        return compared, IN_DATABASE if near.exact else BY_INDEX

    async def _nearest(
        self,
        vector: NDArray[np.float32],
        embedded: NDArray[np.int64],
        allowed: NDArray[np.bool_],
        count: int,
    ) -> Near:
        """Ask the index: for more than is wanted where most messages pass, else with the filter.

        The database plans a list of so many numbers slowly.
        """
        partition, ask = self._partition, self._partitions.nearest
        share = len(embedded) / len(partition)
        if share >= _WIDE:
            more = count if len(embedded) == len(partition) else int(count / share * 1.5)
            near = await ask(self._scope, self._generation, vector, more, None)
            found = partition.rows_of(np.sort(near.seqs))
            if allowed[found].sum() >= min(count, len(embedded)) / 2:
                return near
        among = partition.seqs[embedded]
        return await ask(self._scope, self._generation, vector, count, among)

    async def _known(
        self, vector: NDArray[np.float32], rows: NDArray[np.int64], allowed: NDArray[np.bool_]
    ) -> Compared:
        partition = self._partition
        near = await self._partitions.cosines(
            self._scope, self._generation, vector, partition.seqs[rows]
        )
        order = np.argsort(near.seqs)
        seqs, cosines = near.seqs[order], near.cosines[order]
        # a message may have been added or deleted since the partition was read
        there = np.isin(seqs, partition.seqs[rows], assume_unique=True)
        return completed(partition, partition.rows_of(seqs[there]), cosines[there], allowed)


def _first(
    partition: Partition,
    terms: QueryTerms,
    mask: NDArray[np.bool_] | None,
    limit: int,
    compared: Compared,
) -> NDArray[np.int64]:
    found = rank(
        partition,
        terms=terms,
        vector=None,
        mask=mask,
        limit=wanted_first(limit),
        compared=compared,
    )
    return found.rows
