"""An inverted index over hashed terms: for each key, the messages that hold it."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from backstory.core.terms import KEY_MASK

_SHIFT: Final = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class Postings:
    """The index of some messages, immutable.

    Attributes:
        keys: Distinct term keys, ascending.
        starts: Where each key's entries begin in the next two; one longer than ``keys``.
        rows: Rows that hold the key, ascending within a key.
        counts: How often the row holds the key (float32, as the scoring needs it).
    """

    keys: NDArray[np.uint32]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.float32]

    @classmethod
    def build(cls, terms: NDArray[np.uint32], row_of_term: NDArray[np.int64]) -> Self:
        """Index terms of any kind by their keys.

        Args:
            terms: The terms of all messages, in any order.
            row_of_term: The row of the message of each term, 0 or more.
        """
        pairs = (terms & np.uint32(KEY_MASK)).astype(np.int64) << _SHIFT | row_of_term
        pairs.sort()
        first = np.flatnonzero(np.diff(pairs, prepend=-1))
        return cls._from_pairs(pairs[first], np.diff(first, append=len(pairs)).astype(np.float32))

    @classmethod
    def _from_pairs(cls, pairs: NDArray[np.int64], counts: NDArray[np.float32]) -> Self:
        keys = pairs >> _SHIFT
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        return cls(
            keys=keys[starts].astype(np.uint32),
            starts=np.append(starts, len(pairs)),
            rows=(pairs & 0xFFFFFFFF).astype(np.int32),
            counts=counts,
        )

    def _pairs(self) -> NDArray[np.int64]:
        keys = np.repeat(self.keys.astype(np.int64), np.diff(self.starts))
        return keys << _SHIFT | self.rows

    def moved(self, places: NDArray[np.int64]) -> "Postings":
        """Give every row its new place, ascending as before; rows with place -1 are left out."""
        rows = places[self.rows]
        kept = rows >= 0
        pairs = self._pairs()[kept] & ~0xFFFFFFFF | rows[kept]
        return Postings._from_pairs(pairs, self.counts[kept])

    def merged(self, later: "Postings") -> "Postings":
        """Join with the index of rows that this one does not hold."""
        pairs = np.concatenate([self._pairs(), later._pairs()])
        order = np.argsort(pairs, kind="stable")
        return Postings._from_pairs(
            pairs[order], np.concatenate([self.counts, later.counts])[order]
        )

    def find(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the rows that hold a key and how often; both empty where none does."""
        at = int(self.keys.searchsorted(np.uint32(key)))
        if at == len(self.keys) or self.keys[at] != key:
            return self.rows[:0], self.counts[:0]
        span = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.rows[span], self.counts[span]

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes."""
        return sum(a.nbytes for a in (self.keys, self.starts, self.rows, self.counts))
