"""From messages to facts and the rest: what no reader has read is read, guarded, and written once.

What is left to do is derived from the store (messages that are unread), so a crash loses
nothing and repeats nothing: the transaction that writes what was found marks its messages as read.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from backstory.core.model.message import Role
from backstory.core.model.scope import Scope
from backstory.errors import BackstoryError, StoreError
from backstory.ports.at_once import AtOnce, ReadDone
from backstory.ports.clock import Clock
from backstory.ports.facts import Unread
from backstory.ports.reader import Reader
from backstory.ports.store import Store
from backstory.services.batching import (
    BATCH_MESSAGES,
    batches_across,
    due_part,
    is_going_on,
    parts_of,
    without_rest,
)
from backstory.services.bulk_reading import BulkReading
from backstory.services.facts.near import NearFacts
from backstory.services.facts.writer import FactWriter
from backstory.services.understanding import ReadResult, Understanding, Understood

if TYPE_CHECKING:
    from backstory.services.facts.index import WordTable

# Whole batches, so that no call is made for the rest of a page.
_AT_ONCE: Final = 40 * BATCH_MESSAGES
# Characters that are read while a transaction is open: some tenths of a second.
_MOST_WITHIN: Final = 64_000
Told = Callable[[int], None]
"""Called with how many messages were read since the last call."""


class ReadingService:
    """Reads messages.

    Args:
        store: Where messages and facts are.
        reader: Understands them; None = nothing is read.
        writer: Writes what was understood.
        near: Finds the facts that are near to a text.
        clock: The time.
        redaction: Whether readers see secrets masked.
        inline: Whether each message is compared with the facts that it may contradict.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader | None,
        writer: FactWriter,
        near: NearFacts,
        clock: Clock,
        *,
        redaction: bool = True,
        inline: bool = False,
    ) -> None:
        self._store = store
        self._understanding: Understanding | None = None
        if reader is not None:
            self._understanding = Understanding(
                store, reader, writer, near, clock, redaction=redaction, inline=inline
            )
        self._one_run = asyncio.Lock()
        # a lock goes when nobody holds it or waits for it
        self._locks = WeakValueDictionary[Scope, asyncio.Lock]()
        self._told: list[Told] = []

    @property
    def works(self) -> bool:
        """Whether there is a reader at all."""
        return self._understanding is not None

    @property
    def reads_at_once(self) -> bool:
        """Whether messages are read in the call that adds them."""
        return self._understanding is not None and self._understanding.reader.reads_at_once

    def wants(self, role: Role, text: str) -> bool:
        """Whether a message of this kind can hold anything for the reader."""
        return self._understanding is not None and self._understanding.reader.wants(role, text)

    async def at_once(self, scope: Scope, chars: int) -> "Stored | None":
        """What reads messages while they are stored; None if they are to be read afterwards.

        Args:
            scope: The user.
            chars: How much text there is. Reading very much would keep other writers waiting.
        """
        if self._understanding is None or chars > _MOST_WITHIN:
            return None
        found = await self._understanding.at_once(scope)
        return None if found is None else Stored(self._understanding, *found, self._told)

    async def read_session(self, scope: Scope, tenant_id: str, session_id: str) -> ReadResult:
        """Read what is unread of one session.

        Not what was imported, where reading costs calls: that waits for ``read_due`` or
        ``read_all``, which read across the borders of sessions.
        """
        result = ReadResult()
        await self._drain(scope, tenant_id, result, session_id=session_id)
        return result

    async def read_all(self, scope: Scope | None, tenant_id: str, result: ReadResult) -> None:
        """Read everything that is unread, of one user or of the tenant; each batch tried once.

        Args:
            scope: Whose messages; None = everybody's.
            tenant_id: Of this tenant.
            result: What was done is added to it, also when the call is cancelled.
        """
        await self._drain(scope, tenant_id, result, session_id=None)

    async def read_due(self, tenant_id: str, idle_before: datetime) -> ReadResult:
        """Read the sessions that are due: a full batch, ended, or idle since ``idle_before``.

        Of an import only full batches, which cross the borders of its sessions, until nothing was
        added to it since ``idle_before``.
        """
        result = ReadResult()
        if self._understanding is None:
            return result
        last: Unread | None = None
        async with self._one_run:
            while some := await self._store.facts.unread(None, tenant_id, _AT_ONCE, None, last):
                page = _Page(some)
                for run in page.runs:
                    due = [one for one in run if not one.is_given_up]
                    if due and self._is_import(run):
                        going_on = page.cuts(run) or is_going_on(due, idle_before)
                        before = result.read
                        if not await self._read_bulk(due, result, whole=going_on):
                            return result
                        if page.cuts(run) and result.read > before:
                            break  # the rest comes first on the next page
                    else:
                        await self._read_parts(due, idle_before, result)
                    last = run[-1]
        return result

    @contextlib.contextmanager
    def telling(self, told: Told) -> Iterator[None]:
        """Hear of messages that are read while the block runs, by whomever."""
        self._told.append(told)
        try:
            yield
        finally:
            self._told.remove(told)

    async def _drain(
        self, scope: Scope | None, tenant_id: str, result: ReadResult, session_id: str | None
    ) -> None:
        if self._understanding is None:
            return
        # a reader that costs calls reads nothing twice
        async with contextlib.nullcontext() if self.reads_at_once else self._one_run:
            await self._drained(scope, tenant_id, result, session_id)

    async def _drained(
        self, scope: Scope | None, tenant_id: str, result: ReadResult, session_id: str | None
    ) -> None:
        failed: Unread | None = None
        while True:
            some = await self._store.facts.unread(scope, tenant_id, _AT_ONCE, session_id, failed)
            if not some:
                return
            page = _Page(some)
            for run in page.runs:
                before = result.failed
                tried = run[-1]
                if self._is_import(run):
                    if session_id is not None:
                        return
                    if not await self._read_bulk(run, result, whole=page.cuts(run)):
                        return
                else:
                    tried = await self._read_until_failure(run, result)
                if result.failed > before:
                    failed = tried  # what follows in order; this one is tried once
                    break
            else:
                if not page.is_full and self.reads_at_once:
                    return  # what came meanwhile is read by the call that brought it

    def _is_import(self, run: Sequence[Unread]) -> bool:
        """Whether it is read in batches across sessions: where that saves calls."""
        return run[0].bulk and not self.reads_at_once

    async def _read_until_failure(self, run: Sequence[Unread], result: ReadResult) -> Unread:
        """Read sessions until one fails; gives the last one that was tried."""
        before = result.failed
        for unread in run:
            await self._read(unread, result)
            if result.failed > before:
                return unread
        return run[-1]

    async def _read_parts(
        self, run: Sequence[Unread], idle_before: datetime, result: ReadResult
    ) -> None:
        """Read what is due of sessions."""
        for unread in run:
            due = due_part(unread, idle_before)
            if due is not None:
                await self._read(due, result)

    async def _read(self, unread: Unread, result: ReadResult) -> None:
        if self._understanding is None:
            return
        async with self._locks.setdefault(unread.scope, asyncio.Lock()):
            for part in parts_of(unread, at_once=self.reads_at_once):
                try:
                    understood = await self._understanding.read([part])
                    await self._write(self._understanding, [understood], result)
                except BackstoryError as error:
                    if isinstance(error, StoreError) and error.retryable:
                        raise  # nothing is wrong with the messages
                    await self._note([part], error, result)
                    break  # what follows is read in order, or not at all

    async def _read_bulk(self, run: Sequence[Unread], result: ReadResult, *, whole: bool) -> bool:
        """Read one user's import.

        Args:
            run: Sessions, in order.
            result: What was done is added to it.
            whole: Leave a last batch alone that can still be filled.

        Returns:
            False if the model's service fails: it makes no sense to go on.
        """
        understanding = self._understanding
        batches = batches_across(run)
        if whole:
            batches = without_rest(batches)
        if understanding is None or not batches:
            return True

        async def write(some: Sequence[Understood]) -> None:
            await self._write(understanding, some, result)

        async def fail(parts: Sequence[Unread], error: BackstoryError) -> None:
            await self._note(parts, error, result)

        async with self._locks.setdefault(run[0].scope, asyncio.Lock()):
            return await BulkReading(understanding.read, write, fail).run(batches)

    async def _write(
        self, understanding: Understanding, some: Sequence[Understood], result: ReadResult
    ) -> None:
        await understanding.write(some, result)
        for told in self._told:
            told(sum(one.messages for one in some))

    async def _note(
        self, parts: Sequence[Unread], error: BackstoryError, result: ReadResult
    ) -> None:
        ids = [message.id for part in parts for message, _ in part.messages]
        if not (parts[0].bulk and error.retryable):
            # of an import, what a service that is down did not read is not held against it
            await self._store.facts.note_unreadable(parts[0].scope, ids, str(error))
        result.failed += len(ids)
        result.reasons.add(str(error))


