"""Forgetting a user: every row, every cache, with a receipt."""

from collections.abc import Awaitable, Callable

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
        graph: Removes a user from a graph database, and from what is kept in memory of the graph.
    """

    def __init__(
        self,
        store: Store,
        index: FactIndex,
        clock: Clock,
        graph: Callable[[Scope], Awaitable[int | None]] | None = None,
    ) -> None:
        self._graph = graph
        self._store = store
        self._index = index
        self._clock = clock

    async def forget(self, scope: Scope) -> ForgetReceipt:
        """Remove everything of a user.

        Raises:
            StoreUnavailableError: A graph database that holds some of it does not answer: nothing
                was removed.
        """
        # before the rows, so that a server that is away is noticed while nothing is gone; and
        # behind them, because it may have been brought up to date meanwhile
        before = await self._forget_graph(scope)
        forgotten = await self._store.erasure.forget(scope)
        await self._index.forget(scope)
        after = await self._forget_graph(scope)
        rows = dict(forgotten.rows)
        if before is not None:
            rows["graph server"] = before + (after or 0)
        return ForgetReceipt(
            rows=rows,
            ids_hash=forgotten.ids_hash,
            forgotten_at=self._clock.now(),
        )

    async def _forget_graph(self, scope: Scope) -> int | None:
        return None if self._graph is None else await self._graph(scope)
