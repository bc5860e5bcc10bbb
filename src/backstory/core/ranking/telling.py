"""The temporal arm: for a question about time, messages that place something in time go up.

When something happened often stands in a short turn beside the one that says what: "I've had them
for three years now". So a turn with a time also gains by how much its neighbours are what is asked
for. Long turns speak of more than their date is of, and gain less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.terms import KEY_MASK, TIME_MARK, TOLD_MARK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from backstory.core.partition import Partition
    from backstory.core.ranking.options import RankOptions
    from backstory.core.terms import QueryTerms

_FARTHER: Final = np.float32(0.8)
"""What a turn two places away counts, of one beside."""


def told(
    partition: Partition,
    terms: QueryTerms,
    base: NDArray[np.float32],
    options: RankOptions,
) -> dict[str, NDArray[np.float32]]:
    """Return what is added to each message's score, by the name of the reason.

    Args:
        partition: The messages.
        terms: What the query asks; nothing is added unless it is about time.
        base: The score of both arms.
        options: The weights. If the query does not ask when, half of them count.
    """
    if not terms.is_temporal:
        return {}
    # few messages tell of a time: only those are looked at
    rows = partition.find(TOLD_MARK & KEY_MASK)[0]
    short = _shortness(partition, rows, options)
    weight = options.told_bonus * (1.0 if terms.asks_when else 0.5)
    result = {"told": _placed(partition, rows, short * np.float32(weight))}
    if terms.asks_when:
        gain = np.maximum(_beside(partition, base, rows) - base[rows], np.float32(0))
        lent = short * gain * np.float32(options.beside_bonus)
        result["told beside"] = _placed(partition, rows, lent)
    else:
        timed = partition.find(TIME_MARK & KEY_MASK)[0]
        half = _shortness(partition, timed, options) * np.float32(options.time_bonus / 2)
        result["time"] = _placed(partition, timed, half)
    if terms.told:
        dated = np.zeros(len(partition), dtype=np.float32)
        for key in terms.told:
            dated[partition.find(key & KEY_MASK)[0]] = options.told_date_bonus
        result["told date"] = dated
    return result


def _shortness(
    partition: Partition, rows: NDArray[np.int32], options: RankOptions
) -> NDArray[np.float32]:
    """How short each of some messages is, in (0, 1]; see ``features.shortness``."""
    words = np.maximum(partition.term_counts[rows], np.float32(options.short_turn))
    share: NDArray[np.float32] = np.divide(options.short_turn, words, dtype=np.float32)
    return share


def _placed(
    partition: Partition, rows: NDArray[np.int32], values: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Values of some messages, 0 for all others."""
    result = np.zeros(len(partition), dtype=np.float32)
    result[rows] = values
    return result


def _beside(
    partition: Partition, base: NDArray[np.float32], rows: NDArray[np.int32]
) -> NDArray[np.float32]:
    """The best score of the two turns on each side of each row, up to an answer of an assistant.

    Those repeat the words of the question whatever the turn beside them says, and behind them
    the user begins something else.
    """
    size = len(partition)
    goes_on = np.append(~partition.roles.is_any_of(["assistant"]), [True])
    padded = np.append(base, np.float32(0)) * goes_on
    best = np.zeros(len(rows), dtype=np.float32)
    for column in (partition.previous, partition.following):
        beside = column[rows]
        # of the end of a session the next turn is its own end
        farther = column[np.minimum(beside, size - 1)]
        farther = np.where(beside == size, size, farther)
        lent = padded[farther] * goes_on[beside] * _FARTHER
        np.maximum(best, np.maximum(padded[beside], lent), out=best)
    return best
