"""Fills a store faster than the library does: one transaction for all, copies by statement.

A million messages through the library would take most of an hour. The rows are those that it
writes for the same turns; only the waiting for the disk and the checks of references are left out.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Insert, Table, create_engine, insert, literal, select, update

from backstory import Memory
from backstory.core.model.message import MessageDraft, Role
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.language.terms import TERMS_VERSION, message_terms
from backstory.models.system import TimeOrderedIds
from backstory.ports.store import NewMessage, SessionRequest
from backstory.storage.building import USER_KEY
from backstory.storage.recording import Recorder
from backstory.storage.rows import key
from backstory.storage.statements import BulkInsert
from backstory.storage.tables import Tables, build_tables
from bench.filled import TURNS_PER_SESSION, RandomVectors

_TENANT = "default"
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_ROWS = 5000
_COPIES = 100
_ON_POSTGRES = ("SET session_replication_role = replica", "SET synchronous_commit = off")
_ON_SQLITE = (
    # no second copy of each page; the library finds the file in its own mode again
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA cache_size = -400000",
    "PRAGMA foreign_keys = OFF",
)
_ids = TimeOrderedIds()


@contextmanager
def connected(database: str, url: str) -> Iterator[tuple[Connection, Tables]]:
    """A connection that does not wait for the disk, and the tables.

    Args:
        database: "sqlite" or "postgresql".
        url: A store that was opened before.
    """
    server = database == "postgresql"
    place = url.replace("postgresql", "postgresql+psycopg", 1) if server else f"sqlite:///{url}"
    engine = create_engine(place)
    try:
        with engine.connect() as connection:
            for statement in _ON_POSTGRES if server else _ON_SQLITE:
                connection.exec_driver_sql(statement)
            connection.commit()
            yield connection, build_tables("", None, (database,))
            if not server:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    finally:
        engine.dispose()


def prepare(url: str) -> None:
    """Make the tables, and the generation of the local model's vectors."""
    with Memory(url, embedder=RandomVectors()) as memory:
        memory.add("The tables are there now.", user_id="first")


def store(
    database: str,
    url: str,
    user: str,
    turns: Sequence[dict[str, Any]],
    vectors: NDArray[np.float32],
) -> None:
    """Give a new user messages with vectors, in sessions of twenty.

    Args:
        database: "sqlite" or "postgresql".
        url: A prepared store.
        user: Whom it does not know yet.
        turns: As the API takes them.
        vectors: One row for each.
    """
    scope = Scope(_TENANT, user)
    with connected(database, url) as (connection, tables):
        recorder = Recorder(tables, database)
        ids: list[str] = []
        for start in range(0, len(turns), TURNS_PER_SESSION):
            messages = [_message(turn) for turn in turns[start : start + TURNS_PER_SESSION]]
            request = _session(start // TURNS_PER_SESSION)
            recorder.run(connection, scope, request, messages, _NOW)
            ids += [message.id for message in messages]
        generation = connection.scalar(select(tables.embedding_generations.c.id))
        writer = BulkInsert(tables.message_vectors, database)
        common = {**key(scope), "generation_id": generation}
        rows = [
            {**common, "message_id": i, "vector": row.astype("<f4").tobytes()}
            for i, row in zip(ids, vectors, strict=True)
        ]
        for start in range(0, len(rows), _ROWS):
            writer.run(connection, rows[start : start + _ROWS])
        # nothing is left to do for whoever opens the store
        read = update(tables.messages).values(needs_vector=False, needs_reading=False)
        connection.execute(_of(read, tables.messages, scope))
        digested = update(tables.sessions).values(episode_seq=tables.sessions.c.touched)
        connection.execute(_of(digested, tables.sessions, scope))
        connection.commit()


def _of(statement: Any, table: Table, scope: Scope) -> Any:
    """Restrict a statement to the rows of one user."""
    return statement.where(*(table.c[name] == value for name, value in key(scope).items()))


def _message(turn: dict[str, Any]) -> NewMessage:
    draft = MessageDraft(
        role=Role(turn["role"]),
        text=turn["content"],
        speaker=turn["speaker"],
        message_id=turn["message_id"],
        timestamp=turn["timestamp"],
    )
    terms = message_terms(draft.text, speaker=draft.speaker, timestamp=turn["timestamp"])
    return NewMessage(
        id=_ids.new(),
        draft=draft,
        terms=terms.astype("<u4").tobytes(),
        terms_version=TERMS_VERSION,
        needs_reading=False,
    )


def _session(number: int) -> SessionRequest:
    return SessionRequest(
        name=f"s{number}",
        new_id=_ids.new(),
        label=SessionLabel(bulk=True),
        timeout=timedelta(days=1),
    )


def copy_users(database: str, url: str, templates: Sequence[str], count: int) -> None:
    """Give further users the messages of the templates, by statements inside the database.

    Args:
        database: "sqlite" or "postgresql".
        url: The store.
        templates: Users who have messages.
        count: How many more users; they are called "other0" and so on.
    """
    with connected(database, url) as (connection, tables):
        for number in range(count):
            for table in (tables.users, tables.sessions, tables.messages, tables.message_vectors):
                source = templates[number % len(templates)]
                connection.execute(_copying(table, source, f"other{number}"))
            if number % _COPIES == _COPIES - 1:
                connection.commit()
        connection.commit()


def _copying(table: Table, source: str, target: str) -> Insert:
    owner = USER_KEY[1]
    columns = [
        literal(target).label(owner) if column.name == owner else column for column in table.c
    ]
    # with the tenant the primary key finds them; without, each copy would read the whole table
    rows = _of(select(*columns), table, Scope(_TENANT, source))
    return insert(table).from_select([column.name for column in table.c], rows)
