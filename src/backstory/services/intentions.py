"""Intentions: saved, brought up once a day, resolved."""

from collections.abc import Collection
from datetime import datetime, tzinfo
from functools import partial
from typing import Final

from backstory.core.derived.book import DerivedPlan
from backstory.core.derived.paging import page_of
from backstory.core.intentions import (
    SHOWN,
    bring_up,
    confirm,
    erase,
    listed,
    preview,
    prompt_of,
    resolve,
    save,
    take_back,
)
from backstory.core.model.derived import Intention, IntentionStatus
from backstory.core.model.derived.intention import IntentionPrompt
from backstory.core.model.results import Page
from backstory.core.model.scope import Scope
from backstory.core.secrets import redact
from backstory.errors import InvalidInputError, NotFoundError
from backstory.language.words import has_content
from backstory.ports.clock import Clock
from backstory.ports.derived import DerivedPlanner
from backstory.ports.ids import Ids
from backstory.ports.store import Store

MAX_CHARS: Final = 2_000


class Intentions:
    """Works on intentions. Every change is decided by its transaction.

    Args:
        store: Where they are.
        clock: The time.
        ids: New record ids.
        tenant_id: Whose data it works on.
        redaction: Whether secrets are masked.
    """

    def __init__(
        self, store: Store, clock: Clock, ids: Ids, tenant_id: str, *, redaction: bool = True
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._tenant_id = tenant_id
        self._redaction = redaction

    async def save(self, scope: Scope, what: str, when_hint: str | None) -> Intention:
        """Save one, or give the open one that says the same.

        Raises:
            InvalidInputError: It is blank, or longer than 2,000 characters.
        """
        if not has_content(what):
            raise InvalidInputError("an intention needs words: what is meant to be done")
        for name, text in (("what", what), ("when_hint", when_hint or "")):
            if len(text) > MAX_CHARS:
                raise InvalidInputError(
                    f"{name} has {len(text)} characters; an intention has at most {MAX_CHARS}"
                )
        plan = partial(
            save,
            user_id=scope.user_id,
            what=self._masked(what),
            when_hint=self._masked(when_hint.strip()) if when_hint and when_hint.strip() else None,
            new_id=self._ids.new(),
            now=self._clock.now(),
        )
        return await self._changed(scope, plan)

    async def prompt(
        self, scope: Scope, now: datetime | None, zone: tzinfo
    ) -> IntentionPrompt | None:
        """Bring up the oldest open one, unless the day has had one; None = nothing is brought up.

        Args:
            scope: Whose.
            now: The time of asking; None = now.
            zone: Days are those of its calendar.
        """
        commit = self._clock.now()
        asked = commit if now is None else now
        # most calls find nothing: then nothing is locked
        book = await self._store.derived.book(scope)
        if not bring_up(book, now=asked, zone=zone, recorded_at=commit):
            return None
        plan = partial(bring_up, now=asked, zone=zone, recorded_at=commit)
        written = await self._store.derived.change(scope, plan, commit)
        surfaced = next((one for one in written.put if isinstance(one, Intention)), None)
        return None if surfaced is None else prompt_of(surfaced, zone)

    async def past_prompt(
        self, scope: Scope, now: datetime, zone: tzinfo, known_at: datetime
    ) -> IntentionPrompt | None:
        """What had been brought up on that day, or would have been; nothing is counted."""
        book = await self._store.derived.book(scope)
        found = preview(book, now=now, zone=zone, known_at=known_at)
        return None if found is None else prompt_of(found, zone)

    async def take_back(self, scope: Scope, prompt: IntentionPrompt) -> None:
        """Undo a prompt that nobody saw."""
        now = self._clock.now()
        plan = partial(take_back, surfaced=prompt.intention, recorded_at=now)
        await self._store.derived.change(scope, plan, now)

    async def listed(
        self, scope: Scope, statuses: Collection[IntentionStatus], limit: int
    ) -> list[Intention]:
        """Intentions of some statuses, the oldest first."""
        return listed(await self._store.derived.book(scope), statuses)[:limit]

    async def page(
        self,
        scope: Scope,
        statuses: Collection[IntentionStatus],
        *,
        limit: int,
        cursor: str | None,
    ) -> Page[Intention]:
        """Intentions of some statuses, the oldest first, a page at a time."""
        book = await self._store.derived.book(scope)
        return page_of(listed(book, statuses), limit, cursor)

    async def resolve(
        self, scope: Scope, outcome: IntentionStatus, intention_id: str | None
    ) -> Intention:
        """Say that one was done or let go; None = the open one that was brought up last."""
        now = self._clock.now()
        return await self._changed(
            scope, partial(resolve, outcome=outcome, intention_id=intention_id, now=now)
        )

    async def confirm(self, intention_id: str, user_id: str | None) -> Intention:
        """Open one that a reader proposed."""
        scope = await self._scope_of(intention_id, user_id)
        now = self._clock.now()
        return await self._changed(scope, partial(confirm, intention_id=intention_id, now=now))

    async def delete(self, intention_id: str, user_id: str | None) -> None:
        """Erase one with all its versions."""
        scope = await self._scope_of(intention_id, user_id)
        now, left = self._clock.now(), self._ids.new()
        plan = partial(erase, intention_id=intention_id, new_id=left, now=now)
        await self._store.derived.change(scope, plan, now)

    async def _changed(self, scope: Scope, plan: DerivedPlanner) -> Intention:
        written: DerivedPlan = await self._store.derived.change(scope, plan, self._clock.now())
        return next(one for one in written.put if isinstance(one, Intention))

    async def _scope_of(self, intention_id: str, user_id: str | None) -> Scope:
        found = await self._store.derived.find(self._tenant_id, intention_id, user_id)
        if not isinstance(found, Intention) or found.status not in SHOWN:
            whose = f" of user {user_id!r}" if user_id else ""
            raise NotFoundError(f"there is no intention {intention_id!r}{whose}")
        return Scope(self._tenant_id, found.user_id)

    def _masked(self, text: str) -> str:
        return redact(text).text if self._redaction else text
