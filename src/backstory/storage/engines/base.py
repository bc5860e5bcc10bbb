"""What both engines do: run one function over one connection in one transaction."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, Delete, Table, Update

T = TypeVar("T")
C = TypeVar("C", Update, Delete)
UNHEEDED: Final = "/* unheeded */"
"""What a change begins with that PostgreSQL may be sent together with the next statement."""


def unheeded(change: C) -> C:
    """Mark a change of which nobody asks how many rows it found: no trip is made for its answer.

    What goes wrong in it is raised by the next statement that reads, or by the commit. A plain
    INSERT needs no mark.
    """
    return change.prefix_with(UNHEEDED, dialect="postgresql")


def read_json(text: str) -> Any:
    """Read a JSON column. Most hold nothing, and parsing that is a tenth of a search."""
    if text == "{}":
        return {}
    return [] if text == "[]" else json.loads(text)


class Binary(bytes):
    """A value in the database's own binary form. Only PostgreSQL takes it."""


class Units(Protocol):
    """Units of work: each runs a plain function over a connection, in one transaction."""

    @property
    def dialect(self) -> str:
        """The name of the database: "sqlite" or "postgresql"."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a function that only reads, on one consistent snapshot."""
        ...

    async def peek(self, work: Callable[[Connection], T]) -> T:
        """Run a function that reads with one statement: it needs no transaction."""
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a function that writes; when this returns, its effect is durable.

        The function may be called again (after a deadlock, or when the connection was lost before
        the commit), so it must hold no state of its own.
        """
        ...

    def compute(self, work: Callable[[], T]) -> T:
        """Within a unit of work: run what only computes, and takes long.

        An engine whose units run on the event loop does it in a thread.
        """
        ...

    async def migrate(self, work: Callable[[Connection], None]) -> None:
        """Run a function that writes and may block: in a thread, however the engine works."""
        ...

    async def note_growth(self, rows: int, tables: Sequence[Table]) -> None:
        """Hear that tables grew, for an engine whose plans depend on how large they are."""
        ...

    async def scrub(self) -> None:
        """Remove what deletions left in the database's working files.

        Where a reader still needs them, it is tried again later: by ``tend``, by the next write,
        and at ``close``.
        """
        ...

    async def tend(self) -> None:
        """Do what an earlier call had to put off. It costs nothing if there is no such thing."""
        ...

    async def close(self) -> None:
        """Give every connection back. Calling it twice is allowed."""
        ...
