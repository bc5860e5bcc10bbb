"""Takes calls for runs from procrastinate's queue. Imported by a worker on PostgreSQL only."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final

from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.jobs import Job

from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.tasks import end

# LISTEN wakes at once; this is for a call that was missed.
_POLL_S: Final = 2.0
_HEARTBEAT_S: Final = 5.0
_STALE_S: Final = 20.0

Do = Callable[[Scope, RunKind, str], Awaitable[datetime | None]]
"""Does a run; gives when it is to be tried again, or None."""


class _TryLaterError(Exception):
    """A run failed and is tried again."""

    def __init__(self, at: datetime) -> None:
        self.at = at
        super().__init__(f"tried again at {at.isoformat()}")


class _AsTheRunSays(BaseRetryStrategy):
    """Tries again when the row of the run says: it backs off, and gives up at last."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:  # noqa: ARG002
        """When, or None."""
        if isinstance(exception, _TryLaterError):
            return RetryDecision(retry_at=exception.at)
        return None


class QueueWorker:
    """A worker of the queue of one store.

    Args:
        conninfo: The address of the database, as libpq reads it.
        schema: The PostgreSQL schema of the queue.
        queue: The name of the queue, and of what is called for.
        task: See ``queue``.
        do: Does a run.
        concurrency: Most runs at once; those of one user come one after the other.
    """

    def __init__(
        self, conninfo: str, schema: str, queue: str, task: str, do: Do, *, concurrency: int = 4
    ) -> None:
        options = f'-c search_path="{schema}" -c timezone=UTC'
        connector = PsycopgConnector(
            conninfo=conninfo,
            kwargs={"options": options, "application_name": "backstory worker"},
            min_size=1,
            max_size=concurrency + 2,
        )
        self._app = App(connector=connector)
        self._queue = queue
        self._concurrency = concurrency

        @self._app.task(name=task, queue=queue, retry=_AsTheRunSays())
        async def run(**call: Any) -> None:
            scope = Scope(call["tenant_id"], call["user_id"])
            again = await do(scope, RunKind(call["kind"]), call["period"])
            if again is not None:
                raise _TryLaterError(again)

    async def run(self, stop: asyncio.Event, drain_s: float) -> None:
        """Work until told to stop; then finish what is going on, at most for so long."""
        async with self._app.open_async():
            worker = asyncio.create_task(
                self._app.run_worker_async(
                    queues=[self._queue],
                    name="backstory",
                    concurrency=self._concurrency,
                    fetch_job_polling_interval=_POLL_S,
                    shutdown_graceful_timeout=drain_s,
                    update_heartbeat_interval=_HEARTBEAT_S,
                    stalled_worker_timeout=_STALE_S,
                    delete_jobs="always",
                    install_signal_handlers=False,
                )
            )
            free = asyncio.create_task(self._free_left_behind())
            waiting = asyncio.create_task(stop.wait())
            try:
                await asyncio.wait({worker, waiting}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                waiting.cancel()
                await end(worker, free)

    async def _free_left_behind(self) -> None:
        """Call again for what a killed worker had begun: its lock would stop the user's jobs."""
        manager = self._app.job_manager
        while True:
            await manager.prune_stalled_workers(_STALE_S)
            for job in await manager.get_stalled_jobs(
                queue=self._queue, seconds_since_heartbeat=_STALE_S
            ):
                await manager.retry_job(job)
            await asyncio.sleep(_STALE_S / 4)
