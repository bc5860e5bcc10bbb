"""What every part of the document store works with."""

from backstory.storage.documents.chapters import ChapterRows
from backstory.storage.documents.entities import EntityRows
from backstory.storage.documents.looking import SightingWriter
from backstory.storage.documents.rows import DocumentRows
from backstory.storage.documents.states import StateRows
from backstory.storage.documents.threads import ThreadRows
from backstory.storage.engines.base import Units
from backstory.storage.tables import Tables


class DocumentPart:
    """A part of the document store.

    Args:
        units: The engine.
        tables: The store's tables.
    """

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._t = tables
        self._documents = DocumentRows(tables)
        self._chapters = ChapterRows(tables, units.dialect)
        self._entities = EntityRows(tables, units.dialect)
        self._looking = SightingWriter(tables, units.dialect)
        self._states = StateRows(tables, units.dialect)
        self._threads = ThreadRows(tables, units.dialect)
