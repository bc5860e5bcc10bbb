"""Passages and their vectors, on a given connection."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, func, select, update

from backstory.core.model.embedding import Generation
from backstory.ports.documents import DocumentScope, PassageRow, PassageText
from backstory.storage.documents.rows import DocumentRows
from backstory.storage.documents.statements import Whole, key, owned, owner, same
from backstory.storage.generations import GenerationRows
from backstory.storage.rows import AnyRow
from backstory.storage.statements import BulkInsert, Prepared, as_stored
from backstory.storage.tables import Tables

Made = Sequence[tuple[PassageText, bytes]]


class PassageRows(metaclass=Prepared):
    """Reads passages, and reads and writes their vectors.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        passages, vectors = tables.document_passages, tables.document_vectors
        chapters = tables.document_chapters
        self._documents = DocumentRows(tables)
        self._generations = GenerationRows(tables)
        self._whole = whole = Whole(dialect)
        mine = owned(passages)
        order = (passages.c.number, passages.c.place)
        self._all = (
            select(passages.c.number, passages.c.place, as_stored(passages.c.terms))
            .where(mine)
            .order_by(*order)
        )
        self._changed = self._all.where(passages.c.change_no >= bindparam("since"))
        in_generation = vectors.c.generation_id == bindparam("generation")
        self._vectors = select(
            vectors.c.number, vectors.c.place, as_stored(vectors.c.vector)
        ).where(owned(vectors), in_generation)
        self._some_vectors = self._vectors.where(whole.holds("numbers", vectors.c.number))
        columns = (*order, passages.c.revision, passages.c.first, passages.c.behind)
        self._of_chapters = (
            select(*columns).where(mine, whole.holds("numbers", passages.c.number)).order_by(*order)
        )
        self._texts = select(chapters.c.number, chapters.c.text).where(
            owned(chapters), whole.holds("numbers", chapters.c.number)
        )
        has = exists().where(
            same(vectors, passages),
            vectors.c.number == passages.c.number,
            vectors.c.place == passages.c.place,
            in_generation,
        )
        # one statement for each generation that a passage may have its vector of: each is a range
        # of an index
        new = passages.c.generation_id.is_(None)
        old = passages.c.generation_id == bindparam("other")
        page = select(*columns).where(mine, ~has).order_by(*order).limit(bindparam("most"))
        self._new, self._old = page.where(new), page.where(old)
        count = select(func.count()).select_from(passages).where(mine)
        self._count = count
        self._count_new, self._count_old = count.where(new, ~has), count.where(old, ~has)
        generations = tables.embedding_generations
        self._others = (
            select(generations.c.id)
            .where(generations.c.id != bindparam("generation"))
            .order_by(generations.c.id)
        )
        this: list[ColumnElement[Any]] = [bindparam("at"), bindparam("part")]
        self._drop = delete(vectors).where(
            owned(vectors), vectors.c.number == this[0], vectors.c.place == this[1], in_generation
        )
        self._insert = BulkInsert(vectors, dialect)
        self._done = (
            update(passages)
            .where(mine, passages.c.number == this[0], passages.c.place == this[1])
            .values(generation_id=bindparam("generation"), change_no=bindparam("running"))
        )

    def all(
        self,
        connection: Connection,
        scope: DocumentScope,
        generation: Generation | None,
        since: int,
    ) -> list[PassageRow]:
        """Passages that changed since a running number, with the vectors of a generation."""
        given: dict[str, Any] = {**owner(scope), "since": since}
        rows = connection.execute(self._changed if since else self._all, given).all()
        if not rows:
            return []
        vectors: dict[tuple[int, int], bytes] = {}
        if generation is not None:
            # a damaged row of another size counts as no vector
            size = (generation.identity.dimensions or 0) * 4
            given["generation"] = generation.id
            query = self._vectors
            if since:
                query = self._some_vectors
                given["numbers"] = self._whole.given(sorted({row[0] for row in rows}))
            found = connection.execute(query, given)
            vectors = {(row[0], row[1]): row[2] for row in found if len(row[2]) == size}
        return [
            PassageRow(number=number, place=place, terms=terms, vector=vectors.get((number, place)))
            for number, place, terms in rows
        ]

    def texts(
        self, connection: Connection, scope: DocumentScope, keys: Sequence[tuple[int, int]]
    ) -> list[PassageText]:
        """Passages by chapter and place, in the order asked for."""
        wanted = set(keys)
        if not wanted:
            return []
        given = self._given(scope, {number for number, _ in wanted})
        rows = [
            row
            for row in connection.execute(self._of_chapters, given)
            if (row.number, row.place) in wanted
        ]
        found = {(t.number, t.place): t for t in self._with_texts(connection, scope, rows)}
        return [found[one] for one in keys if one in found]

    def pending(
        self, connection: Connection, scope: DocumentScope, generation: Generation, limit: int
    ) -> list[PassageText]:
        """Passages without a vector of a generation, in order."""
        given = {**owner(scope), "generation": generation.id, "most": limit}
        rows = list(connection.execute(self._new, given))
        for other in connection.scalars(self._others, given).all():
            rows += connection.execute(self._old, {**given, "other": other})
        rows.sort(key=lambda row: (row.number, row.place))
        return self._with_texts(connection, scope, rows[:limit])

    def count_pending(
        self, connection: Connection, scope: DocumentScope, generation: Generation | None
    ) -> int:
        """How many there are."""
        if generation is None:
            return connection.scalar(self._count, owner(scope)) or 0
        given = {**owner(scope), "generation": generation.id}
        count: int = connection.scalar(self._count_new, given) or 0
        for other in connection.scalars(self._others, given).all():
            count += connection.scalar(self._count_old, {**given, "other": other}) or 0
        return count

    def save(
        self, connection: Connection, scope: DocumentScope, generation: Generation, made: Made
    ) -> int:
        """Store the vectors of passages that are still there; how many."""
        if self._generations.role(connection, generation.id) is None:
            return 0
        held = self._documents.lock(connection, scope)
        if held is None:
            return 0
        given = self._given(scope, {passage.number for passage, _ in made})
        current = {
            (row.number, row.place): row.revision
            for row in connection.execute(self._of_chapters, given)
        }
        fitting = {
            (passage.number, passage.place): vector
            for passage, vector in made
            if current.get((passage.number, passage.place)) == passage.revision
        }
        if not fitting:
            return 0
        common = {**owner(scope), "generation": generation.id, "running": held.take()}
        places = [{**common, "at": number, "part": place} for number, place in fitting]
        connection.execute(self._drop, places)
        rows = [
            {
                **key(scope),
                "number": number,
                "place": place,
                "generation_id": generation.id,
                "vector": vector,
            }
            for (number, place), vector in fitting.items()
        ]
        self._insert.run(connection, rows)
        connection.execute(self._done, places)
        self._documents.release(connection, scope, held)
        return len(fitting)

    def _with_texts(
        self, connection: Connection, scope: DocumentScope, rows: Sequence[AnyRow]
    ) -> list[PassageText]:
        if not rows:
            return []
        # cut here: a database would read the whole text anew for each part of it
        given = self._given(scope, {row.number for row in rows})
        texts = {row[0]: row[1] for row in connection.execute(self._texts, given)}
        return [
            PassageText(
                number=row.number,
                place=row.place,
                revision=row.revision,
                text=texts[row.number][row.first : row.behind],
            )
            for row in rows
        ]

    def _given(self, scope: DocumentScope, numbers: Iterable[int]) -> dict[str, Any]:
        return {**owner(scope), "numbers": self._whole.given(sorted(numbers))}
