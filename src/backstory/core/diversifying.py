"""Diversification: no session crowds out the others. Pure."""

from collections import Counter
from collections.abc import Hashable, Sequence


def spread(groups: Sequence[Hashable], most: int) -> list[int]:
    """Order ranked items so that the first ``most`` of each group come before all others.

    The items of one group keep their order, and so do those that come first and those that are
    put behind them: nothing is dropped.

    Args:
        groups: The group of each item, best item first.
        most: Items of one group, 1 or more; 0 = no limit.

    Returns:
        The places of the items in their new order.
    """
    if most <= 0:
        return list(range(len(groups)))
    first: list[int] = []
    rest: list[int] = []
    taken: Counter[Hashable] = Counter()
    for place, group in enumerate(groups):
        (first if taken[group] < most else rest).append(place)
        taken[group] += 1
    return first + rest
