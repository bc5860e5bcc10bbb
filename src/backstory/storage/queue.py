"""The queue of wake-up calls on PostgreSQL: procrastinate's tables, in a schema of their own.

A call for a run is put into the queue in the transaction that makes the run due, by the function
that procrastinate's schema has for it; the library need not be installed here. Without its schema
there is no queue, and nothing is called: a process that is up finds by itself what is due.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, text

from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.storage.engines.base import Units

QUEUE: Final = "backstory"
TASK: Final = "backstory.run"
Call = tuple[Scope, RunKind, str]
"""Whose run, of which kind and period."""

_LONGEST: Final = 63
_STALE_S: Final = 30
_LOOK: Final = text(
    "SELECT to_regclass(:jobs) IS NOT NULL AS there, current_setting('search_path') AS path"
)
_SET_PATH: Final = text("SELECT set_config('search_path', :path, true)")
_DEFER: Final = text(
    "SELECT procrastinate_defer_jobs_v1(ARRAY(SELECT "
    "ROW(CAST(:queue AS varchar), CAST(:task AS varchar), 0, given.lock, NULL, "
    "given.args::jsonb, NULL)::procrastinate_job_to_defer_v1 "
    "FROM unnest(CAST(:locks AS text[]), CAST(:args AS text[])) AS given(lock, args)))"
)
_FORGET: Final = text("DELETE FROM procrastinate_jobs WHERE lock = :lock")


def queue_schema(prefix: str, schema: str | None) -> str:
    """The name of the PostgreSQL schema that holds the queue of a store."""
    return f"{schema or 'backstory'}_{prefix}jobs"[:_LONGEST]


def lock_of(scope: Scope) -> str:
    """What the jobs of a user share, so that one at a time runs; it does not tell who it is."""
    name = f"{scope.tenant_id}\0{scope.user_id}".encode(errors="surrogatepass")
    return f"backstory:{hashlib.sha256(name).hexdigest()}"


class SqlQueue:
    """Puts calls into the queue of a store, if it has one.

    Args:
        units: The engine of PostgreSQL.
        schema: The schema of the queue.
    """

    def __init__(self, units: Units, schema: str) -> None:
        self._units = units
        self._path = f'"{schema}"'
        self._jobs = f'"{schema}".procrastinate_jobs'
        self._alive = text(
            # the name was made of a prefix and a schema, which are letters, digits and underscores
            f"SELECT 1 FROM {self._path}.procrastinate_workers "  # noqa: S608
            "WHERE last_heartbeat > now() - make_interval(secs => :secs) LIMIT 1"
        )

    def put(self, connection: Connection, calls: Sequence[Call]) -> None:
        """Call for runs, in the transaction of the connection."""
        if not calls:
            return
        with self._within(connection) as there:
            if there:
                given = {
                    "queue": QUEUE,
                    "task": TASK,
                    "locks": [lock_of(scope) for scope, _, _ in calls],
                    "args": [_args(call) for call in calls],
                }
                connection.execute(_DEFER, given)

    def forget(self, connection: Connection, scope: Scope) -> int:
        """Drop all calls for a user. Gives how many there were."""
        with self._within(connection) as there:
            if not there:
                return 0
            return connection.execute(_FORGET, {"lock": lock_of(scope)}).rowcount

    async def has_worker(self) -> bool:
        """Whether a worker of the queue gave a sign of life within the last 30 seconds."""

        def read(connection: Connection) -> bool:
            there = connection.execute(_LOOK, {"jobs": self._jobs}).one().there
            found = there and connection.execute(self._alive, {"secs": _STALE_S}).first()
            return bool(found)

        return await self._units.read(read)

    @contextmanager
    def _within(self, connection: Connection) -> Iterator[bool]:
        """Let the names of the queue be found for a while; gives whether there is one."""
        found = connection.execute(_LOOK, {"jobs": self._jobs}).one()
        if not found.there:
            yield False
            return
        connection.execute(_SET_PATH, {"path": self._path})
        yield True
        connection.execute(_SET_PATH, {"path": found.path})


def _args(call: Call) -> str:
    scope, kind, period = call
    return json.dumps(
        {
            "tenant_id": scope.tenant_id,
            "user_id": scope.user_id,
            "kind": str(kind),
            "period": period,
        }
    )
