"""Digests sessions that ended: what is unread is read, then every part makes its records.

Which sessions are due is said by the store, and the transaction that writes the records of a
session says that it is digested: a crash loses nothing and repeats nothing.
"""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol
from weakref import WeakValueDictionary

from backstory.core.derived.book import DerivedBook, DerivedPlan, joined
from backstory.core.fence import strip_memory
from backstory.core.model.message import Message
from backstory.core.model.run import ConsolidationRun
from backstory.core.model.schedule import SESSIONS_PERIOD, RunKind
from backstory.core.model.scope import Scope
from backstory.core.secrets import redact
from backstory.errors import BackstoryError
from backstory.ports.clock import Clock
from backstory.ports.derived import DerivedPlanner, DueSession
from backstory.ports.store import Store
from backstory.services.consolidating.digest import Digest, Digester
from backstory.services.consolidating.holding import Holds, said_of
from backstory.threads import run_in_thread

_OF_SESSION: Final = "session:"
# A part that takes longer is left out, and tried again later.
DIGEST_S: Final = 180.0
_PAGE: Final = 100
# Above this much text, looking for memory and secrets in it would hold up the event loop.
_INLINE_CHARS: Final = 20_000
_ALL: Final = 2**31 - 1


class SessionReader(Protocol):
    """Reads what is unread of a session."""

    @property
    def works(self) -> bool:
        """Whether there is a reader at all."""
        ...

    async def read_session(self, scope: Scope, tenant_id: str, session_id: str) -> object:
        """Read it; what cannot be read is noted, and read later."""
        ...


def _always() -> bool:
    return True


@dataclass
class Digested:
    """What digesting did for one user.

    Attributes:
        sessions: How many sessions.
        records: How many records were written.
        failed: For each part that failed: why.
        is_refused: Somebody else is at this user's sessions.
    """

    sessions: int = 0
    records: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    is_refused: bool = False


