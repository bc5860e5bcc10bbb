"""The row of each document: the lock of its writers, and what caches compare."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update

from backstory.core.model.document import DocumentInfo
from backstory.errors import NotFoundError
from backstory.ports.documents import DocumentScope
from backstory.storage.documents.statements import changed, key, owned, owner, same
from backstory.storage.rows import AnyRow
from backstory.storage.statements import InsertMissing, Prepared
from backstory.storage.tables import Tables

DEFAULT_UNIT = "chapter"
_EPOCH_BITS = 48
_COUNTED = ("chapters", "next_seq", "epoch", "names_seq", "next_thread")


class Stamp(NamedTuple):
    """What caches of a document compare.

    Attributes:
        next_seq: Every write changes it.
        epoch: Every removal changes it.
        names_seq: Every change of names changes it.
    """

    next_seq: int
    epoch: int
    names_seq: int


@dataclass
class Held:
    """A document that this transaction holds, with the numbers that it may take.

    Attributes:
        info: As it was when it was locked.
        chapters: How many chapters it has.
        next_seq: The next running number.
        epoch: Raised when something is removed.
        names_seq: The number of the write that changed names last.
        next_thread: The number of the next thread.
        locked: The stamp of names as it was when it was locked.
    """

    info: DocumentInfo
    chapters: int
    next_seq: int
    epoch: int
    names_seq: int
    next_thread: int
    locked: tuple[int, int]

    @property
    def names_stamp(self) -> tuple[int, int]:
        """What caches of names compare."""
        return self.names_seq, self.epoch

    def take(self, count: int = 1) -> int:
        """Take running numbers; gives the first."""
        first = self.next_seq
        self.next_seq += count
        return first

    def rename(self) -> None:
        """Note that names changed."""
        self.names_seq = self.take()


class DocumentRows(metaclass=Prepared):
    """The table of documents, on the given connection.

    Args:
        tables: The store's tables.
    """

    def __init__(self, tables: Tables) -> None:
        documents, chapters = tables.documents, tables.document_chapters
        mine = owned(documents)
        # correlated: the highest number is one look into the index
        last = (
            select(func.max(chapters.c.number)).where(same(chapters, documents)).scalar_subquery()
        )
        self._all = select(documents, last.label("last_chapter"))
        self._one = self._all.where(mine)
        self._listed = (
            self._all.where(documents.c.tenant_id == bindparam("tenant"))
            .order_by(documents.c.document_id)
            .limit(bindparam("most"))
        )
        self._listed_after = self._listed.where(documents.c.document_id > bindparam("after"))
        # not FOR UPDATE: rows that refer to the document may still be inserted
        self._lock = self._one.with_for_update(key_share=True, of=documents)
        self._stamp = select(documents.c.next_seq, documents.c.epoch, documents.c.names_seq).where(
            mine
        )
        self._new_tenant = InsertMissing(tables.tenants).inline()
        self._new = InsertMissing(documents).inline()
        self._count = update(documents).where(mine).values(changed(documents, *_COUNTED))
        self._set = (
            update(documents).where(mine).values(changed(documents, "unit", "planned_chapters"))
        )

    def info(self, connection: Connection, scope: DocumentScope) -> DocumentInfo | None:
        """The document, if there is one."""
        row = connection.execute(self._one, owner(scope)).first()
        return None if row is None else _to_info(row)

    def listed(
        self, connection: Connection, tenant_id: str, limit: int, after: str | None
    ) -> list[DocumentInfo]:
        """Documents of a tenant in the order of their ids."""
        given: dict[str, Any] = {"tenant": tenant_id, "most": limit}
        query = self._listed
        if after is not None:
            query, given["after"] = self._listed_after, after
        return [_to_info(row) for row in connection.execute(query, given)]

    def stamp(self, connection: Connection, scope: DocumentScope) -> Stamp | None:
        """What caches compare, or None if there is no such document."""
        row = connection.execute(self._stamp, owner(scope)).first()
        return None if row is None else Stamp(*row)

    def lock(self, connection: Connection, scope: DocumentScope) -> Held | None:
        """Lock a document for the rest of the transaction, if there is one."""
        row = connection.execute(self._lock, owner(scope)).first()
        if row is None:
            return None
        counted = {name: getattr(row, name) for name in _COUNTED}
        return Held(info=_to_info(row), **counted, locked=(row.names_seq, row.epoch))

    def hold(self, connection: Connection, scope: DocumentScope) -> Held:
        """Lock a document.

        Raises:
            NotFoundError: There is none.
        """
        held = self.lock(connection, scope)
        if held is None:
            raise NotFoundError(f"there is no document {scope.document_id[:80]!r}")
        return held

    def make(self, connection: Connection, scope: DocumentScope, now: datetime) -> None:
        """Make a document, if another writer does not."""
        connection.execute(self._new_tenant, {"id": scope.tenant_id, "created_at": now})
        numbers = {
            "chapters": 0,
            "next_seq": 1,
            # not the numbers of a deleted document of this name, which a cache may still hold
            "epoch": secrets.randbits(_EPOCH_BITS),
            "names_seq": 0,
            "next_thread": 1,
        }
        plain = {"unit": DEFAULT_UNIT, "planned_chapters": None, "created_at": now}
        connection.execute(self._new, {**key(scope), **plain, **numbers})

    def change(
        self, connection: Connection, scope: DocumentScope, unit: str, planned: int | None
    ) -> None:
        """Write the settings of a document."""
        given = {"new_unit": unit, "new_planned_chapters": planned}
        connection.execute(self._set, {**owner(scope), **given})

    def release(self, connection: Connection, scope: DocumentScope, held: Held) -> None:
        """Write down the numbers that were taken. Every write raises the first."""
        held.take()
        given = {f"new_{name}": getattr(held, name) for name in _COUNTED}
        connection.execute(self._count, {**owner(scope), **given})


def _to_info(row: AnyRow) -> DocumentInfo:
    return DocumentInfo(
        id=row.document_id,
        unit=row.unit,
        planned_chapters=row.planned_chapters,
        chapters=row.chapters,
        last_chapter=row.last_chapter,
        created_at=row.created_at,
    )
