"""Which intentions there are."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from backstory.core.derived.book import DerivedBook
from backstory.core.model.derived import Intention, IntentionStatus
from backstory.errors import NotFoundError

OPEN: Final = frozenset({IntentionStatus.OPEN})
SHOWN: Final = frozenset(IntentionStatus) - {IntentionStatus.ERASED}


def listed(
    book: DerivedBook,
    statuses: Collection[IntentionStatus] = SHOWN,
    known_at: datetime | None = None,
) -> list[Intention]:
    """Intentions of some statuses, the oldest first; with ``known_at`` as they were known then."""
    found = [one for one in book.of(Intention, known_at) if one.status in statuses]
    return sorted(found, key=age)


def age(one: Intention) -> tuple[datetime, str]:
    """The order of intentions, the oldest first."""
    return one.at, one.id


def known(book: DerivedBook, intention_id: str) -> Intention:
    """The current version of an intention.

    Raises:
        NotFoundError: There is none of this id.
    """
    found = book.get(Intention, intention_id)
    if found is None or found.status not in SHOWN:
        raise NotFoundError(f"there is no intention {intention_id!r}")
    return found
