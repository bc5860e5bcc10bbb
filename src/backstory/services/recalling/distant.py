"""The dense arm of very large users: the database compares, the ranking goes on in memory."""

import asyncio
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.core.near import NOTHING_NEAR, Near
from backstory.core.partition import Partition
from backstory.core.ranking import rank
from backstory.core.ranking.distant import (
    FARTHEST,
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

_WIDE: Final = 0.2
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
            found = await self._with(self._of(NOTHING_NEAR, allowed), vector, embedded, allowed)
            return found.completed(partition, allowed), IN_DATABASE
        near, opposite = await asyncio.gather(
            self._nearest(vector, embedded, allowed, wanted_nearest(limit)),
            # what is nearest to the opposite direction is farthest from the query
            self._partitions.nearest(self._scope, self._generation, -vector, FARTHEST, None),
        )
        found, farthest = self._of(near, allowed), self._of(opposite, allowed).rows
        rows = await run_in_thread(
            worth_comparing, partition, found.rows, terms, allowed, farthest=farthest
        )
        found = await self._with(found, vector, rows, allowed)
        compared = found.completed(partition, allowed)
        first = await run_in_thread(_first, partition, terms, mask, limit, compared)
        found = await self._with(found, vector, of_sessions(partition, first, allowed), allowed)
        return found.completed(partition, allowed), IN_DATABASE if near.exact else BY_INDEX

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
            more = count if len(embedded) == len(partition) else int(count / share)
            near = await ask(self._scope, self._generation, vector, more, None)
            found = partition.rows_of(np.sort(near.seqs))
            if allowed[found].sum() >= min(count, len(embedded)) / 2:
                return near
        among = partition.seqs[embedded]
        return await ask(self._scope, self._generation, vector, count, among)

    async def _with(
        self,
        found: "_Found",
        vector: NDArray[np.float32],
        rows: NDArray[np.int64],
        allowed: NDArray[np.bool_],
    ) -> "_Found":
        """Add the cosines of those rows that have none yet."""
        rows = np.setdiff1d(rows, found.rows)
        if not len(rows):
            return found
        near = await self._partitions.cosines(
            self._scope, self._generation, vector, self._partition.seqs[rows]
        )
        more = self._of(near, allowed)
        # a message may have been changed since the last statement
        new = ~np.isin(more.rows, found.rows)
        return _Found(
            np.concatenate([found.rows, more.rows[new]]),
            np.concatenate([found.cosines, more.cosines[new]]),
        )

    def _of(self, near: Near, allowed: NDArray[np.bool_]) -> "_Found":
        """The rows that were found and may be returned."""
        partition = self._partition
        order = np.argsort(near.seqs)
        seqs, cosines = near.seqs[order], near.cosines[order]
        # a message may have been added or deleted since the partition was read
        at = np.searchsorted(partition.seqs, seqs)
        there = partition.seqs.take(at, mode="clip") == seqs
        rows, cosines = at[there], cosines[there]
        passed = allowed[rows]
        return _Found(rows[passed], cosines[passed])


@dataclass(frozen=True, eq=False)
class _Found:
    """Rows, each once, and their cosines."""

    rows: NDArray[np.int64]
    cosines: NDArray[np.float32]

    def completed(self, partition: Partition, allowed: NDArray[np.bool_]) -> Compared:
        return completed(partition, self.rows, self.cosines, allowed)


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
