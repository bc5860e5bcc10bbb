"""What every cache of a user compares: the numbers of the user's row, read once for all who ask.

One call asks for them in several places at once: for the partition, the facts, the contradictions.
Whoever asks before the statement begins gets its answer, which is as fresh as one of his own.
Within one look all get the first answer: what a call is told was so at one time, after it began.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, exists, literal_column, select

from backstory.core.model.contradiction import ContradictionState
from backstory.core.model.scope import Scope
from backstory.storage.engines.base import Units
from backstory.storage.rows import newest_open
from backstory.storage.statements import owned, owner
from backstory.storage.tables import Tables

UNDECIDED = frozenset({ContradictionState.OPEN, ContradictionState.HELD})


class Numbers(NamedTuple):
    """The numbers of one user.

    Attributes:
        next_seq: Every write changes it.
        epoch: Every removal of messages changes it.
        facts_epoch: Every removal of facts changes it.
        is_undecided: Whether a contradiction is open or held.
        derived_seq: Every change of derived records changes it; 0 while there is none.
        derived_epoch: Every removal of derived records changes it.
        open_session: The key of the open session that received a message last; None if none is.
    """

    next_seq: int
    epoch: int
    facts_epoch: int
    is_undecided: bool
    derived_seq: int
    derived_epoch: int
    open_session: str | None = None


@dataclass(eq=False)
class _Reading:
    """A statement that somebody waits for; one future for each who does."""

    waiting: set[asyncio.Future[Numbers | None]] = field(default_factory=set)
    task: asyncio.Task[Numbers | None] = field(init=False)

    def tell(self, task: asyncio.Task[Numbers | None]) -> None:
        """Give the answer to all who wait. Lighter than a shield around the task for each."""
        error = None if task.cancelled() else task.exception()
        for future in self.waiting:
            if future.done():
                continue
            if task.cancelled():
                future.cancel()
            elif error is not None:
                future.set_exception(error)
            else:
                future.set_result(task.result())

    @property
    def is_lost(self) -> bool:
        """Whether it gives no answer: it failed, or was given up."""
        task = self.task
        if task.done():
            return task.cancelled() or task.exception() is not None
        return task.cancelling() > 0


@dataclass(eq=False)
class _Look:
    """What one call was told of one user. Tasks that outlive the call get nothing from it."""

    of: "UserNumbers"
    scope: Scope
    reading: _Reading | None = None
    is_over: bool = False


_LOOK: ContextVar[_Look | None] = ContextVar("backstory_look", default=None)


class UserNumbers:
    """Reads the numbers of users.

    Args:
        units: The engine.
        tables: The store's tables.
    """

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._asked: dict[Scope, _Reading] = {}
        self._query = _numbers_of(tables)

    @contextmanager
    def one_look(self, scope: Scope) -> Iterator[None]:
        """Within it, this task and those that it starts read the numbers of a user once."""
        look = _Look(self, scope)
        token = _LOOK.set(look)
        try:
            yield
        finally:
            look.is_over = True
            _LOOK.reset(token)

    async def get(self, scope: Scope) -> Numbers | None:
        """The numbers of a user with every write that was acknowledged; None if unknown.

        Within one look: that was acknowledged before the first who asked.
        """
        look = _LOOK.get()
        if look is None or look.is_over or look.of is not self or look.scope != scope:
            return await self._answer(scope, self._reading(scope))
        if look.reading is None or look.reading.is_lost:
            look.reading = self._reading(scope)
        elif look.reading.task.done():
            return look.reading.task.result()
        return await self._answer(scope, look.reading)

    def _reading(self, scope: Scope) -> _Reading:
        """The statement that begins next."""
        reading = self._asked.get(scope)
        if reading is None:
            reading = self._asked[scope] = _Reading()
            reading.task = asyncio.create_task(self._read(scope, reading))
            reading.task.add_done_callback(reading.tell)
        return reading

    async def _answer(self, scope: Scope, reading: _Reading) -> Numbers | None:
        answer: asyncio.Future[Numbers | None] = asyncio.get_running_loop().create_future()
        reading.waiting.add(answer)
        try:
            # who is cancelled at a time limit does not take the answer from the others
            return await answer
        finally:
            reading.waiting.remove(answer)
            if not reading.waiting:
                self._begun(scope, reading)
                reading.task.cancel()

    def _begun(self, scope: Scope, reading: _Reading) -> None:
        """Let nobody else wait for it: he may have written what the statement does not see."""
        if self._asked.get(scope) is reading:
            del self._asked[scope]

    async def _read(self, scope: Scope, reading: _Reading) -> Numbers | None:
        self._begun(scope, reading)

        def read(connection: Connection) -> Numbers | None:
            row = connection.execute(self._query, owner(scope)).first()
            if row is None:
                return None
            return Numbers(row[0], row[1], row[2], bool(row[3]), row[4], row[5], row[6])

        return await self._units.peek(read)


@lru_cache(maxsize=16)
def _numbers_of(tables: Tables) -> Select[Any]:
    """The statement, built once for the same tables."""
    users, table = tables.users, tables.contradictions
    # written out: a list that is a parameter is put into the text anew at each execution
    states: list[ColumnElement[str]] = [literal_column(f"'{state}'") for state in sorted(UNDECIDED)]
    undecided = exists().where(owned(table), table.c.state.in_(states))
    return select(
        users.c.next_seq,
        users.c.epoch,
        users.c.facts_epoch,
        undecided,
        users.c.derived_seq,
        users.c.derived_epoch,
        newest_open(tables).scalar_subquery(),
    ).where(owned(users))
