"""Databases to try a memory on, and faults made in them with plain SQL."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from backstory import Memory, Message, MessageRevision
from backstory.testing import FakeClock, HashEmbedder
from tests.counts import cases

ON_ONE = pytest.mark.parametrize("place", ["sqlite", "postgres"][: cases(1, 2)], indirect=True)
"""For what is decided above the store: tried on SQLite, and by ``make soak`` on both."""


@dataclass
class Place:
    """One database: opens memories on it, and runs SQL on it behind their backs."""

    url: str
    opened: list[Memory] = field(default_factory=list)

    @property
    def is_postgres(self) -> bool:
        return self.url.startswith("postgresql")

    def open(self, **options: Any) -> Memory:
        """Open a memory; it is closed at the end of the test."""
        options.setdefault("embedder", HashEmbedder())
        options.setdefault("clock", FakeClock())
        memory = Memory(self.url, **options)
        self.opened.append(memory)
        return memory

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement on a connection of its own."""
        if self.is_postgres:
            with psycopg.connect(self.url, autocommit=True) as server:
                cursor = server.execute(statement.encode())
                return cursor.fetchall() if cursor.description else []
        connection = sqlite3.connect(self.url, isolation_level=None)
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()

    def refuse(self, table: str, operation: str, condition: str) -> Callable[[], None]:
        """Make the database refuse an operation on a table; gives what lifts it again."""
        if self.is_postgres:
            self.sql(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'refused'; END $$"
            )
            self.sql(
                f"CREATE TRIGGER refusal BEFORE {operation} ON {table} FOR EACH ROW "
                f"WHEN ({condition}) EXECUTE FUNCTION refuse()"
            )
            return lambda: self._lift(f"DROP TRIGGER refusal ON {table}", "DROP FUNCTION refuse()")
        self.sql(
            f"CREATE TRIGGER refusal BEFORE {operation} ON {table} "
            f"WHEN {condition} BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
        return lambda: self._lift("DROP TRIGGER refusal")

    def _lift(self, *statements: str) -> None:
        for statement in statements:
            self.sql(statement)

    def dump(self) -> str:
        """Everything that is stored, as one text: all rows of all tables, or the file's bytes."""
        if not self.is_postgres:
            files = [Path(self.url), *Path(self.url).parent.glob(Path(self.url).name + "-*")]
            return "".join(file.read_bytes().decode("latin-1") for file in files if file.exists())
        tables = self.sql("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return "".join(str(self.sql(f'TABLE "{name}"')) for (name,) in tables)


class Kept:
    """A memory that the tests of a file share, which only read it.

    Args:
        fill: Fills it, for the first test that asks for it.
    """

    def __init__(self, fill: Callable[[Memory], object]) -> None:
        self._fill = fill
        self._memory: Memory | None = None

    def memory(self, folders: pytest.TempPathFactory, content: bytes) -> Memory:
        """The memory, on an SQLite file with this content at first."""
        if self._memory is None:
            path = folders.mktemp("kept") / "memory.db"
            path.write_bytes(content)
            memory = Memory(path, embedder=HashEmbedder(), clock=FakeClock())
            self._fill(memory)
            self._memory = memory
        return self._memory

    def close(self) -> None:
        """Close the memory."""
        if self._memory is not None:
            self._memory.close()


def everything(memory: Memory, user_id: str, query: str) -> str:
    """What every reading surface shows to one user, as one text."""
    hits = memory.search(query, user_id=user_id, top_k=50, explain=True)
    context = memory.context(user_id, query, max_tokens=20_000)
    page = memory.get_all(user_id=user_id, limit=1000)
    parts: list[object] = [context.text, context.explain()]
    parts += [hit.to_dict() for hit in hits]
    parts += [message.to_dict() for message in page.items]
    parts += [session.to_dict() for session in memory.sessions(user_id)]
    return "\n".join(str(part) for part in parts)


def message_of(memory: Memory, record_id: str, user_id: str | None = None) -> Message:
    """The message of an id; a fact of it fails the test."""
    found = memory.get(record_id, user_id=user_id)
    assert isinstance(found, Message)
    return found


def versions_of(
    memory: Memory, record_id: str, user_id: str | None = None
) -> list[MessageRevision]:
    """The versions of a message."""
    found = memory.history(record_id, user_id=user_id)
    assert isinstance(found, list)
    return found
