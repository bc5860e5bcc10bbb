"""What all derived records have in common."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from backstory.core.model.fact import Evidence
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Derived(Record):
    """Something that was made of messages, or saved beside them, in both times.

    A record never changes: a new version of it replaces the old one, which stays with the time of
    that (``replaced_at``), so that what was known at an earlier time can be rebuilt.

    Attributes:
        id: The record's id; all its versions share it.
        at: When it was said or happened (aware, UTC); lists are in this order.
        recorded_at: When this store committed the version (aware, UTC); of a new one ``None`` is
            never left: the store sets it.
        known_from: Of what was read in a bulk import: the time of the message. ``known_at``
            compares with it.
        replaced_at: When the version was replaced or withdrawn, None of the current one.
        session_id: The session that it comes from, if it comes from one.
        evidence: The messages behind it, with the words.
    """

    id: str
    user_id: str
    at: datetime
    recorded_at: datetime
    known_from: datetime | None = None
    replaced_at: datetime | None = None
    session_id: str | None = None
    evidence: tuple[Evidence, ...] = ()

    WHOLE: ClassVar[bool] = False
    """Whether it is of one piece: when one of its messages goes or changes, all of it goes."""

    @property
    def slot(self) -> str | None:
        """What only one current record of the kind has, or None: a new one replaces it."""
        return None

    @property
    def indexed_text(self) -> str:
        """The text that gets a vector; empty = none."""
        return ""

    @property
    def covers(self) -> frozenset[str]:
        """Ids of whole sessions that it was made of, beside the messages of its evidence."""
        return frozenset()
