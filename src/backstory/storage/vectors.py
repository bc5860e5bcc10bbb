"""Vectors of messages, and what still needs one."""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, select, update

from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError
from backstory.ports.store import MadeVector, Pending
from backstory.storage.engines.base import Units, unheeded
from backstory.storage.generations import GenerationRows
from backstory.storage.rows import UserRows, key
from backstory.storage.statements import BulkInsert, CopyVectors, Lists, Prepared, owned, owner
from backstory.storage.tables import Tables


class VectorRepository:
    """The part of ``MessageStore`` that deals with vectors.

    Args:
        units: The engine.
        tables: The store's tables.
        copy: Is told of new vectors.
    """

    def __init__(self, units: Units, tables: Tables, copy: CopyVectors | None = None) -> None:
        self._units = units
        self._t = tables
        self._saver = VectorRows(tables, units.dialect, copy)

    async def pending(
        self, scope: Scope | None, tenant_id: str, limit: int, after: Pending | None = None
    ) -> list[Pending]:
        """Messages that need a vector, of one user or of the whole tenant, in a fixed order."""
        messages = self._t.messages
        query = (
            select(
                messages.c.tenant_id,
                messages.c.user_id,
                messages.c.id,
                messages.c.seq,
                messages.c.revision,
                messages.c.text,
            )
            .where(self._needing(scope, tenant_id))
            .order_by(messages.c.user_id, messages.c.seq)
            .limit(limit)
        )
        if after is not None:
            user = after.scope.user_id
            query = query.where(
                (messages.c.user_id > user)
                | ((messages.c.user_id == user) & (messages.c.seq > after.seq))
            )

        def read(connection: Connection) -> list[Pending]:
            return [
                Pending(
                    scope=Scope(row.tenant_id, row.user_id),
                    id=row.id,
                    seq=row.seq,
                    revision=row.revision,
                    text=row.text,
                )
                for row in connection.execute(query)
            ]

        return await self._units.peek(read)

    async def count_pending(self, scope: Scope | None, tenant_id: str) -> int:
        """How many messages need a vector."""
        query = (
            select(func.count())
            .select_from(self._t.messages)
            .where(self._needing(scope, tenant_id))
        )
        return await self._units.peek(lambda connection: connection.scalar(query) or 0)

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Sequence[MadeVector]
    ) -> int | None:
        """Store vectors of the active generation; one for an outdated text is dropped."""
        check_sizes(generation, [made.vector for made in vectors])
        saved = await self._units.write(
            lambda connection: self._saver.run(connection, scope, generation.id, vectors)
        )
        await self._units.note_growth(saved or 0, (self._t.messages, self._t.message_vectors))
        return saved

    async def note_failures(self, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Remember why messages could not be embedded; they stay pending."""
        await self._units.write(lambda connection: self._saver.note(connection, scope, ids, reason))

    def _needing(self, scope: Scope | None, tenant_id: str) -> ColumnElement[bool]:
        messages = self._t.messages
        whose = messages.c.tenant_id == (scope.tenant_id if scope else tenant_id)
        if scope is not None:
            whose = whose & (messages.c.user_id == scope.user_id)
        return whose & messages.c.needs_vector.is_(True)


def check_sizes(generation: Generation, vectors: Iterable[bytes]) -> None:
    """Refuse vectors of another size than the generation's.

    Raises:
        EmbeddingDimensionError: One is.
    """
    size = (generation.identity.dimensions or 0) * 4
    for vector in vectors:
        if len(vector) != size:
            raise EmbeddingDimensionError(
                f"the store holds vectors of {size // 4} dimensions, this one has "
                f"{len(vector) // 4}; nothing of this batch was stored"
            )


class _Statements(metaclass=Prepared):
    """What ``VectorRows`` runs.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        messages, vectors = tables.messages, tables.message_vectors
        lists = Lists(dialect)
        listed = owned(messages) & lists.holds("ids", messages.c.id)
        self.revisions = select(messages.c.id, messages.c.revision).where(listed)
        self.drop = unheeded(
            delete(vectors).where(
                owned(vectors),
                lists.holds("ids", vectors.c.message_id),
                vectors.c.generation_id == bindparam("generation"),
            )
        )
        self.insert = BulkInsert(vectors, dialect)
        self.done = unheeded(
            update(messages)
            .where(listed)
            .values(needs_vector=False, embed_error=None, change_no=bindparam("number"))
        )
        self.note = (
            update(messages)
            .where(listed, messages.c.needs_vector.is_(True))
            .values(embed_error=bindparam("reason"))
        )


class VectorRows:
    """Writes vectors of one user, each in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
        copy: Is told of new vectors.
    """

    def __init__(self, tables: Tables, dialect: str, copy: CopyVectors | None = None) -> None:
        self._copy = copy
        self._users = UserRows(tables)
        self._generations = GenerationRows(tables)
        self._lists = Lists(dialect)
        self._s = _Statements(tables, dialect)

    def run(
        self,
        connection: Connection,
        scope: Scope,
        generation_id: int,
        vectors: Sequence[MadeVector],
    ) -> int | None:
        """Store the vectors that fit the present text; None if the generation is not active."""
        if not self._generations.role(connection, generation_id):
            return None
        # one number for the batch: a cache asks for whatever changed since it last looked
        number = self._users.take_known(connection, scope, 1)
        if number is None:
            return 0
        fitting = self._write(connection, scope, generation_id, vectors)
        if fitting:
            connection.execute(self._s.done, {**self._listed(scope, fitting), "number": number})
        return len(fitting)

    def add(
        self,
        connection: Connection,
        scope: Scope,
        generation_id: int,
        vectors: Sequence[MadeVector],
    ) -> int:
        """Store the vectors of a generation that is not active yet: no cache has to hear of it."""
        if self._generations.role(connection, generation_id) is None:
            return 0
        if not self._users.lock(connection, scope):
            return 0
        return len(self._write(connection, scope, generation_id, vectors))

    def _write(
        self,
        connection: Connection,
        scope: Scope,
        generation_id: int,
        vectors: Sequence[MadeVector],
    ) -> list[str]:
        asked = self._listed(scope, [made.message_id for made in vectors])
        found = connection.execute(self._s.revisions, asked)
        revisions: dict[str, int] = {row.id: row.revision for row in found}
        fitting = {
            made.message_id: made
            for made in vectors
            if revisions.get(made.message_id) == made.revision
        }
        if not fitting:
            return []
        listed = self._listed(scope, list(fitting))
        connection.execute(self._s.drop, {**listed, "generation": generation_id})
        common = {**key(scope), "generation_id": generation_id}
        rows = [
            {**common, "message_id": made.message_id, "vector": made.vector}
            for made in fitting.values()
        ]
        self._s.insert.run(connection, rows)
        if self._copy is not None:
            new = {made.message_id: made.vector for made in fitting.values()}
            self._copy(connection, scope, generation_id, new)
        return list(fitting)

    def note(self, connection: Connection, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Write down why messages could not be embedded."""
        connection.execute(self._s.note, {**self._listed(scope, ids), "reason": reason})

    def _listed(self, scope: Scope, ids: Sequence[str]) -> dict[str, object]:
        return {**owner(scope), "ids": self._lists.given(ids)}
