"""Forgetting a user: every row, every cache, with a receipt."""

from backstory.core.model.moving import ForgetReceipt
from backstory.core.model.scope import Scope
from backstory.ports.clock import Clock
from backstory.ports.store import Store
from backstory.services.facts.index import FactIndex


class Forgetting:
    """Forgets users.

    Args:
        store: Where they are.
        index: The cache of facts.
        clock: The time of the receipt.
    """

    def __init__(self, store: Store, index: FactIndex, clock: Clock) -> None:
        self._store = store
        self._index = index
        self._clock = clock

    async def forget(self, scope: Scope) -> ForgetReceipt:
        """Remove everything of a user."""
        forgotten = await self._store.erasure.forget(scope)
        await self._index.forget(scope)
        return ForgetReceipt(
            rows=forgotten.rows,
            ids_hash=forgotten.ids_hash,
            forgotten_at=self._clock.now(),
        )
