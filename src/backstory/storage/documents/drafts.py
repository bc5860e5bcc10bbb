"""Drafts, on a given connection."""

from sqlalchemy import Connection, bindparam, delete, insert, select

from backstory.core.model.document import Draft
from backstory.ports.documents import DocumentScope
from backstory.storage.documents.statements import key, owned, owner
from backstory.storage.rows import AnyRow
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables


class DraftRows(metaclass=Prepared):
    """Reads and writes drafts.

    Args:
        tables: The store's tables.
    """

    def __init__(self, tables: Tables) -> None:
        drafts = tables.document_drafts
        mine = owned(drafts)
        columns = (drafts.c.number, drafts.c.title, drafts.c.text, drafts.c.recorded_at)
        this = mine & (drafts.c.number == bindparam("at"))
        self._all = select(*columns).where(mine).order_by(drafts.c.number)
        self._one = select(*columns).where(this)
        self._drop = delete(drafts).where(this)
        self._insert = insert(drafts)

    def one(self, connection: Connection, scope: DocumentScope, number: int) -> Draft | None:
        """One draft."""
        row = connection.execute(self._one, {**owner(scope), "at": number}).first()
        return None if row is None else _to_draft(row)

    def all(self, connection: Connection, scope: DocumentScope) -> list[Draft]:
        """All drafts, in order."""
        return [_to_draft(row) for row in connection.execute(self._all, owner(scope))]

    def put(self, connection: Connection, scope: DocumentScope, draft: Draft) -> bool:
        """Store a draft; whether it took the place of another."""
        replaced = self.drop(connection, scope, draft.number)
        values = {
            "number": draft.number,
            "title": draft.title,
            "text": draft.text,
            "recorded_at": draft.recorded_at,
        }
        connection.execute(self._insert, {**key(scope), **values})
        return replaced

    def drop(self, connection: Connection, scope: DocumentScope, number: int) -> bool:
        """Remove a draft; whether there was one."""
        return connection.execute(self._drop, {**owner(scope), "at": number}).rowcount > 0


def _to_draft(row: AnyRow) -> Draft:
    number, title, text, recorded_at = row
    return Draft(number=number, title=title, text=text, recorded_at=recorded_at)
