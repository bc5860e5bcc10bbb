"""The turns that were said last, read once for all sources of a context that ask for them."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.services.recalling.knowing import as_known

LAST_TURNS = 20


class LastTurns:
    """The last turns of the current session.

    Args:
        store: Where they are.
        scope: Whose they are.
        session_id: The current session; None = the user's open one.
        known_at: Only what was known then; None = now.
    """

    def __init__(
        self, store: Store, scope: Scope, session_id: str | None, known_at: datetime | None = None
    ) -> None:
        self._store = store
        self._scope = scope
        self._session_id = session_id
        self._known_at = known_at
        self._reading: asyncio.Task[list[Message]] | None = None

    def start(self) -> "asyncio.Task[list[Message]]":
        """Read them now, so that they are there when somebody asks."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
        return self._reading

    async def get(self) -> Sequence[Message]:
        """The turns in order; whoever asks first reads them, the others wait for the same."""
        # who is cancelled at a time limit does not take the turns from the others
        return await asyncio.shield(self.start())

    async def ids(self) -> frozenset[str]:
        """The ids of the turns."""
        return frozenset(turn.id for turn in await self.get())

    async def _read(self) -> list[Message]:
        turns = await self._store.sessions.tail(
            self._scope, self._session_id, LAST_TURNS, self._known_at
        )
        if self._known_at is None:
            return turns
        then = await as_known(
            self._store, self._scope, {turn.id: turn for turn in turns}, self._known_at
        )
        return list(then.values())

    def stop(self) -> None:
        """End a reading that nobody waits for any more."""
        if self._reading is not None:
            self._reading.cancel()
