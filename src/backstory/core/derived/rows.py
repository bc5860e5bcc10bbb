"""Derived records as a table holds them: what all kinds share in columns, the rest as JSON."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from backstory.core.codec import decode_parts, encode_parts
from backstory.core.model.derived import KINDS, Derived
from backstory.core.text import clean_json
from backstory.core.times import parse_instant
from backstory.errors import InvalidInputError

NAMES: Final[Mapping[type[Derived], str]] = {kind: name for name, kind in KINDS.items()}
"""The name of each kind."""
MAX_ID: Final = 64
_COLUMNS: Final = frozenset({"id", "user_id", "at", "recorded_at", "known_from", "replaced_at"})


def body_of(record: Derived) -> dict[str, Any]:
    """What stands in the JSON column: the session, the evidence, and the kind's own fields."""
    return encode_parts(record, _COLUMNS)


def record_of(
    kind: str,
    body: object,
    *,
    id: str,
    user_id: str,
    at: datetime,
    recorded_at: datetime,
    known_from: datetime | None = None,
    replaced_at: datetime | None = None,
) -> Derived:
    """The inverse of ``body_of``, with the columns.

    Raises:
        InvalidInputError: There is no such kind, or the body is not one of it.
    """
    if kind not in KINDS:
        raise InvalidInputError(f"{kind[:100]!r} is no kind of derived record")
    given = {
        "id": id,
        "user_id": user_id,
        "at": at,
        "recorded_at": recorded_at,
        "known_from": known_from,
        "replaced_at": replaced_at,
    }
    return decode_parts(KINDS[kind], body, given, kind)


def checked(record: Derived, user_id: str) -> Derived:
    """A record of a user as it comes back out of a store, so that none goes in that does not.

    Raises:
        InvalidInputError: The id is empty or longer than 64 characters, a time has no zone, a
            number is not finite, or the kind is unknown.
    """
    kind = type(record)
    if kind not in NAMES:
        raise InvalidInputError(f"{kind.__name__} is no kind of derived record")
    name = clean_json(record.id, "id")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_ID:
        raise InvalidInputError(f"the id of a derived record has 1 to {MAX_ID} characters")
    known = record.known_from
    return record_of(
        NAMES[kind],
        clean_json(body_of(record), NAMES[kind]),
        id=name,
        user_id=user_id,
        at=parse_instant(record.at, "at"),
        recorded_at=parse_instant(record.recorded_at, "recorded_at"),
        known_from=None if known is None else parse_instant(known, "known_from"),
    )


def slot_hash(record: Derived) -> str | None:
    """Names the slot of a record in 64 characters, whatever its length; None = it has none."""
    slot = record.slot
    return None if slot is None else sha256(slot.encode()).hexdigest()


def moved(record: Derived, recorded_at: datetime, replaced_at: datetime | None) -> Derived:
    """A version that a store takes over from another one (ADR 14).

    Its commit is that of this store; since when it was known is kept.
    """
    known = record.known_from or record.recorded_at
    return replace(record, recorded_at=recorded_at, known_from=known, replaced_at=replaced_at)
