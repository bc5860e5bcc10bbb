"""How far a mean could be off: bootstrap intervals."""

from collections.abc import Sequence

import numpy as np

_ROUNDS = 2000


def interval(values: Sequence[float], groups: Sequence[str]) -> tuple[float, float]:
    """The 95 % interval of the mean, by drawing whole groups anew (percentile bootstrap).

    The questions of one conversation are alike, so that conversations are drawn, not questions.
    With fewer than five conversations it is too narrow; with one it is a point.

    Args:
        values: One for each question, at least one.
        groups: The conversation of each.
    """
    names = sorted(set(groups))
    place = {name: number for number, name in enumerate(names)}
    codes = np.array([place[group] for group in groups])
    sums = np.bincount(codes, weights=np.asarray(values, dtype=np.float64))
    counts = np.bincount(codes)
    drawn = np.random.default_rng(1).integers(0, len(names), (_ROUNDS, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)
