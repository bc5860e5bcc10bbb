"""The valence of messages, day by day."""

from collections.abc import Iterable
from datetime import date, datetime, tzinfo

from backstory.core.model.feelings import FeelingDay
from backstory.core.times import date_in

_DIGITS = 4


def course_of(felt: Iterable[tuple[datetime, float]], zone: tzinfo) -> list[FeelingDay]:
    """Each day on which something was said, in order.

    Args:
        felt: When each message was said, and its valence.
        zone: In which days begin.
    """
    days: dict[date, list[float]] = {}
    for when, valence in felt:
        days.setdefault(date_in(when, zone), []).append(valence)
    return [
        FeelingDay(
            day=day,
            messages=len(found),
            valence=round(sum(sorted(found)) / len(found), _DIGITS),
            lowest=min(found),
            highest=max(found),
        )
        for day, found in sorted(days.items())
    ]
