"""A fact that was said again, by hand."""

from dataclasses import replace
from datetime import datetime

from backstory.core.facts.book import FactBook, FactPlan
from backstory.errors import NotFoundError


def touch(book: FactBook, fact_id: str, *, now: datetime) -> FactPlan:
    """Count a mention. It changes neither value nor time, so it is no line of the log.

    Raises:
        NotFoundError: There is no such fact.
    """
    fact = book.facts.get(fact_id)
    if fact is None:
        raise NotFoundError("there is no such fact for this user")
    last = max(now, fact.last_mention_at or now)
    return FactPlan(
        facts={fact_id: replace(fact, mentions=fact.mentions + 1, last_mention_at=last)}
    )