class Stored:
    """Reads the messages of one call in the transaction that stores them.

    Attributes:
        at_once: For the store.
    """

    def __init__(
        self,
        understanding: Understanding,
        at_once: AtOnce,
        known: "WordTable",
        told: Sequence[Told],
    ) -> None:
        self._understanding = understanding
        self._known = known
        self._told = told
        self.at_once = at_once

    async def follow(self, done: ReadDone) -> ReadResult:
        """Do what follows the commit, and say what was read.

        The messages and their facts are stored whatever comes of it.
        """
        result = ReadResult()
        try:
            await self._understanding.follow(done, self._known, result)
        except BackstoryError as error:
            result.reasons.add(f"the messages and their facts are stored, and no more: {error}")
        for told in self._told:
            told(result.read)
        return result


class _Page:
    """A page of unread messages, without its last session if that may go on on the next page.

    Attributes:
        is_full: Whether there may be more.
        runs: Neighbours of one user, imported or not.
    """

    def __init__(self, some: Sequence[Unread]) -> None:
        self.is_full = sum(len(unread.messages) for unread in some) >= _AT_ONCE
        whole = some[:-1] if self.is_full and len(some) > 1 else some
        runs = groupby(whole, key=lambda unread: (unread.scope, unread.bulk))
        self.runs = [list(run) for _, run in runs]

    def cuts(self, run: Sequence[Unread]) -> bool:
        """Whether a run may go on on the next page."""
        return self.is_full and run is self.runs[-1]
