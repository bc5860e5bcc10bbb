"""Rows of the fact tables to values, and back."""

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Table

from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionState,
    Decision,
    GatePath,
)
from backstory.core.model.fact import (
    Cardinality,
    Category,
    Change,
    Evidence,
    Fact,
    FactCorrection,
    FactKind,
    FactRevision,
    FactStatus,
    Trust,
)
from backstory.core.model.scope import Scope
from backstory.core.times import from_micros
from backstory.storage.facts.hashes import contradiction_hashes, hash_of, hashes_of
from backstory.storage.rows import AnyRow, key
from backstory.storage.statements import POSTGRES, as_stored

E = TypeVar("E", bound=StrEnum)
Quotes = Sequence[Evidence]

_PLAIN = (
    "id",
    "subject",
    "key",
    "value",
    "confidence",
    "superseded_by",
    "intent_id",
    "mentions",
)
_TIMES = (
    "valid_from",
    "valid_until",
    "recorded_at",
    "known_from",
    "believed_at",
    "superseded_at",
    "retracted_at",
    "updated_at",
    "last_mention_at",
)
_CONTRADICTION = (
    "id",
    "subject",
    "key",
    "session_id",
    "stored_value",
    "stated_value",
    "stored_fact_id",
    "stated_fact_id",
    "gate_similarity",
    "gate_reason",
    "gate_different_question",
    "opened_at",
    "last_seen_at",
    "repeat_count",
    "surfaced",
    "note",
    "resolved_at",
    "hold_reason",
    "held_value",
    "held_at",
)
_REVISION = ("fact_id", "revision", "value", "valid_from", "valid_until", "believed_at")
_STATE_TIMES = ("valid_from", "valid_until", "believed_at", "replaced_at")
_CORRECTION = (
    "id",
    "fact_id",
    "other_id",
    "subject",
    "key",
    "old_value",
    "new_value",
    "actor",
    "reason",
    "at",
    "undone",
)
_FIRST = ("user_id", "scheduled", "category", "cardinality", "kind", "status", "trust")
_TIMES_FROM = len(_FIRST)
_PLAIN_FROM = _TIMES_FROM + len(_TIMES)
_WIDTH = _PLAIN_FROM + len(_PLAIN)
# Looking a member up by its value in a dict takes a fifth of the time of calling the class.
_CATEGORIES = {str(member): member for member in Category}
_CARDINALITIES = {str(member): member for member in Cardinality}
_KINDS = {str(member): member for member in FactKind}
_STATUSES = {str(member): member for member in FactStatus}
_TRUSTS = {str(member): member for member in Trust}


class FactShape:
    """Reads facts. Lists may be long: each value is converted by hand, not by SQLAlchemy's types.

    Args:
        facts: The table.
        dialect: The name of the database.
    """

    def __init__(self, facts: Table, dialect: str) -> None:
        self.columns: list[ColumnElement[Any]] = [
            as_stored(column).label(column.name) for column in fact_columns(facts)
        ]
        self._instant = _in_utc if dialect == POSTGRES else _of_micros

    def fact(self, row: AnyRow, evidence: Quotes = ()) -> Fact:
        """A fact of a row that begins with ``columns``."""
        instant = self._instant
        times = [None if at is None else instant(at) for at in row[_TIMES_FROM:_PLAIN_FROM]]
        return _fact(row, times, evidence)


def fact_columns(facts: Table) -> list[Column[Any]]:
    """What ``to_fact`` reads, in its order, and then the sequence number."""
    return [facts.c[name] for name in (*_FIRST, *_TIMES, *_PLAIN, "seq")]


def to_fact(row: AnyRow, evidence: Quotes = ()) -> Fact:
    """A fact of a row that begins with ``fact_columns``."""
    return _fact(row, row[_TIMES_FROM:_PLAIN_FROM], evidence)


def _fact(row: AnyRow, times: Sequence[Any], evidence: Quotes) -> Fact:
    user_id, scheduled, category, cardinality, kind, status, trust = row[:_TIMES_FROM]
    return Fact(
        user_id=user_id,
        scheduled=bool(scheduled),
        category=_CATEGORIES[category],
        cardinality=_CARDINALITIES[cardinality],
        kind=_KINDS[kind],
        status=_STATUSES[status],
        trust=_TRUSTS[trust],
        evidence=tuple(evidence),
        **dict(zip(_TIMES, times, strict=True)),
        **dict(zip(_PLAIN, row[_PLAIN_FROM:_WIDTH], strict=True)),
    )


