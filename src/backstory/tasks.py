"""The end of tasks that run beside a caller."""

import asyncio


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks and wait until they have ended.

    Not by awaiting one and suppressing CancelledError: a cancellation of the caller meanwhile would
    be taken for that of the task, and the caller would go on as if nobody had cancelled it.

    Raises:
        Exception: What the first task that failed had ended with.
    """
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()
