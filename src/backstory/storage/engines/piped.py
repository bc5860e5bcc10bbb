"""A connection to PostgreSQL that sends several statements of a unit of work in one trip.

A unit of work sends BEGIN with its first statement, statements whose outcome nobody looks at
with the next one that is looked at, and COMMIT with the last ones.
"""

from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, AsyncPipeline

from backstory.storage.engines.base import UNHEEDED

_BEGINNINGS: Final = ("BEGIN", "INSERT", f"UPDATE {UNHEEDED}", f"DELETE {UNHEEDED}")


def is_unheeded(statement: str) -> bool:
    """Whether what a statement answers may be read later."""
    return statement.startswith(_BEGINNINGS) and " RETURNING " not in statement


class PipedConnection(AsyncConnection[Any]):
    """A connection that is in the protocol's pipeline mode for as long as a unit of work."""

    _way: AbstractAsyncContextManager[AsyncPipeline] | None = None
    _piped: AsyncPipeline | None = None

    async def enter(self) -> None:
        """Begin to send without waiting. Nothing is sent for this."""
        self._way = self.pipeline()
        self._piped = await self._way.__aenter__()

    async def settle(self) -> None:
        """Wait for the answers to all that was sent, and raise the first error among them."""
        if self._piped is not None:
            await self._piped.sync()

    async def leave(self) -> None:
        """Do the same, and wait for every answer from now on."""
        way, self._way, self._piped = self._way, None, None
        if way is not None:
            await way.__aexit__(None, None, None)

    async def close(self) -> None:
        """Close it; in the middle of a unit of work, nobody waits for its answers any more."""
        await super().close()
        with suppress(psycopg.Error):  # else psycopg would warn of it when the connection goes
            await self.leave()