def _in_utc(at: datetime) -> datetime:
    return at.astimezone(UTC)


# most times of a row are the same one
@lru_cache(maxsize=1024)
def _of_micros(micros: int) -> datetime:
    return from_micros(micros)


def fact_values(fact: Fact) -> dict[str, Any]:
    """The columns of a fact's row, without key, numbers, words and evidence."""
    return {
        **{name: getattr(fact, name) for name in (*_PLAIN, *_TIMES)},
        "scheduled": fact.scheduled,
        **hashes_of(fact),
        "category": str(fact.category),
        "cardinality": str(fact.cardinality),
        "kind": str(fact.kind),
        "status": str(fact.status),
        "trust": str(fact.trust),
    }


class StateShape:
    """Reads earlier states, as ``FactShape`` reads facts.

    Args:
        revisions: The table.
        dialect: The name of the database.
    """

    def __init__(self, revisions: Table, dialect: str) -> None:
        names = ("fact_id", "revision", "value", "status", *_STATE_TIMES)
        self.columns: list[ColumnElement[Any]] = [
            as_stored(revisions.c[name]).label(name) for name in names
        ]
        self._instant = _in_utc if dialect == POSTGRES else _of_micros

    def state(self, row: AnyRow) -> FactRevision:
        """An earlier state of a row of ``columns``."""
        fact_id, revision, value, status, *stored = row
        valid_from, valid_until, believed_at, replaced_at = (
            None if at is None else self._instant(at) for at in stored
        )
        return FactRevision(
            fact_id=fact_id,
            revision=revision,
            value=value,
            status=_STATUSES[status],
            valid_from=valid_from,
            valid_until=valid_until,
            believed_at=believed_at,  # type: ignore[arg-type] # never NULL
            replaced_at=replaced_at,  # type: ignore[arg-type] # never NULL
        )


def to_revision(row: AnyRow) -> FactRevision:
    """An earlier state of a fact."""
    return FactRevision(
        **{name: getattr(row, name) for name in _REVISION},
        status=_STATUSES[row.status],
        replaced_at=row.replaced_at,
    )


def revision_values(scope: Scope, revision: FactRevision) -> dict[str, Any]:
    """The row of an earlier state."""
    return {
        **key(scope),
        **{name: getattr(revision, name) for name in _REVISION},
        "status": str(revision.status),
        "replaced_at": revision.replaced_at,
    }


def to_correction(row: AnyRow, evidence: Quotes) -> FactCorrection:
    """A line of the log."""
    return FactCorrection(
        user_id=row.user_id,
        **{name: getattr(row, name) for name in _CORRECTION},
        change=Change(row.change),
        evidence=tuple(evidence),
    )


def correction_values(scope: Scope, line: FactCorrection, seq: int) -> dict[str, Any]:
    """The row of a new line of the log."""
    return {
        **key(scope),
        **{name: getattr(line, name) for name in _CORRECTION},
        "change": str(line.change),
        "slot_hash": hash_of(line.subject, line.key),
        "seq": seq,
    }


def to_contradiction(row: AnyRow, evidence: Quotes) -> Contradiction:
    """A contradiction."""
    return Contradiction(
        user_id=row.user_id,
        **{name: getattr(row, name) for name in _CONTRADICTION},
        gate_path=GatePath(row.gate_path),
        state=ContradictionState(row.state),
        decision=_optional(Decision, row.decision),
        evidence=tuple(evidence),
    )


def contradiction_values(item: Contradiction) -> dict[str, Any]:
    """The columns of a contradiction's row, without key, number and evidence."""
    return {
        **{name: getattr(item, name) for name in _CONTRADICTION},
        **contradiction_hashes(item),
        "gate_path": str(item.gate_path),
        "state": str(item.state),
        "decision": None if item.decision is None else str(item.decision),
    }


def _optional(kind: type[E], value: str | None) -> E | None:
    return None if value is None else kind(value)
