"""Checks of what callers pass to the calls on facts."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeVar

from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.fact import (
    Cardinality,
    Category,
    Evidence,
    FactKind,
    FactStatus,
    Trust,
)
from backstory.core.model.reading import Claim
from backstory.core.text import clean
from backstory.core.times import parse_instant
from backstory.core.unset import Unset
from backstory.core.values import normal_key
from backstory.errors import InvalidInputError
from backstory.ports.facts import FactFilter

CURRENT: Final = "active"
EVERYTHING: Final = "all"
_MOST: Final = 2**31
E_ = TypeVar("E_", bound=StrEnum)


def member_of(kind: type[E_], value: E_ | str | None, what: str) -> E_ | None:
    """Accept a member of an enumeration by its value, or None."""
    if value is None:
        return None
    try:
        return kind(value)
    except ValueError as error:
        known = ", ".join(repr(str(member)) for member in kind)
        raise InvalidInputError(f"{what} must be one of {known}, not {value!r}") from error


def share_of(value: float, what: str) -> float:
    """Accept a number from 0 to 1."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise InvalidInputError(f"{what} must be from 0 to 1, not {value!r}")
    return float(value)


def limit_of(value: int) -> int:
    """Accept a number of records of 1 or more; one that no database takes means all."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidInputError(f"limit must be 1 or more, not {value!r}")
    return min(value, _MOST)


def count_of(value: int, what: str) -> int:
    """Accept a whole number of 0 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInputError(f"{what} must be a whole number, 0 or more, not {value!r}")
    return value


def days_of(value: float) -> float:
    """Accept a number of days of 0 or more, or infinity."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or math.isnan(value) or value < 0:
        raise InvalidInputError(f"days must be 0 or more, or inf, not {value!r}")
    return float(value)


def optional_instant(value: datetime | str | None, what: str) -> datetime | None:
    """Accept an aware time, ISO 8601 text with a zone, or None."""
    return None if value is None else parse_instant(value, what)


def set_instant(value: datetime | str | Unset | None, what: str) -> datetime | Unset | None:
    """Accept a time, None for "no bound", or the mark of an argument that was left out."""
    return value if isinstance(value, Unset) else optional_instant(value, what)


def known_at_of(value: datetime | str | None) -> datetime | None:
    """Accept a time of knowing, or None for now."""
    return optional_instant(value, "known_at")


def evidence_of(given: Sequence[str | Evidence | Mapping[str, str]]) -> tuple[Evidence, ...]:
    """Accept message ids, or ids with the quoted words."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise InvalidInputError("evidence must be a list of message ids or of Evidence")
    return tuple(_one(item) for item in given)


def _one(item: object) -> Evidence:
    if isinstance(item, str):
        return Evidence(message_id=check_id(item, "evidence"), quote="")
    if isinstance(item, Evidence):
        return item
    if isinstance(item, Mapping) and "message_id" in item:
        quote = clean(item.get("quote", ""), "quote")
        return Evidence(message_id=check_id(item["message_id"], "message_id"), quote=quote)
    raise InvalidInputError(f"evidence holds {item!r}; give message ids, or Evidence with a quote")


def fact_filter(
    subject: str | None,
    category: Category | str | None,
    key: str | None,
    status: str,
    intent_id: str | None,
    now: datetime,
) -> FactFilter:
    """Accept the conditions of a list of facts."""
    statuses = frozenset[FactStatus]()
    if status not in {CURRENT, EVERYTHING}:
        chosen = member_of(FactStatus, status, "status")
        statuses = frozenset({chosen}) if chosen else statuses
    return FactFilter(
        subject=check_optional_id(subject, "subject"),
        category=member_of(Category, category, "category"),
        key=_key(key),
        intent_id=check_optional_id(intent_id, "intent_id"),
        statuses=statuses,
        current_at=now if status == CURRENT else None,
    )


def _key(key: str | None) -> str | None:
    if key is None:
        return None
    check_id(key, "key")
    if key.endswith("."):
        return f"{normal_key(key.rstrip('.'))}."
    return normal_key(key)


def claim_of(
    now: datetime,
    *,
    subject: str,
    key: str,
    value: str,
    category: Category | str | None,
    cardinality: Cardinality | str | None,
    kind: FactKind | str,
    valid_from: datetime | str | None,
    valid_until: datetime | str | None,
    confidence: float,
    trust: Trust | str,
    intent_id: str | None,
    evidence: Sequence[str | Evidence | Mapping[str, str]],
) -> Claim:
    """Accept what a caller states: it is a change, if the slot holds another value."""
    return Claim(
        subject=check_id(subject, "subject"),
        key=check_id(key, "key"),
        value=clean(value, "value"),
        said_at=now,
        changed=True,
        category=member_of(Category, category, "category"),
        cardinality=member_of(Cardinality, cardinality, "cardinality"),
        kind=member_of(FactKind, kind, "kind") or FactKind.PERMANENT,
        confidence=share_of(confidence, "confidence"),
        valid_from=optional_instant(valid_from, "valid_from"),
        valid_until=optional_instant(valid_until, "valid_until"),
        trust=member_of(Trust, trust, "trust") or Trust.USER,
        intent_id=check_optional_id(intent_id, "intent_id"),
        actor="api",
        reason="stored by the caller",
        evidence=evidence_of(evidence),
    )
