"""What a cosine means: from which value on two texts are related, for one embedding model.

Unrelated texts are not at 0: under one model they lie about 0.15, under another about 0.3. A floor
that suits one model drops everything, or nothing, under another. So floors are measured.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from backstory.core.model.calibration import Calibration

LOW_PERCENT: Final = 99.0
"""Of unrelated pairs, so many per cent lie below ``low``."""
PRECISION: Final = 0.9
"""Of the pairs above ``high``, so many are related, if ``RELATED_SHARE`` of all pairs are."""
RELATED_SHARE: Final = 0.01
"""One in a hundred: what a question finds in some hundred messages is a handful."""
LEAST_UNRELATED: Final = 1000
LEAST_RELATED: Final = 20
"""With fewer pairs the percentile, or the share of related pairs above it, is chance."""
_QUERY_WORDS: Final = 6
_LEAST_WORDS: Final = 3
_DECIMALS: Final = 4


def calibrate(unrelated: Sequence[float], related: Sequence[float]) -> Calibration | None:
    """Find both floors.

    The precision at a floor is ``p r / (p r + (1 - p) u)`` with the shares ``r`` and ``u`` of
    related and unrelated pairs above it and the share ``p`` of related pairs among all (Bayes).

    Args:
        unrelated: Cosines of pairs that have nothing to do with each other.
        related: Cosines of queries to what they were made from.

    Returns:
        The calibration, or None with fewer than 1,000 unrelated or 20 related pairs.
    """
    if len(unrelated) < LEAST_UNRELATED or len(related) < LEAST_RELATED:
        return None
    apart = np.sort(np.asarray(unrelated, dtype=np.float64))
    near = np.sort(np.asarray(related, dtype=np.float64))
    low = float(np.percentile(apart, LOW_PERCENT))
    # floors just above each unrelated pair: so many of them are still above
    above = np.arange(len(apart) - 1, -1, -1) / len(apart)
    found = 1 - np.searchsorted(near, apart, side="right") / len(near)
    hits, misses = RELATED_SHARE * found, (1 - RELATED_SHARE) * above
    short = np.flatnonzero(hits * (1 - PRECISION) < misses * PRECISION)
    # behind the last floor that is not precise enough; of the highest pair none is above
    high = float(apart[min(int(short[-1]) + 1, len(apart) - 1)]) if len(short) else low
    return Calibration(
        low=round(low, _DECIMALS),
        high=max(_up(high), round(low, _DECIMALS)),
        pairs=len(apart),
        related=len(near),
    )


def derived_query(words: Sequence[str]) -> str | None:
    """Make a query of a message: every other one of its words, at most six.

    Args:
        words: The words of the message that say something, in order.

    Returns:
        The query, or None of a message with too few words to be asked for.
    """
    chosen = list(dict.fromkeys(words))[::2][:_QUERY_WORDS]
    return " ".join(chosen) if len(chosen) >= _LEAST_WORDS else None


def _up(value: float) -> float:
    """Round up, so that the pair that set the floor stays below it."""
    unit = 10**_DECIMALS
    return min((math.floor(value * unit) + 1) / unit, 1.0)
