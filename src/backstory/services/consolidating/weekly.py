"""The steps of a weekly run that belong to no part of their own."""

from datetime import datetime, timedelta
from typing import Final

from backstory.core.model.scope import Scope
from backstory.ports.store import Store

RUNS_KEPT: Final = timedelta(days=60)
"""The rows of runs that were done longer ago are dropped; the last of each kind stays."""


class Prune:
    """Drops what nothing refers to any more. No message and no fact is among it.

    Args:
        store: Where it is.
    """

    name = "pruned"

    def __init__(self, store: Store) -> None:
        self._store = store

    async def run(self, scope: Scope, now: datetime) -> int:
        """Drop that of a user. Gives how many rows went."""
        return await self._store.runs.prune(scope, now - RUNS_KEPT)
