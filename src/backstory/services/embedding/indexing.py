"""The words of a record as they are stored for search."""

from datetime import datetime

from backstory.errors import InvalidInputError
from backstory.language.terms import message_terms


def terms_of(text: str, speaker: str | None, timestamp: datetime | None) -> bytes:
    """The hashed words of a text, its speaker and its date: little-endian uint32."""
    if timestamp is None:
        raise InvalidInputError("a message without a time cannot be indexed")
    return message_terms(text, speaker=speaker, timestamp=timestamp).astype("<u4").tobytes()
