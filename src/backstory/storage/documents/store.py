"""``DocumentStore`` on SQLite and PostgreSQL."""

from functools import cached_property

from backstory.storage.documents.archive import SqlDocumentArchive
from backstory.storage.documents.canon_store import SqlCanon
from backstory.storage.documents.chapter_store import SqlChapters
from backstory.storage.documents.passage_store import SqlDrafts, SqlPassages


class SqlDocuments(SqlChapters, SqlCanon, SqlPassages, SqlDrafts):
    """Implements ``DocumentStore``."""

    @cached_property
    def archive(self) -> SqlDocumentArchive:
        """Whole documents, out and in."""
        return SqlDocumentArchive(self._units, self._t)
