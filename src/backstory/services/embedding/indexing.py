"""The words of a record as they are stored for search."""

from datetime import datetime

from backstory.core.model.message import Role
from backstory.errors import InvalidInputError
from backstory.language.terms import message_terms


def terms_of(
    text: str, speaker: str | None, timestamp: datetime | None, role: Role | None = None
) -> bytes:
    """The hashed words of a text, its speaker and its date: little-endian uint32.

    What a user says also gets the dates that it tells of.
    """
    if timestamp is None:
        raise InvalidInputError("a message without a time cannot be indexed")
    tells = role is Role.USER
    terms = message_terms(text, speaker=speaker, timestamp=timestamp, tells=tells)
    return terms.astype("<u4").tobytes()
