"""Reads all records of a user, page by page, on the given connection."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Integer, Select, Table, bindparam, func, select

from backstory.core.model.archive import (
    Archived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedSession,
    ArchiveHead,
    ErasedClaim,
    MessageVersion,
)
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.fact import FactRevision
from backstory.core.model.scope import Scope
from backstory.storage.archive.claims import name_of_secret
from backstory.storage.archive.derived import DerivedReader, read_runs
from backstory.storage.facts.contradictions import to_collision
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.rows import (
    fact_columns,
    to_contradiction,
    to_correction,
    to_fact,
    to_revision,
)
from backstory.storage.rows import AnyRow, select_messages, to_message
from backstory.storage.statements import Lists, Prepared, as_stored, owned, owner
from backstory.storage.tables import Tables

PAGE: Final = 500
Make = Callable[[Connection, Scope, Sequence[AnyRow]], list[Archived]]


class ArchiveReader(metaclass=Prepared):
    """Reads whole records.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._t = tables
        self._lists = lists = Lists(dialect)
        self._evidence = EvidenceRows(tables, dialect)
        messages, facts, erased = tables.messages, tables.facts, tables.erased_claims
        of_message = select_messages(tables).add_columns(
            messages.c.seq,
            messages.c.revision,
            messages.c.needs_reading,
            messages.c.read_failures,
            messages.c.read_error,
            as_stored(messages.c.terms).label("terms"),
            messages.c.terms_version,
        )
        of_fact = select(
            *fact_columns(facts), as_stored(facts.c.terms).label("terms"), facts.c.terms_version
        )
        # each ordered by a column that is unique within the user
        runs = tables.consolidation_runs
        self._derived = DerivedReader(tables, dialect)
        self._kinds: list[tuple[str, Table, str, Select[Any], Make]] = [
            ("session", tables.sessions, "id", select(tables.sessions), _sessions),
            ("message", messages, "seq", of_message, self._messages),
            ("fact", facts, "seq", of_fact, self._facts),
            self._whole("correction", tables.fact_corrections, self._corrections),
            self._whole("contradiction", tables.contradictions, self._contradictions),
            self._whole("collision", tables.collisions, _collisions),
            ("erased", erased, "claim_hash", select(erased), _erased),
            ("derived", tables.derived, "seq", self._derived.firsts, self._derived.read),
        ]
        self._runs = select(runs).where(owned(runs)).order_by(runs.c.kind, runs.c.period)
        self._counts = {
            name: select(func.count()).select_from(table).where(owned(table))
            for name, table, *_ in self._kinds
        }
        self._counts["derived"] = self._derived.count
        self._counts["run"] = select(func.count()).select_from(runs).where(owned(runs))
        self._message_vectors = _vectors(tables.message_vectors, "message_id", lists)
        self._fact_vectors = _vectors(tables.fact_vectors, "fact_id", lists)
        self._versions = _parts(tables.message_revisions, "message_id", lists)
        self._revisions = _parts(tables.fact_revisions, "fact_id", lists)

    def _whole(
        self, name: str, table: Table, make: Make
    ) -> tuple[str, Table, str, Select[Any], Make]:
        return name, table, "seq", select(table), make

    def head(self, connection: Connection, scope: Scope) -> ArchiveHead:
        """What an archive of this user begins with."""
        generations = connection.execute(select(self._t.embedding_generations)).all()
        counts = {
            name: connection.scalar(query, owner(scope)) or 0
            for name, query in self._counts.items()
        }
        key = name_of_secret(connection, self._t, scope.tenant_id) if counts["erased"] else None
        return ArchiveHead(
            generations={
                row.id: EmbedderIdentity(
                    provider=row.provider,
                    model=row.model,
                    version=row.version,
                    dimensions=row.dimensions,
                )
                for row in generations
            },
            active=next((row.id for row in generations if row.active), None),
            claim_key=key,
            records=counts,
        )

    def pages(self, connection: Connection, scope: Scope) -> Iterator[list[Archived]]:
        """All records of a user, kind by kind."""
        for _, table, place, query, make in self._kinds:
            column = table.c[place]
            ordered = query.where(owned(table)).order_by(column)
            ordered = ordered.limit(bindparam("most", type_=Integer))
            given: dict[str, Any] = {**owner(scope), "most": PAGE}
            rows = connection.execute(ordered, given).all()
            after = ordered.where(column > bindparam("after", type_=column.type))
            while rows:
                yield make(connection, scope, rows)
                if len(rows) < PAGE:
                    break
                last = getattr(rows[-1], place)
                rows = connection.execute(after, {**given, "after": last}).all()
        # few: old ones are pruned
        if runs := connection.execute(self._runs, owner(scope)).all():
            yield read_runs(runs)

    def _messages(
        self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]
    ) -> list[Archived]:
        given = self._listed(scope, rows)
        vectors = _grouped_vectors(connection.execute(self._message_vectors, given).all())
        versions: dict[str, list[MessageVersion]] = {}
        for row in connection.execute(self._versions, given):
            versions.setdefault(row.message_id, []).append(
                MessageVersion(
                    revision=row.revision,
                    text=row.text,
                    metadata=row.metadata,
                    recorded_at=row.recorded_at,
                    replaced_at=row.replaced_at,
                )
            )
        return [
            ArchivedMessage(
                message=to_message(row),
                terms=row.terms,
                terms_version=row.terms_version,
                revision=row.revision,
                versions=tuple(versions.get(row.id, ())),
                needs_reading=row.needs_reading,
                read_failures=row.read_failures,
                read_error=row.read_error,
                vectors=vectors.get(row.id, {}),
            )
            for row in rows
        ]

    def _facts(
        self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]
    ) -> list[Archived]:
        given = self._listed(scope, rows)
        ids = [row.id for row in rows]
        evidence = self._evidence.of(connection, scope, Of.FACT, ids)
        vectors = _grouped_vectors(connection.execute(self._fact_vectors, given).all())
        revisions: dict[str, list[FactRevision]] = {}
        for row in connection.execute(self._revisions, given):
            revisions.setdefault(row.fact_id, []).append(to_revision(row))
        return [
            ArchivedFact(
                fact=to_fact(row, evidence.get(row.id, ())),
                terms=row.terms,
                terms_version=row.terms_version,
                revisions=tuple(revisions.get(row.id, ())),
                vectors=vectors.get(row.id, {}),
            )
            for row in rows
        ]

    def _corrections(
        self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]
    ) -> list[Archived]:
        ids = [row.id for row in rows]
        evidence = self._evidence.of(connection, scope, Of.CORRECTION, ids)
        return [to_correction(row, evidence.get(row.id, ())) for row in rows]

    def _contradictions(
        self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]
    ) -> list[Archived]:
        ids = [row.id for row in rows]
        evidence = self._evidence.of(connection, scope, Of.CONTRADICTION, ids)
        return [to_contradiction(row, evidence.get(row.id, ())) for row in rows]

    def _listed(self, scope: Scope, rows: Sequence[AnyRow]) -> dict[str, Any]:
        return {**owner(scope), "ids": self._lists.given([row.id for row in rows])}


