"""The chapters just before the one that is written: the newest win, and are shown in order."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backstory.core.chapters.skeleton import MAX_SKELETON, nested_skeleton
from backstory.errors import InvalidInputError
from backstory.packing.sections import Item, Section

RECENT_CHAPTERS: Final = 20
"""How many chapters the recent window holds."""
JUMP: Final = 5
"""A window that begins behind a multiple of this goes on for some chapters without losing one."""
EARLY_JUMP: Final = 2
"""While the skeleton is dense, so that no step makes more than two of its entries new."""
DENSE_UP_TO: Final = 40
"""From so many chapters on, ``JUMP`` more make at most two entries of the skeleton new."""


@dataclass(frozen=True, kw_only=True)
class Windows:
    """The chapters that are shown before the next one, in two parts without a hole between them.

    Attributes:
        skeleton: Numbers of a few that stand for all older ones; the last is the one before
            ``recent``.
        recent: Numbers of the last ones, ascending.
    """

    skeleton: tuple[int, ...]
    recent: tuple[int, ...]


def windows(
    chapters: Sequence[int],
    before: int | None = None,
    *,
    recent: int = RECENT_CHAPTERS,
    most: int = MAX_SKELETON,
) -> Windows:
    """Divide the chapters before one into the recent ones and a skeleton of the others.

    Args:
        chapters: Numbers that there are, in any order; a range costs nothing to read.
        before: Only those below this number; None = all.
        recent: Size of the recent window, 0 or more.
        most: Entries of the skeleton, 2 or more.

    Raises:
        InvalidInputError: A size is out of range.
    """
    if recent < 0:
        message = f"recent must be at least 0; it is {recent}"
        raise InvalidInputError(message)
    rising = isinstance(chapters, range) and chapters.step > 0
    numbers = chapters if rising else sorted(set(chapters))
    if before is not None:
        numbers = numbers[: bisect_left(numbers, before)]
    start = max(0, len(numbers) - recent)
    return Windows(skeleton=nested_skeleton(numbers[:start], most), recent=tuple(numbers[start:]))


def recent_section(
    summaries: Sequence[Item[int]],
    *,
    name: str = "recent",
    heading: str = "",
    share: float = 1.0,
    priority: int = 0,
    minimum: int = 0,
) -> Section[int]:
    """A section that gives up its oldest chapters first, and shows the others in order.

    It ends at the first that does not fit: what is shown is unbroken up to the last chapter.

    Args:
        summaries: With the numbers of the chapters as keys, in any order.
        name: As in ``Section``, like all that follow.
        heading: The line above.
        share: Its part of the budget.
        priority: When it is given spare tokens; lowest first.
        minimum: Tokens that it is given before shares count.
    """
    return Section(
        name=name,
        items=sorted(summaries, key=lambda item: -item.key),
        heading=heading,
        share=share,
        priority=priority,
        minimum=minimum,
        mode="prefix",
        order=lambda number: number,
    )
