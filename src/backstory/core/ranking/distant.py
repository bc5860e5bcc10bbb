"""The dense arm where the vectors are not in memory: some cosines are known, the rest guessed.

The ranking wants a cosine for each message. Those that can come near the top get theirs: the
nearest ones by the index, the best of the keyword arm, and the neighbours of both in their
sessions. The farthest ones are compared too, as scores are scaled from the farthest to the
nearest. An even sample of all others tells what the rest is like. As a message gains by the best
ones of its session, a first ranking then names the sessions that are compared whole: without that,
a fifth of the ten best was missed on made-up talks of 40,000 turns, with it a fiftieth.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.partition import Partition
from backstory.core.ranking.keyword import keyword_scores
from backstory.core.ranking.options import RankOptions
from backstory.core.terms import QueryTerms

NEAREST: Final = 800
"""Messages that the index is asked for, at least; four times as many as hits are wanted."""
BY_WORDS: Final = 400
SAMPLE: Final = 400
FARTHEST: Final = 100
"""Messages that the index is asked for at the other end, where the scale begins."""
FIRST: Final = 100
"""Messages of the first ranking, at least; twice as many as hits are wanted."""
OF_SESSIONS: Final = 4000
"""Most messages of the sessions that are compared whole."""
FEW: Final = 4000
"""If a filter leaves no more than so many messages, all are compared."""


NO_ROWS: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """The dense arm's answer, one entry for each message.

    Attributes:
        cosines: To the query's vector, or a guess.
        known: Whether it is no guess.
    """

    cosines: NDArray[np.float32]
    known: NDArray[np.bool_]


def wanted_nearest(limit: int) -> int:
    """How many messages to ask an index for, when so many hits are wanted."""
    return max(NEAREST, 4 * limit)


def wanted_first(limit: int) -> int:
    """How many messages the first ranking gives, when so many hits are wanted."""
    return max(FIRST, 2 * limit)


def worth_comparing(
    partition: Partition,
    nearest: NDArray[np.int64],
    terms: QueryTerms,
    allowed: NDArray[np.bool_],
    options: RankOptions | None = None,
    farthest: NDArray[np.int64] = NO_ROWS,
) -> NDArray[np.int64]:
    """Return the rows whose cosines the ranking needs, ascending.

    Args:
        partition: The messages.
        nearest: Rows that an index found.
        terms: What the query asks of the keyword arm.
        allowed: Which messages may be returned.
        options: The constants of the ranking.
        farthest: Rows that the index found farthest from the query.
    """
    scores = keyword_scores(partition, terms, options or RankOptions()) * allowed
    count = min(BY_WORDS, int((scores > 0).sum()))
    by_words = np.argpartition(-scores, count)[:count] if count else nearest[:0]
    wanted = np.zeros(len(partition) + 1, dtype=np.bool_)
    for rows in (nearest, by_words, farthest):
        wanted[rows] = True
        wanted[partition.previous[rows]] = True
        wanted[partition.following[rows]] = True
    wanted[sampled(partition, allowed)] = True
    return np.flatnonzero(wanted[:-1] & allowed & partition.has_vector)


def of_sessions(
    partition: Partition, ranked: NDArray[np.int64], allowed: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return the rows of the sessions of a first ranking, ascending.

    Args:
        partition: The messages.
        ranked: Rows, best first. Sessions go first in this order while there is room for them.
        allowed: Which messages may be returned.
    """
    codes = partition.sessions.codes
    sizes = np.bincount(codes)
    named = np.array(list(dict.fromkeys(codes[ranked].tolist())), dtype=np.int64)
    chosen = np.zeros(len(sizes), dtype=np.bool_)
    chosen[named[np.cumsum(sizes[named]) <= OF_SESSIONS]] = True
    return np.flatnonzero(chosen[codes] & allowed & partition.has_vector)


def sampled(partition: Partition, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return rows that stand for all: the same ones each time, evenly spread."""
    rows = np.flatnonzero(allowed & partition.has_vector)
    if len(rows) <= SAMPLE:
        return rows
    return np.asarray(rows[np.linspace(0, len(rows) - 1, SAMPLE).astype(np.int64)])


def completed(
    partition: Partition,
    rows: NDArray[np.int64],
    cosines: NDArray[np.float32],
    allowed: NDArray[np.bool_],
) -> Compared:
    """Return a cosine for every message: the known ones, and the sample's median for the rest.

    Args:
        partition: The messages.
        rows: Rows whose cosines are known.
        cosines: Of each of them.
        allowed: Which messages may be returned.
    """
    result = np.zeros(len(partition), dtype=np.float32)
    known = np.zeros(len(partition), dtype=np.bool_)
    result[rows], known[rows] = cosines, True
    sample = sampled(partition, allowed)
    sample = sample[known[sample]]
    if len(sample):
        result[allowed & partition.has_vector & ~known] = np.median(result[sample])
    return Compared(cosines=result, known=known)
