"""Where an entity occurs in the chapters that are there, on a given connection."""

from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.sql.expression import bindparam

from backstory.ports.documents import DocumentScope, NameCounter
from backstory.storage.documents.statements import key, owned, owner
from backstory.storage.statements import BulkInsert, Prepared
from backstory.storage.tables import Tables

_PAGE = 50


class SightingWriter(metaclass=Prepared):
    """Writes the sightings of one entity.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        chapters, sightings = tables.document_chapters, tables.document_sightings
        columns = [chapters.c[name] for name in ("number", "revision", "text")]
        self._page = (
            select(*columns)
            .where(owned(chapters), chapters.c.number > bindparam("after"))
            .order_by(chapters.c.number)
            .limit(_PAGE)
        )
        of_entity = owned(sightings) & (sightings.c.entity_id == bindparam("at"))
        shown = ("number", "revision", "times", "kind", "aliases")
        self._known = select(*(sightings.c[name] for name in shown)).where(of_entity)
        self._drop = delete(sightings).where(of_entity)
        self._add = BulkInsert(sightings, dialect)

    def look(
        self,
        connection: Connection,
        scope: DocumentScope,
        entity_id: str,
        count: NameCounter,
        *,
        keeps: bool,
    ) -> int:
        """Look for an entity in all chapters.

        Args:
            connection: Of the transaction.
            scope: The document.
            entity_id: Of an entity that is stored.
            count: How often its names occur in a text.
            keeps: Whether what was found before stays where its names do not occur: a reader may
                have found it otherwise.

        Returns:
            In how many more chapters it occurs; negative = fewer.
        """
        this = {**owner(scope), "at": entity_id}
        rows = {row.number: dict(row._mapping) for row in connection.execute(self._known, this)}
        before = sum(1 for row in rows.values() if row["times"])
        after = 0
        while page := connection.execute(self._page, {**owner(scope), "after": after}).all():
            after = page[-1].number
            for number, revision, text in page:
                self._see(rows, (number, revision), count(text), keeps=keeps)
        if rows:
            connection.execute(self._drop, this)
            own = {**key(scope), "entity_id": entity_id}
            self._add.run(connection, [{**own, **row} for row in rows.values()])
        return sum(1 for row in rows.values() if row["times"]) - before

    def _see(
        self, rows: dict[int, dict[str, Any]], place: tuple[int, str], times: int, *, keeps: bool
    ) -> None:
        number, revision = place
        if number in rows:
            known = rows[number]["times"]
            rows[number]["times"] = max(times, known) if keeps else times
        elif times:
            row = {"number": number, "revision": revision, "times": times}
            rows[number] = {**row, "kind": None, "aliases": []}
