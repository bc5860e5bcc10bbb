"""Vectors of messages, what still needs one, and embedding generations."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, select, text, update

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError
from backstory.ports.store import MadeVector, Pending
from backstory.storage.engines.base import Units
from backstory.storage.rows import AnyRow, UserRows, key
from backstory.storage.statements import BulkInsert, CopyVectors, InsertMissing, Lists, owned, owner
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
        self._saver = _Saver(tables, units.dialect, copy)

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
    ) -> int:
        """Store vectors of one generation; one for an outdated text is dropped."""
        size = (generation.identity.dimensions or 0) * 4
        for made in vectors:
            if len(made.vector) != size:
                raise EmbeddingDimensionError(
                    f"the store holds vectors of {size // 4} dimensions, this one has "
                    f"{len(made.vector) // 4}; nothing of this batch was stored"
                )
        saved = await self._units.write(
            lambda connection: self._saver.run(connection, scope, generation.id, vectors)
        )
        await self._units.note_growth(saved, (self._t.messages, self._t.message_vectors))
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


class _Saver:
    """Writes vectors of one user, each in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
        copy: Is told of new vectors.
    """

    def __init__(self, tables: Tables, dialect: str, copy: CopyVectors | None = None) -> None:
        messages, vectors = tables.messages, tables.message_vectors
        self._copy = copy
        self._users = UserRows(tables)
        self._lists = lists = Lists(dialect)
        listed = owned(messages) & lists.holds("ids", messages.c.id)
        self._revisions = select(messages.c.id, messages.c.revision).where(listed)
        self._drop = delete(vectors).where(
            owned(vectors),
            lists.holds("ids", vectors.c.message_id),
            vectors.c.generation_id == bindparam("generation"),
        )
        self._insert = BulkInsert(vectors, dialect)
        self._done = (
            update(messages)
            .where(listed)
            .values(needs_vector=False, embed_error=None, change_no=bindparam("number"))
        )
        self._note = (
            update(messages)
            .where(listed, messages.c.needs_vector.is_(True))
            .values(embed_error=bindparam("reason"))
        )

    def run(
        self,
        connection: Connection,
        scope: Scope,
        generation_id: int,
        vectors: Sequence[MadeVector],
    ) -> int:
        """Store the vectors that fit the present text of their message."""
        # one number for the batch: a cache asks for whatever changed since it last looked
        number = self._users.take_known(connection, scope, 1)
        if number is None:
            return 0
        asked = self._listed(scope, [made.message_id for made in vectors])
        found = connection.execute(self._revisions, asked)
        revisions: dict[str, int] = {row.id: row.revision for row in found}
        fitting = {
            made.message_id: made
            for made in vectors
            if revisions.get(made.message_id) == made.revision
        }
        if not fitting:
            return 0
        listed = self._listed(scope, list(fitting))
        connection.execute(self._drop, {**listed, "generation": generation_id})
        common = {**key(scope), "generation_id": generation_id}
        rows = [
            {**common, "message_id": made.message_id, "vector": made.vector}
            for made in fitting.values()
        ]
        self._insert.run(connection, rows)
        if self._copy is not None:
            new = {made.message_id: made.vector for made in fitting.values()}
            self._copy(connection, scope, generation_id, new)
        connection.execute(self._done, {**listed, "number": number})
        return len(fitting)

    def note(self, connection: Connection, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Write down why messages could not be embedded."""
        connection.execute(self._note, {**self._listed(scope, ids), "reason": reason})

    def _listed(self, scope: Scope, ids: Sequence[str]) -> dict[str, object]:
        return {**owner(scope), "ids": self._lists.given(ids)}


class SqlGenerations:
    """Implements ``GenerationStore``.

    Args:
        units: The engine.
        tables: The store's tables.
    """

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._table = tables.embedding_generations

    async def active(self) -> Generation | None:
        """The generation that search uses, None while nothing was embedded."""

        def read(connection: Connection) -> Generation | None:
            query = select(self._table).where(self._table.c.active.is_(True))
            row = connection.execute(query).first()
            return to_generation(row) if row else None

        return await self._units.peek(read)

    async def activate_first(self, identity: EmbedderIdentity, now: datetime) -> Generation:
        """Register the first generation; if another process was faster, give the one it made."""
        table = self._table

        def write(connection: Connection) -> Generation:
            if connection.dialect.name == "postgresql":
                # Two processes may both find no active generation, and one of them the id of the
                # other taken when it makes its own: the insert alone would not stop it.
                name = connection.dialect.identifier_preparer.format_table(table)
                connection.execute(text(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE"))
            found = connection.execute(select(table).where(table.c.active.is_(True))).first()
            if found is None:
                values = {
                    "id": (connection.scalar(select(func.max(table.c.id))) or 0) + 1,
                    "provider": identity.provider,
                    "model": identity.model,
                    "version": identity.version,
                    "dimensions": identity.dimensions,
                    "active": True,
                    "created_at": now,
                }
                connection.execute(InsertMissing(table).inline(), values)
                found = connection.execute(select(table).where(table.c.active.is_(True))).one()
            return to_generation(found)

        return await self._units.write(write)

    async def calibrate(self, generation_id: int, calibration: str | None) -> bool:
        """Keep what was measured of a generation's cosines. False if there is none of this id."""
        table = self._table
        change = (
            update(table)
            .where(table.c.id == generation_id)
            .values(calibration=calibration)
            .returning(table.c.id)
        )
        changed = await self._units.write(lambda connection: connection.scalar(change))
        return changed is not None


def to_generation(row: AnyRow) -> Generation:
    """Make a Generation of its row."""
    identity = EmbedderIdentity(
        provider=row.provider, model=row.model, version=row.version, dimensions=row.dimensions
    )
    return Generation(id=row.id, identity=identity, calibration=row.calibration)
