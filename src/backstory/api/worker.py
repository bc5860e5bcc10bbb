"""A process that does all background work of a store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from backstory.api.aio import AsyncMemory
from backstory.settings import Settings


async def run_worker(
    settings: Settings,
    stop: asyncio.Event,
    say: Callable[[str], None],
    *,
    round_s: float | None = None,
) -> None:
    """Do all background work of a store until told to stop, then finish what is going on.

    Any number of workers may do so at once, beside other processes that use the store.

    Args:
        settings: Which store, and how; ``background`` does not count.
        stop: When it is set, nothing new is begun.
        say: Is told in words what is done.
        round_s: Seconds between two looks at what is due; None = 10.

    Raises:
        StoreError: The store cannot be opened.
    """
    # what runs in rounds here runs nowhere else in this process
    async with AsyncMemory(settings=settings.with_values({"background": False})) as memory:
        services = await memory._open()
        worker = await services.worker(services.background, say, round_s=round_s)
        await worker.run(stop)
