"""The vectors of very large users, copied into an index of PostgreSQL's extension pgvector.

Up to LARGE_FROM messages a user's vectors are searched in memory, exactly. Past it they are
copied, in half precision, to a table with one HNSW index for each such user (a *part*), and the
partition holds no vectors. One graph for many users would lose what a filter by user leaves of
it. The table is made at first need, by ``LargeBuilder``: a store without such a user, or a server
without the extension, has neither. ``message_vectors`` remains the truth: its foreign key takes
the copies along when a vector goes, and whoever writes a vector calls ``copy``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select, text

from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.core.near import Near
from backstory.storage.halves import half, halves, integers, usable
from backstory.storage.statements import owned, owner
from backstory.storage.tables import Tables

LARGE_FROM: Final = 150_000
"""Messages with a vector."""

_SEARCH: Final = {
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.ef_search": "200",
    "hnsw.max_scan_tuples": "40000",
    "jit": "off",
}


@dataclass(frozen=True)
class Part:
    """Where a user's copies are: the number of the index, and the size of the vectors."""

    number: int
    dimensions: int


class LargeVectors:
    """Reads and writes the copies, in the transaction of the given connection.

    Args:
        tables: The store's tables.
    """

    def __init__(self, tables: Tables) -> None:
        parts = tables.large_parts
        prefix = parts.name.removesuffix("large_parts")
        schema = f'"{parts.schema}".' if parts.schema else ""
        # Prefix and schema were checked by Settings: letters, digits and underscores.
        self._prefix, self._schema = prefix, schema
        self.table = f'{schema}"{prefix}large_vectors"'
        self.messages = f'{schema}"{prefix}messages"'
        self.vectors = f'{schema}"{prefix}message_vectors"'
        self._ready = select(parts.c.part).where(
            owned(parts), parts.c.generation_id == bindparam("generation"), parts.c.ready.is_(True)
        )

    def definition(self) -> tuple[str, ...]:
        """The statements that make the table of copies."""
        owned_by = "tenant_id, user_id, message_id, generation_id"
        return (
            f"CREATE TABLE {self.table} (tenant_id text NOT NULL, user_id text NOT NULL,"
            " message_id varchar(64) NOT NULL, generation_id integer NOT NULL,"
            " part integer NOT NULL, seq bigint NOT NULL, vector halfvec NOT NULL,"
            f" PRIMARY KEY ({owned_by}), FOREIGN KEY ({owned_by})"
            f" REFERENCES {self.vectors} ON DELETE CASCADE)",
            f'CREATE INDEX "{self._prefix}large_vectors_part" ON {self.table} (part, seq)',
        )

    def index(self, number: int) -> str:
        """The name of a part's index."""
        return f'{self._schema}"{self._prefix}large_{number}_hnsw"'

    def index_definition(self, number: int, dimensions: int) -> str:
        """The statement that makes a part's index while others write to the table."""
        name = self.index(number).removeprefix(self._schema)
        return (
            f"CREATE INDEX CONCURRENTLY {name} ON {self.table} USING hnsw"
            f" (CAST(vector AS halfvec({dimensions})) halfvec_cosine_ops) WHERE part = {number}"
        )

    def part(self, connection: Connection, scope: Scope, generation: Generation) -> Part | None:
        """Where the user's copies are, None if the vectors are searched in memory."""
        number = self._number(connection, scope, generation.id)
        return None if number is None else Part(number, generation.identity.dimensions or 0)

    def _number(self, connection: Connection, scope: Scope, generation_id: int) -> int | None:
        found: int | None = connection.scalar(
            self._ready, {**owner(scope), "generation": generation_id}
        )
        return found

    def copy(
        self, connection: Connection, scope: Scope, generation_id: int, made: Mapping[str, bytes]
    ) -> None:
        """Copy new vectors, by message id, if the user has an index.

        The caller holds the lock of the user's row, and their rows in ``message_vectors`` are new.
        """
        number = self._number(connection, scope, generation_id)
        if number is not None and made:
            self.insert(connection, scope, generation_id, number, made)

    def insert(
        self,
        connection: Connection,
        scope: Scope,
        generation_id: int,
        number: int,
        made: Mapping[str, bytes],
    ) -> None:
        """Copy vectors into a part; those that cannot be compared are left out."""
        good = usable(list(made.values()))
        kept = [item for item, keep in zip(made.items(), good.tolist(), strict=True) if keep]
        if not kept:
            return
        connection.execute(
            text(
                f"INSERT INTO {self.table} (tenant_id, user_id, message_id, generation_id, part,"  # noqa: S608
                " seq, vector) SELECT m.tenant_id, m.user_id, m.id, :generation, :part, m.seq,"
                " given.vector FROM unnest(CAST(:ids AS text[]), CAST(:vectors AS halfvec[]))"
                f" AS given (id, vector) JOIN {self.messages} m"
                " ON m.tenant_id = :tenant AND m.user_id = :user AND m.id = given.id"
                " ON CONFLICT DO NOTHING"
            ),
            {
                **owner(scope),
                "generation": generation_id,
                "part": number,
                "ids": [message_id for message_id, _ in kept],
                "vectors": halves([vector for _, vector in kept], _type_number(connection)),
            },
        )

    def seqs(
        self, connection: Connection, part: Part, among: NDArray[np.int64] | None
    ) -> NDArray[np.int64]:
        """The numbers of the messages that have a copy, of all or of some."""
        where, given = _among(among)
        query = text(f"SELECT seq FROM {self.table} WHERE part = {part.number}{where}")  # noqa: S608
        return np.array(connection.scalars(query, given).all(), dtype=np.int64)

    def nearest(
        self,
        connection: Connection,
        part: Part,
        vector: NDArray[np.float32],
        count: int,
        among: NDArray[np.int64] | None,
    ) -> Near:
        """The messages nearest to a vector, by the index.

        The index is read on until so many pass the filter. Where it gives up before, or the filter
        leaves too little for it, all that pass are compared.
        """
        connection.execute(_SET)
        where, given = _among(among)
        given |= {"query": half(vector), "count": count}
        found = self._run(connection, part, where, given, "")
        possible = count if among is None else min(count, len(among))
        if len(found) < possible:
            return self._run(connection, part, where, given, " + 0")
        return found

    def cosines(
        self,
        connection: Connection,
        part: Part,
        vector: NDArray[np.float32],
        among: NDArray[np.int64],
    ) -> Near:
        """The cosines of some messages."""
        where, given = _among(among)
        given |= {"query": half(vector)}
        size = part.dimensions
        query = text(
            f"SELECT seq, 1 - (vector <=> CAST(:query AS halfvec({size}))) FROM {self.table}"  # noqa: S608
            f" WHERE part = {part.number}{where}"
        )
        return _near(connection.execute(query, given).all())

    def _run(
        self, connection: Connection, part: Part, where: str, given: dict[str, Any], exact: str
    ) -> Near:
        size = part.dimensions
        distance = f"CAST(vector AS halfvec({size})) <=> CAST(:query AS halfvec({size}))"
        # An index gives the order of its own expression only: with "+ 0" all are compared.
        query = text(
            f"SELECT seq, 1 - ({distance}) FROM {self.table} WHERE part = {part.number}{where}"  # noqa: S608
            f" ORDER BY ({distance}){exact} LIMIT :count"
        )
        return _near(connection.execute(query, given).all(), exact=bool(exact))


_SETS: Final = [f"set_config('{name}', '{value}', true)" for name, value in _SEARCH.items()]
_SET: Final = text("SELECT " + ", ".join(_SETS))
_TYPE_NUMBER: Final = text("SELECT CAST('halfvec' AS regtype)::oid::bigint")


def _type_number(connection: Connection) -> int:
    return int(connection.scalar(_TYPE_NUMBER))


def _among(seqs: NDArray[np.int64] | None) -> tuple[str, dict[str, Any]]:
    if seqs is None:
        return "", {}
    return " AND seq = ANY (CAST(:among AS bigint[]))", {"among": integers(seqs)}


def _near(rows: Any, *, exact: bool = True) -> Near:
    seqs = np.array([row[0] for row in rows], dtype=np.int64)
    return Near(seqs, np.array([row[1] for row in rows], dtype=np.float32), exact=exact)
