"""Deletion of a whole document: whatever table names a document, it empties."""

from sqlalchemy import Connection, delete

from backstory.ports.documents import DocumentScope
from backstory.storage.documents.rows import DocumentRows
from backstory.storage.documents.statements import owned, owner
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables


class DocumentEraser(metaclass=Prepared):
    """Removes documents, on the given connection.

    The tables are found by their column ``document_id``, so that a new one cannot be left out.

    Args:
        tables: The store's tables.
    """

    def __init__(self, tables: Tables) -> None:
        self._documents = DocumentRows(tables)
        # what refers to a row goes before it
        named = [t for t in reversed(tables.metadata.sorted_tables) if "document_id" in t.c]
        self._steps = [delete(table).where(owned(table)) for table in named]

    def run(self, connection: Connection, scope: DocumentScope) -> bool:
        """Remove a document with all that belongs to it; whether there was one."""
        # Writers wait here for each other. One that comes later finds no document.
        if self._documents.lock(connection, scope) is None:
            return False
        for step in self._steps:
            connection.execute(step, owner(scope))
        return True
