"""An age grows by itself: whether a new one fits the time that passed."""

from datetime import datetime
from typing import Final

from backstory.core.facts.news import News
from backstory.core.model.fact import Fact
from backstory.core.values import normal_value

_YEAR_S: Final = 365.2425 * 86_400
_TOLERANCE: Final = 1.0


def age_fits(row: Fact, news: News) -> bool:
    """Whether an age follows from an earlier one: within a year, and never backwards.

    Ages that are no numbers fit if the claim says that something changed.
    """
    old, new = _years(row.value), _years(news.value)
    said_at = row.valid_from or row.last_mention_at
    if old is None or new is None or said_at is None:
        return news.marked
    return new >= old and abs(new - old - _passed(said_at, news)) <= _TOLERANCE


def _passed(said_at: datetime, news: News) -> float:
    now = news.start or news.claim.said_at
    return (now - said_at).total_seconds() / _YEAR_S


def _years(value: str) -> float | None:
    words = normal_value(value).split()
    numbers = [word for word in words if word.isdecimal()]
    return float(numbers[0]) if len(numbers) == 1 and len(numbers[0]) <= 3 else None
