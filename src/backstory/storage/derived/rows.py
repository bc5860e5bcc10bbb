"""Rows of derived records to versions and back."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    Table,
    Text,
    bindparam,
    cast,
    exists,
    func,
    or_,
    select,
)

from backstory.core.derived.rows import NAMES, body_of, record_of, slot_hash
from backstory.core.model.derived import Derived
from backstory.core.model.scope import Scope
from backstory.storage.rows import AnyRow, key
from backstory.storage.statements import POSTGRES, Lists, Prepared, as_stored, owned, owner
from backstory.storage.tables import Tables


@dataclass(frozen=True)
class Version:
    """A version, its number, whether it needs a vector, and about how many bytes it takes."""

    seq: int
    record: Derived
    owed: bool
    size: int


class DerivedRows(metaclass=Prepared):
    """Reads versions of one user, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        derived, users = tables.derived, tables.users
        self._lists = lists = Lists(dialect)
        mine = owned(derived)
        whole = select(derived)
        self._numbers = select(users.c.derived_seq, users.c.derived_epoch).where(owned(users))
        self._all = whole.where(mine).order_by(derived.c.seq)
        self._changed = whole.where(mine, derived.c.change_no > bindparam("after"))
        self._versions = whole.where(mine, lists.holds("ids", derived.c.id))
        self._naming = whole.where(
            mine, derived.c.id.in_(select(derived.c.id).where(mine, _holds_any(derived, dialect)))
        )
        self._current = whole.where(
            mine,
            derived.c.replaced_at.is_(None),
            or_(lists.holds("ids", derived.c.id), lists.holds("slots", derived.c.slot_hash)),
        )

    def numbers(self, connection: Connection, scope: Scope) -> tuple[int, int]:
        """What a cache compares: the number of the last change, and of removals."""
        row = connection.execute(self._numbers, owner(scope)).first()
        return (row[0], row[1]) if row else (0, 0)

    def all(self, connection: Connection, scope: Scope) -> Sequence[AnyRow]:
        """The rows of all versions, in order of recording."""
        return connection.execute(self._all, owner(scope)).all()

    def changed(self, connection: Connection, scope: Scope, after: int) -> Sequence[AnyRow]:
        """The rows that changed behind a number."""
        return connection.execute(self._changed, {**owner(scope), "after": after}).all()

    def naming(
        self, connection: Connection, scope: Scope, names: Iterable[str]
    ) -> Sequence[AnyRow]:
        """All versions of the records of which one holds any of these texts as a JSON string.

        The database looks for them, so that only few rows are read.
        """
        needles = self._lists.given([json.dumps(name) for name in sorted(names)])
        rows = connection.execute(self._naming, {**owner(scope), "needles": needles}).all()
        return sorted(rows, key=lambda row: row.seq)

    def versions(self, connection: Connection, scope: Scope, ids: Iterable[str]) -> list[Version]:
        """All versions of some records, in order of recording."""
        given = {**owner(scope), "ids": self._lists.given(sorted(ids))}
        found = [to_version(row) for row in connection.execute(self._versions, given)]
        return sorted(found, key=lambda version: version.seq)

    def current(
        self, connection: Connection, scope: Scope, ids: Iterable[str], slots: Iterable[str]
    ) -> dict[int, Version]:
        """The current versions of some records, and in slots of these hashes, by number."""
        given = {
            **owner(scope),
            "ids": self._lists.given(sorted(ids)),
            "slots": self._lists.given(sorted(slots)),
        }
        return {row.seq: to_version(row) for row in connection.execute(self._current, given)}


def _holds_any(derived: Table, dialect: str) -> ColumnElement[bool]:
    """The condition that the body, as text, holds one of the ``needles``."""
    if dialect == POSTGRES:
        given = bindparam("needles", type_=ARRAY(Text, dimensions=1))
        needles = func.unnest(given).table_valued("value", name="needle").render_derived()
        place = func.strpos(cast(derived.c.body, Text), needles.c.value)
    else:
        given = bindparam("needles", type_=Text)
        needles = func.json_each(given).table_valued("value", name="needle")
        place = func.instr(as_stored(derived.c.body), needles.c.value)
    return exists(select(needles.c.value).where(place > 0).correlate(derived))


def to_record(row: AnyRow) -> Derived:
    """The version of a row."""
    return record_of(
        row.kind,
        row.body,
        id=row.id,
        user_id=row.user_id,
        at=row.at,
        recorded_at=row.recorded_at,
        known_from=row.known_from,
        replaced_at=row.replaced_at,
    )


def to_version(row: AnyRow) -> Version:
    """The version of a row, with its number and size."""
    return Version(row.seq, to_record(row), row.needs_vector, _size(row.body))


def values_of(scope: Scope, record: Derived, seq: int, *, needs_vector: bool) -> dict[str, Any]:
    """The row of a version."""
    return {
        **key(scope),
        "seq": seq,
        "id": record.id,
        "change_no": seq,
        "kind": NAMES[type(record)],
        "slot_hash": slot_hash(record),
        "at": record.at,
        "recorded_at": record.recorded_at,
        "known_from": record.known_from,
        "replaced_at": record.replaced_at,
        "needs_vector": needs_vector,
        "body": body_of(record),
    }


def _size(body: Any) -> int:
    """About how many characters JSON holds."""
    if isinstance(body, str):
        return len(body)
    if isinstance(body, dict):
        return sum(_size(value) for value in body.values())
    return sum(map(_size, body)) if isinstance(body, list) else 8
