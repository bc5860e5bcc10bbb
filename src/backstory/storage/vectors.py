"""Vectors of messages, what still needs one, and embedding generations."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, select, text, update

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError
from backstory.ports.store import MadeVector, Pending
from backstory.storage.engines.base import Units
from backstory.storage.rows import (
    AnyRow,
    chunks,
    insert_missing,
    key,
    lock_known_user,
    of,
    set_next,
)
from backstory.storage.tables import Tables


class VectorRepository:
    """The part of ``MessageStore`` that deals with vectors."""

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._t = tables

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

        return await self._units.read(read)

    async def count_pending(self, scope: Scope | None, tenant_id: str) -> int:
        """How many messages need a vector."""
        query = (
            select(func.count())
            .select_from(self._t.messages)
            .where(self._needing(scope, tenant_id))
        )
        return await self._units.read(lambda connection: connection.scalar(query) or 0)

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
        return await self._units.write(
            lambda connection: _save(connection, self._t, scope, generation.id, vectors)
        )

    async def note_failures(self, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Remember why messages could not be embedded; they stay pending."""
        messages = self._t.messages

        def write(connection: Connection) -> None:
            for some in chunks(ids):
                connection.execute(
                    update(messages)
                    .where(of(messages, scope), messages.c.id.in_(some))
                    .values(embed_error=reason)
                )

        await self._units.write(write)

    def _needing(self, scope: Scope | None, tenant_id: str) -> ColumnElement[bool]:
        messages = self._t.messages
        whose = of(messages, scope) if scope else messages.c.tenant_id == tenant_id
        return whose & messages.c.needs_vector.is_(True)


def _save(
    connection: Connection,
    tables: Tables,
    scope: Scope,
    generation_id: int,
    vectors: Sequence[MadeVector],
) -> int:
    next_seq = lock_known_user(connection, tables, scope)
    if next_seq is None:
        return 0
    messages, table = tables.messages, tables.message_vectors
    revisions: dict[str, int] = {}
    for some in chunks([made.message_id for made in vectors]):
        query = select(messages.c.id, messages.c.revision).where(
            of(messages, scope), messages.c.id.in_(some)
        )
        revisions.update({row.id: row.revision for row in connection.execute(query)})
    fitting = [made for made in vectors if revisions.get(made.message_id) == made.revision]
    if not fitting:
        return 0
    for some_made in chunks(fitting):
        ids = [made.message_id for made in some_made]
        connection.execute(
            delete(table).where(
                of(table, scope),
                table.c.message_id.in_(ids),
                table.c.generation_id == generation_id,
            )
        )
        # one number for the batch: a cache asks for whatever changed since it last looked
        connection.execute(
            update(messages)
            .where(of(messages, scope), messages.c.id.in_(ids))
            .values(needs_vector=False, embed_error=None, change_no=next_seq)
        )
    rows = [
        {
            **key(scope),
            "message_id": made.message_id,
            "generation_id": generation_id,
            "vector": made.vector,
        }
        for made in fitting
    ]
    connection.execute(table.insert(), rows)
    set_next(connection, tables.users, scope, next_seq + 1)
    return len(fitting)


class SqlGenerations:
    """Implements ``GenerationStore``."""

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._table = tables.embedding_generations

    async def active(self) -> Generation | None:
        """The generation that search uses, None while nothing was embedded."""

        def read(connection: Connection) -> Generation | None:
            query = select(self._table).where(self._table.c.active.is_(True))
            row = connection.execute(query).first()
            return _to_generation(row) if row else None

        return await self._units.read(read)

    async def activate_first(self, identity: EmbedderIdentity, now: datetime) -> Generation:
        """Register the first generation; if another process was faster, give the one it made."""
        table = self._table

        def write(connection: Connection) -> Generation:
            if connection.dialect.name == "postgresql":
                # two processes may both find the table empty
                connection.execute(text(f"LOCK TABLE {table.fullname} IN SHARE ROW EXCLUSIVE MODE"))
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
                insert_missing(connection, table, values)
                found = connection.execute(select(table).where(table.c.active.is_(True))).one()
            return _to_generation(found)

        return await self._units.write(write)


def _to_generation(row: AnyRow) -> Generation:
    identity = EmbedderIdentity(
        provider=row.provider, model=row.model, version=row.version, dimensions=row.dimensions
    )
    return Generation(id=row.id, identity=identity)
