"""All states of many facts in columns: what was believed when about when, without a loop.

It answers as ``asof.as_of`` does, which says what is right; this says it fast.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.facts.asof import believed_at
from backstory.core.model.fact import Fact, FactRevision, FactStatus
from backstory.core.times import to_micros

# No start, no end: before and after every instant.
_ALWAYS: Final = -(2**62)
_EVER: Final = 2**62
Times = tuple[int, int, int, int, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class TimedFact:
    """A fact with its earlier states, and when each of them held.

    Attributes:
        seq: Its place in the order of recording.
        states: In order of knowledge.
        times: Of each state, the present one first: begin and end of its valid time, begin and
            end of the knowledge of it, and whether it is believed at all.
    """

    seq: int
    fact: Fact
    states: tuple[FactRevision, ...]
    times: tuple[Times, ...]


def timed(seq: int, fact: Fact, states: Sequence[FactRevision]) -> TimedFact:
    """A fact with its earlier states."""
    known = _times(fact, to_micros(fact.believed_at), _EVER)
    earlier = (_times(s, to_micros(s.believed_at), to_micros(s.replaced_at)) for s in states)
    return TimedFact(seq=seq, fact=fact, states=tuple(states), times=(known, *earlier))


class TimeTable:
    """The states of one user's facts.

    Args:
        items: In order of recording.
    """

    def __init__(self, items: Sequence[TimedFact]) -> None:
        self._items = items
        now = np.array([item.times[0] for item in items], dtype=np.int64).reshape(-1, 5)
        self._now = now
        owners = [(row, n) for row, item in enumerate(items) for n in range(1, len(item.times))]
        self._owners = np.array(owners, dtype=np.int64).reshape(-1, 2)
        then = [items[row].times[n] for row, n in owners]
        self._then = np.array(then, dtype=np.int64).reshape(-1, 5)
        self._made: dict[tuple[int, int, bool, bool], Fact] = {}

    @property
    def rows(self) -> int:
        """How many facts and earlier states it holds."""
        return len(self._now) + len(self._then)

    def as_of(self, valid_at: datetime, known_at: datetime | None) -> list[Fact]:
        """What was believed at ``known_at`` (None = now) to be true at ``valid_at``."""
        valid = to_micros(valid_at)
        held = _holds(self._now, valid)
        if known_at is None:
            return [self._items[row].fact for row in np.flatnonzero(held).tolist()]
        known = to_micros(known_at)
        is_old = self._now[:, 2] <= known
        rows: list[tuple[int, int]] = [(r, 0) for r in np.flatnonzero(held & is_old).tolist()]
        rows += self._earlier(valid, known, is_old)
        return [self._as_it_was(row, state, known_at) for row, state in sorted(rows)]

    def _earlier(self, valid: int, known: int, is_old: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """Rows and numbers of states that held then, of facts that have changed since."""
        then = self._then
        covers = (then[:, 2] <= known) & (known < then[:, 3]) & ~is_old[self._owners[:, 0]]
        found = np.flatnonzero(covers)
        # of two that cover the same time the first counts
        _, firsts = np.unique(self._owners[found, 0], return_index=True)
        chosen = found[firsts]
        chosen = chosen[_holds(then[chosen], valid)]
        return [(row, state) for row, state in self._owners[chosen].tolist()]

    def _as_it_was(self, row: int, state: int, known_at: datetime) -> Fact:
        item = self._items[row]
        fact = item.fact
        if not state:
            return fact
        # all that the answer depends on
        place = (row, state, _is_by(fact.retracted_at, known_at), _is_by(fact.updated_at, known_at))
        made = self._made.get(place)
        if made is None:
            made = believed_at(fact, [item.states[state - 1]], known_at) or fact
            self._made[place] = made
        return made


def _times(state: Fact | FactRevision, known: int, replaced: int) -> Times:
    return (
        _ALWAYS if state.valid_from is None else to_micros(state.valid_from),
        _EVER if state.valid_until is None else to_micros(state.valid_until),
        known,
        replaced,
        int(state.status is not FactStatus.RETRACTED),
    )


def _is_by(at: datetime | None, known_at: datetime) -> bool:
    return at is not None and at <= known_at


def _holds(times: NDArray[np.int64], valid: int) -> NDArray[np.bool_]:
    held: NDArray[np.bool_] = (times[:, 0] <= valid) & (valid < times[:, 1]) & (times[:, 4] > 0)
    return held
