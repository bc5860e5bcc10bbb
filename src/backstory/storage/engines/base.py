"""What both engines do: run one function over one connection in one transaction."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")


class Units(Protocol):
    """Units of work: each runs a plain function over a connection, in one transaction."""

    @property
    def dialect(self) -> str:
        """The name of the database: "sqlite" or "postgresql"."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a function that only reads, on one consistent snapshot."""
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a function that writes; when this returns, its effect is durable.

        The function may be called again when the database asks for it (a deadlock, a lost
        connection before the commit), so it must hold no state of its own.
        """
        ...

    async def scrub(self) -> None:
        """Remove what deletions left in the database's working files, as far as it can."""
        ...

    async def close(self) -> None:
        """Give every connection back. Calling it twice is allowed."""
        ...
