"""The chapters of a block: the recent ones, and a skeleton that reaches up to the first of them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backstory.core.chapters.recent import DENSE_UP_TO, EARLY_JUMP, JUMP, RECENT_CHAPTERS
from backstory.core.chapters.skeleton import nested_skeleton

# Where chapters have to give way, the window still begins where it jumps, if so many are left.
_LEAST_ALIGNED: Final = 2 * JUMP


@dataclass(frozen=True, kw_only=True)
class Told:
    """A chapter by its summary.

    Attributes:
        number: Of the chapter.
        place: From 1, rising: what skeleton and window are counted by. A number for the author,
            who sees all chapters; for a character the how manyth of those it was in.
    """

    number: int
    place: int
    title: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class Arc:
    """The chapters that a block may show, ascending.

    Attributes:
        skeleton: Those of the nested skeleton of all that come before ``recent``.
        recent: Those of the recent window.
    """

    skeleton: tuple[Told, ...] = ()
    recent: tuple[Told, ...] = ()

    def before(self, newest: int) -> list[Told]:
        """The skeleton of all chapters before the ``newest`` so many recent ones.

        Nothing need be read for it: a skeleton that goes on takes new chapters only from those
        that came since, so all of them are here.
        """
        first = len(self.recent) - newest
        if first == 0 or not (self.skeleton or self.recent):
            return list(self.skeleton)
        known = [*self.skeleton, *self.recent[:first]]
        last = self.recent[first].place - 1 if newest else known[-1].place
        places = [one.place for one in known]
        chosen = {max(1, bisect_right(places, place)) for place in nested_skeleton(last)}
        return [known[at - 1] for at in sorted(chosen)]

    def fewer(self, newest: int) -> int:
        """How many recent chapters to show where only so many fit: from a jump on, if it can be."""
        first = len(self.recent) - newest
        for at in range(first, len(self.recent) - _LEAST_ALIGNED + 1):
            if jump(self.recent[at].place) != jump(self.recent[at - 1].place):
                return len(self.recent) - at
        return newest


def jump(place: int) -> int:
    """The last place before the group of a place: windows begin behind it."""
    behind = place - 1
    step = JUMP if behind >= DENSE_UP_TO else EARLY_JUMP
    return behind // step * step


def window_start(places: Sequence[int]) -> int:
    """The last place before the recent window.

    Args:
        places: Of the last chapters, ascending; at least ``RECENT_CHAPTERS``, if there are so many.
    """
    return jump(places[-RECENT_CHAPTERS]) if len(places) >= RECENT_CHAPTERS else 0