class Episodes:
    """Digests sessions.

    Args:
        store: Where messages and records are.
        reading: Gives what reads messages; asked for when there is something to digest.
        digesters: Gives what makes records, likewise.
        holds: Holds runs.
        clock: The time.
        tenant_id: Whose data it works on.
        redaction: Whether secrets are masked.
    """

    def __init__(
        self,
        store: Store,
        reading: Callable[[], SessionReader],
        digesters: Callable[[], Sequence[Digester]],
        holds: Holds,
        clock: Clock,
        tenant_id: str,
        *,
        redaction: bool = True,
    ) -> None:
        self._store = store
        self._reading = reading
        self._digesters = digesters
        self._holds = holds
        self._clock = clock
        self._tenant_id = tenant_id
        self._redaction = redaction
        # a lock goes when nobody holds it or waits for it
        self._locks = WeakValueDictionary[Scope, asyncio.Lock]()

    async def digest(
        self,
        scope: Scope | None,
        found: dict[str, Digested],
        *,
        force: bool = False,
        go_on: Callable[[], bool] = _always,
    ) -> None:
        """Digest every session that is due, of one user or of the tenant.

        Args:
            scope: Whose sessions; None = everybody's.
            found: What was done is added to it, by user, also when the call is cancelled.
            force: Whether a run that waits after a failure is begun as well.
            go_on: Asked between two users.
        """
        last: DueSession | None = None
        while some := await self._store.derived.due(scope, self._tenant_id, _PAGE, last):
            for one in dict.fromkeys(due.scope for due in some):
                if not go_on():
                    return
                done = found.setdefault(one.user_id, Digested())
                # this process waits for itself; another one's work is not waited for
                async with self._locks.setdefault(one, asyncio.Lock()):
                    try:
                        await self._of_user(one, done, force=force)
                    except BackstoryError as error:
                        done.failed["sessions"] = str(error)
            last = some[-1]

    async def retry(
        self, scope: Scope, run: ConsolidationRun, done: Digested, *, force: bool = False
    ) -> None:
        """Try the parts of a session again that failed."""
        if run.period == SESSIONS_PERIOD:
            await self._of_user(scope, done, force=force)
            return
        name = str(run.receipt.get("session", ""))
        parts = {str(part) for part in run.receipt.get("parts", ())}
        async with self._holds.hold(scope, RunKind.EPISODIC, run.period, force=force) as held:
            if held is None:
                done.is_refused = True
                return
            held.receipt = dict(run.receipt)
            due = await self._found(scope, name, bulk=bool(run.receipt.get("bulk")))
            if due is None:
                return
            some = [one for one in self._digesters() if one.name in parts]
            planners, failed = await self._planned(due, some)
            failed |= await self._written(due, planners, done, episodes={})
            done.failed |= {f"{part} of a session": reason for part, reason in failed.items()}
            if failed:
                held.problem = _problem(failed)
                held.receipt["parts"] = sorted(failed)

    async def _of_user(self, scope: Scope, done: Digested, *, force: bool) -> None:
        async with self._holds.hold(
            scope, RunKind.EPISODIC, SESSIONS_PERIOD, again=True, force=force
        ) as held:
            if held is None:
                done.is_refused = True
                return
            before = replace(done)
            last: DueSession | None = None
            # asked again under the hold: another process may have been faster
            while some := await self._store.derived.due(scope, self._tenant_id, _PAGE, last):
                for due in some:
                    if held.is_lost:
                        return
                    await self._digest(due, done)
                last = some[-1]
            held.receipt = {
                "sessions": done.sessions - before.sessions,
                "records": done.records - before.records,
            }

    async def _digest(self, due: DueSession, done: Digested) -> None:
        planners, failed = await self._planned(due, self._digesters())
        name = due.session.id
        failed |= await self._written(due, planners, done, episodes={name: due.touched})
        done.sessions += 1
        if failed:
            done.failed |= {f"{part} of a session": reason for part, reason in failed.items()}
            receipt = {"session": name, "parts": sorted(failed), "bulk": due.bulk}
            now = self._clock.now()
            problem, period = _problem(failed), _period(name)
            await self._store.runs.note_failure(due.scope, period, now, problem, receipt)

    async def _planned(
        self, due: DueSession, digesters: Sequence[Digester]
    ) -> tuple[dict[str, DerivedPlanner], dict[str, str]]:
        """What each part plans, and why parts failed. A part that fails costs no other."""
        await self._read(due)
        messages = await self._messages(due)
        planners: dict[str, DerivedPlanner] = {}
        failed: dict[str, str] = {}
        if not messages:
            return planners, failed
        digest = Digest(
            scope=due.scope,
            session=due.session,
            messages=messages,
            bulk=due.bulk,
            now=self._clock.now(),
        )

        async def made(digester: Digester) -> None:
            try:
                async with asyncio.timeout(DIGEST_S):
                    planners[digester.name] = await digester.digest(digest)
            except Exception as error:  # noqa: BLE001 - one part must not cost the others
                failed[digester.name] = said_of(error)

        await asyncio.gather(*(made(digester) for digester in digesters))
        order = [digester.name for digester in digesters]
        return {name: planners[name] for name in order if name in planners}, failed

    async def _read(self, due: DueSession) -> None:
        """Read what is left of the session; what fails is noted there, and read later."""
        reading = self._reading()
        if reading.works:
            await reading.read_session(due.scope, self._tenant_id, due.session.id)

    async def _messages(self, due: DueSession) -> tuple[Message, ...]:
        found = await self._store.sessions.tail(due.scope, due.session.id, _ALL)
        if sum(len(message.text) for message in found) < _INLINE_CHARS:
            return self._cleaned(found)
        return await run_in_thread(self._cleaned, found)

    def _cleaned(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        return tuple(self._clean(message) for message in messages)

    def _clean(self, message: Message) -> Message:
        text = strip_memory(message.text)
        if self._redaction:
            text = redact(text).text
        return message if text == message.text else replace(message, text=text)

    async def _written(
        self,
        due: DueSession,
        planners: dict[str, DerivedPlanner],
        done: Digested,
        *,
        episodes: dict[str, int],
    ) -> dict[str, str]:
        """Write the plans of all parts in one transaction; gives which could not be planned."""
        failed: dict[str, str] = {}

        def plan(book: DerivedBook) -> DerivedPlan:
            failed.clear()  # it may be called more than once
            plans = []
            for name, planner in planners.items():
                try:
                    plans.append(planner(book))
                except Exception as error:  # noqa: BLE001 - one part must not cost the others
                    failed[name] = said_of(error)
            return replace(joined(plans), episodes=episodes)

        if planners or episodes:
            written = await self._store.derived.change(due.scope, plan, self._clock.now())
            done.records += len(written.put) + len(written.withdraw)
        return failed

    async def _found(self, scope: Scope, name: str, *, bulk: bool) -> DueSession | None:
        session = await self._store.sessions.find(scope, name) if name else None
        if session is None:
            return None
        return DueSession(scope=scope, session=session, touched=0, bulk=bulk)


def _period(session_id: str) -> str:
    """Names a session in few characters, whatever its length."""
    digest = hashlib.sha256(session_id.encode(errors="surrogatepass")).hexdigest()
    return f"{_OF_SESSION}{digest[:40]}"


def _problem(failed: dict[str, str]) -> str:
    return "; ".join(f"{part}: {reason}" for part, reason in sorted(failed.items()))
