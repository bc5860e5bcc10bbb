"""The temporal arm: for a question about time, messages that place something in time go up.

When something happened often stands in a short turn beside the one that says what: "I've had them
for three years now". So a turn with a time also gains by how much its neighbours are what is asked
for. Long turns speak of more than their date is of, and gain less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.ranking.features import marked, shortness
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
    short = shortness(partition, options)
    places = marked(partition, TOLD_MARK)
    weight = options.told_bonus * (1.0 if terms.asks_when else 0.5)
    result = {"told": short * places * np.float32(weight)}
    if terms.asks_when:
        gain = np.maximum(_beside(partition, base) - base, np.float32(0))
        result["told beside"] = short * places * gain * np.float32(options.beside_bonus)
    else:
        half = np.float32(options.time_bonus / 2)
        result["time"] = short * marked(partition, TIME_MARK) * half
    if terms.told:
        dated = np.zeros(len(partition), dtype=np.float32)
        for key in terms.told:
            dated[partition.find(key & KEY_MASK)[0]] = options.told_date_bonus
        result["told date"] = dated
    return result


def _beside(partition: Partition, base: NDArray[np.float32]) -> NDArray[np.float32]:
    """The best score of the two turns on each side, up to an answer of an assistant.

    Those repeat the words of the question whatever the turn beside them says, and behind them
    the user begins something else.
    """
    size = len(partition)
    goes_on = np.append(~partition.roles.is_any_of(["assistant"]), [True])
    padded = np.append(base, np.float32(0)) * goes_on
    best = np.zeros(size, dtype=np.float32)
    for column in (partition.previous, partition.following):
        beside = np.append(column, size)
        farther = padded[beside[beside]] * goes_on[beside] * _FARTHER
        np.maximum(best, np.maximum(padded[beside], farther)[:-1], out=best)
    return best
