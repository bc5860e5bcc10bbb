"""``DocumentStore`` on SQLite and PostgreSQL."""

from backstory.storage.documents.canon_store import SqlCanon
from backstory.storage.documents.chapter_store import SqlChapters
from backstory.storage.documents.passage_store import SqlDrafts, SqlPassages


class SqlDocuments(SqlChapters, SqlCanon, SqlPassages, SqlDrafts):
    """Implements ``DocumentStore``."""
