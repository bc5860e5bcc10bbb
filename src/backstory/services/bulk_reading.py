"""Reading an import: calls run beside each other, and what they give is written in order.

The state of the store says what is left to read, so that it can be stopped anywhere: at most the
calls that were running or not yet written are made again.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from backstory.errors import BackstoryError, StoreError
from backstory.ports.facts import Unread
from backstory.services.batching import batches_across
from backstory.services.understanding import Understood

MOST_CALLS: Final = 8
"""Calls at once. Twice as many are twice as fast on a server that takes them, and are refused by
more of those that do not; see ADR 42."""
GROUP: Final = 8
"""Batches that are written together: one transaction, and one question to the judge."""
_AHEAD: Final = 2 * GROUP

Batch = tuple[Unread, ...]
Read = Callable[[Sequence[Unread]], Awaitable[Understood]]
Write = Callable[[Sequence[Understood]], Awaitable[None]]
Failed = Callable[[Sequence[Unread], BackstoryError], Awaitable[None]]


class BulkReading:
    """Reads the messages of one user's imported sessions.

    Args:
        read: Asks the model about a batch.
        write: Writes some batches in one transaction.
        failed: Notes that a batch could not be read.
    """

    def __init__(self, read: Read, write: Write, failed: Failed) -> None:
        self._read = read
        self._write = write
        self._failed = failed
        self._calls = MOST_CALLS

    async def run(self, batches: Sequence[Batch]) -> bool:
        """Read batches, each tried once.

        What comes after a batch that failed in one of its sessions waits, since sense depends on
        order; other sessions are read. A service that fails is asked less at once, and then no
        more.

        Returns:
            False if the service failed: it makes no sense to go on.
        """
        left = list(batches)
        while left:
            done, error = await self._run(left)
            if error is None:
                return True
            bad, rest = left[done], left[done + 1 :]
            if _may_pass(error):
                if self._calls == 1:
                    await self._failed(bad, error)
                    return False
                self._calls //= 2
                left = left[done:]
                continue
            await self._failed(bad, error)
            blocked = {unread.session_id for unread in bad}
            left = batches_across(_joined(rest, blocked))
        return True

    async def _run(self, batches: Sequence[Batch]) -> tuple[int, BackstoryError | None]:
        """Read and write until one fails: how many were written, and the error of the next one."""
        gate = asyncio.Semaphore(self._calls)
        rest = iter(batches)
        tasks: deque[asyncio.Task[Understood]] = deque()

        async def call(batch: Batch) -> Understood:
            async with gate:
                return await self._read(batch)

        def begin(most: int) -> None:
            while len(tasks) < most and (batch := next(rest, None)) is not None:
                tasks.append(asyncio.create_task(call(batch)))

        done = 0
        try:
            while True:
                begin(_AHEAD)
                if not tasks:
                    return done, None
                group, error = await _ready(tasks)
                begin(_AHEAD - len(group))
                if group:
                    await self._write(group)
                    done += len(group)
                    self._calls = min(MOST_CALLS, self._calls + 1)
                if error is not None:
                    return done, error
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _ready(
    tasks: "deque[asyncio.Task[Understood]]",
) -> tuple[list[Understood], BackstoryError | None]:
    """The results of the next group, up to one that failed."""
    group: list[Understood] = []
    while tasks and len(group) < GROUP:
        try:
            group.append(await tasks[0])
        except StoreError:
            raise
        except BackstoryError as error:
            return group, error
        tasks.popleft()
    return group, None


def _may_pass(error: BackstoryError) -> bool:
    """Whether nothing is wrong with the messages."""
    return bool(error.retryable)


def _joined(batches: Sequence[Batch], blocked: set[str]) -> list[Unread]:
    """The messages of batches as sessions again, without sessions that have to wait."""
    found: dict[tuple[str, int], Unread] = {}
    for unread in (one for batch in batches for one in batch if one.session_id not in blocked):
        key = (unread.session_id, unread.failures)
        known = found.get(key)
        more = () if known is None else known.messages
        found[key] = replace(known or unread, messages=(*more, *unread.messages))
    return list(found.values())