def _vectors(table: Table, record: str, lists: Lists) -> Select[Any]:
    column = table.c[record]
    return select(column, table.c.generation_id, as_stored(table.c.vector)).where(
        owned(table), lists.holds("ids", column)
    )


def _parts(table: Table, record: str, lists: Lists) -> Select[Any]:
    column = table.c[record]
    return (
        select(table)
        .where(owned(table), lists.holds("ids", column))
        .order_by(column, table.c.revision)
    )


def _grouped_vectors(rows: Sequence[AnyRow]) -> dict[str, dict[int, bytes]]:
    found: dict[str, dict[int, bytes]] = {}
    for record_id, generation, vector in rows:
        found.setdefault(record_id, {})[generation] = bytes(vector)
    return found


def _sessions(_: Connection, __: Scope, rows: Sequence[AnyRow]) -> list[Archived]:
    return [
        ArchivedSession(
            id=row.id,
            name=row.name,
            started_at=row.started_at,
            last_message_at=row.last_message_at,
            last_received_at=row.last_received_at,
            ended_at=row.ended_at,
            agent_id=row.agent_id,
            mode=row.mode,
            speaker=row.speaker,
            channel=row.channel,
            metadata=row.metadata,
            bulk_import=row.bulk_import,
            touched=row.touched,
            episode_seq=row.episode_seq,
        )
        for row in rows
    ]


def _collisions(_: Connection, __: Scope, rows: Sequence[AnyRow]) -> list[Archived]:
    return [to_collision(row) for row in rows]


def _erased(_: Connection, __: Scope, rows: Sequence[AnyRow]) -> list[Archived]:
    return [ErasedClaim(claim_hash=row.claim_hash, erased_at=row.erased_at) for row in rows]
