"""Hand out tokens to sections: shares, what fits into each, and what others left over.

The same three steps serve the packer and the compatible ``longform.fit_sections``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Protocol

__all__ = ["Demand", "Fillable", "fill", "share_out", "spread"]


class Fillable(Protocol):
    """A section that holds some of its items and can be filled again with another limit."""

    @property
    def used(self) -> int:
        """Tokens of what it holds."""

    @property
    def lacks(self) -> bool:
        """Whether it had to leave an item out."""

    def fill(self, limit: int) -> None:
        """Hold what fits into ``limit`` tokens, from the start."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Demand:
    """What a section asks for.

    Attributes:
        share: Its part of the budget, relative to the sum of all shares; >= 0.
        minimum: Tokens that it is given before shares count.
        maximum: Tokens that it is never given more than; None for no limit.
    """

    share: float
    minimum: int = 0
    maximum: int | None = None

    def capped(self, tokens: int) -> int:
        """The tokens, but no more than the maximum."""
        return tokens if self.maximum is None else min(tokens, self.maximum)


def share_out(available: int, demands: Sequence[Demand]) -> list[int]:
    """The tokens of each section: minimums first, then shares, which pay for the minimums.

    Args:
        available: Tokens to hand out, >= 0.
        demands: The most important first: its minimum is met first, and it is cut last.
    """
    shares = _whole_numbers([demand.share for demand in demands])
    whole = sum(shares)
    left = available
    floors, tokens = [], []
    for demand, share in zip(demands, shares, strict=True):
        floor = min(left, demand.capped(demand.minimum))
        left -= floor
        part = available * share // whole if whole else 0
        floors.append(floor)
        tokens.append(demand.capped(max(floor, part)))
    excess = sum(tokens) - available
    for place in reversed(range(len(tokens))):
        cut = min(max(0, excess), tokens[place] - floors[place])
        tokens[place] -= cut
        excess -= cut
    return tokens


def _whole_numbers(shares: Sequence[float]) -> list[int]:
    """Numbers that stand to one another exactly as the shares do."""
    ratios = [share.as_integer_ratio() for share in shares]
    common = lcm(*(below for _, below in ratios))
    return [above * (common // below) for above, below in ratios]


def fill(
    costs: Iterable[int], limit: float, *, opening: int = 0, is_prefix: bool
) -> tuple[list[int], int]:
    """Take items greedily, in order of importance.

    Args:
        costs: Tokens of each item. With ``is_prefix`` none is asked for after the first misfit.
        limit: Tokens that the items and the opening may have together.
        opening: Tokens that come with the first item, such as those of a heading.
        is_prefix: Whether the first item that does not fit ends it; else it is passed over.

    Returns:
        The places of the items that fit, ascending, and their tokens with those of the opening; 0
        tokens where nothing fits.
    """
    kept: list[int] = []
    used = opening
    for place, cost in enumerate(costs):
        # not "<=": a limit that is not a number limits nothing
        if not used + cost > limit:
            kept.append(place)
            used += cost
        elif is_prefix:
            break
    return kept, used if kept else 0


def spread(sections: Iterable[Fillable], spare: int) -> None:
    """Give spare tokens to those that had to leave something out, the most important first."""
    for section in sections:
        if spare <= 0:
            return
        if section.lacks:
            before = section.used
            section.fill(before + spare)
            spare -= section.used - before
