"""Which moments are worth showing. Pure."""

from collections.abc import Sequence, Set
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from backstory.core.derived.book import was_known
from backstory.core.model.derived import EmotionalMoment

RECENT: Final = timedelta(days=30)
"""What was felt longer ago is shown only where the query is about it."""
_ABOUT: Final = 0.5
"""The share of the query's words that makes it about a moment."""


class Worded(NamedTuple):
    """A moment, in any version, with the keys of its words and of its feelings."""

    moment: EmotionalMoment
    keys: frozenset[int]


class Chosen(NamedTuple):
    """A moment, and the share of the query's words that it holds."""

    moment: EmotionalMoment
    score: float


def most_relevant(
    worded: Sequence[Worded],
    asked: Set[int],
    *,
    now: datetime,
    known_at: datetime | None,
    most: int,
) -> list[Chosen]:
    """What the query is about first, then the latest.

    Args:
        worded: All versions of the user's moments.
        asked: Keys of the query's words; empty = no query.
        now: The time of asking; what came later is not there yet.
        known_at: Only as it was known then; None = now.
        most: How many.
    """
    found = []
    for moment, keys in worded:
        if moment.at > now or not was_known(moment, known_at):
            continue
        score = len(asked & keys) / len(asked) if asked else 0.0
        if score >= _ABOUT or now - moment.at <= RECENT:
            found.append(Chosen(moment, score))
    found.sort(key=lambda one: (one.score, one.moment.at, one.moment.id), reverse=True)
    return found[:most]
