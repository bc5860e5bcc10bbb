"""The sub-service ``memory.intentions``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import limit_of, optional_instant
from backstory.api.inputs import zone_of
from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.derived import Intention, IntentionStatus
from backstory.core.model.derived.intention import IntentionPrompt
from backstory.core.model.results import Page
from backstory.core.text import clean
from backstory.core.times import check_zone
from backstory.errors import InvalidInputError

_OUTCOMES = (IntentionStatus.DONE, IntentionStatus.LET_GO)
_SHOWN = (IntentionStatus.PROPOSED, IntentionStatus.OPEN, *_OUTCOMES)


class AsyncIntentions(_OfMemory):
    """What a user means to do, and when it is brought up. From ``memory.intentions``.

    An intention is saved deliberately. What a reader finds is only proposed, and is not brought up
    before it is confirmed.
    """

    async def save(self, user_id: str, what: str, when_hint: str | None = None) -> Intention:
        """Save an intention. The same one twice is one.

        Case, accents, spacing and punctuation around it make no other intention. One that is done
        or let go begins anew; one that was proposed is confirmed by saving it.

        Args:
            user_id: Whose.
            what: What is meant to be done, at most 2,000 characters.
            when_hint: When, in the words of the user, such as "next week"; it is shown, not
                calculated with. Another one replaces that of an open intention.

        Raises:
            InvalidInputError: It is blank or too long.
        """
        scope = self._memory._scope(user_id)
        said = clean(what, "what")
        hint = None if when_hint is None else clean(when_hint, "when_hint")
        services = await self._memory._open()
        return await services.intentions.save(scope, said, hint)

    async def get_prompt(
        self, user_id: str, timezone: str | tzinfo = "UTC", now: datetime | str | None = None
    ) -> IntentionPrompt | None:
        """Bring up the oldest open intention, at most one on a local day of the user.

        A side effect: it is counted as put off until it is resolved. From the fourth time on the
        prompt asks to do it or to let it go; it goes on doing so, once a day, and drops none. Two
        calls at once, also from two processes, give one prompt.

        Args:
            user_id: Whose.
            timezone: Where the user is: an IANA name or a tzinfo. A day is one of its calendar;
                who travels gets none twice on one date.
            now: The time of asking; None = now.

        Returns:
            None if nothing is open, or today has had one.
        """
        scope = self._memory._scope(user_id)
        moment = optional_instant(now, "now")
        zone = check_zone(await zone_of(timezone), moment or self._memory._clock.now())
        services = await self._memory._open()
        return await services.intentions.prompt(scope, moment, zone)

    async def resolve(
        self, user_id: str, outcome: IntentionStatus | str, id: str | None = None
    ) -> Intention:
        """Say what became of an intention. Saying the same again changes nothing.

        Args:
            user_id: Whose.
            outcome: "done" or "let_go".
            id: Which; None = the open one that was brought up last.

        Raises:
            NotFoundError: There is no such intention, or none that was brought up is open.
            InvalidInputError: It was resolved otherwise, or the outcome is neither.
        """
        scope = self._memory._scope(user_id)
        chosen = _one_of(_OUTCOMES, outcome, "outcome")
        name = check_optional_id(id, "id")
        services = await self._memory._open()
        return await services.intentions.resolve(scope, chosen, name)

    async def confirm(self, id: str, *, user_id: str | None = None) -> Intention:
        """Open an intention that a reader proposed; if one that says the same is open, give that.

        Raises:
            NotFoundError: There is no such intention in this scope.
            InvalidInputError: It was done or let go.
        """
        services = await self._memory._open()
        return await services.intentions.confirm(
            check_id(id, "id"), self._memory._optional_user(user_id)
        )

    async def delete(self, id: str, *, user_id: str | None = None) -> None:
        """Erase an intention with its past. The day on which it was brought up stays used.

        Raises:
            NotFoundError: There is no such intention in this scope.
        """
        services = await self._memory._open()
        await services.intentions.delete(check_id(id, "id"), self._memory._optional_user(user_id))

    async def list_open(self, user_id: str, *, limit: int = 100) -> list[Intention]:
        """The open intentions, the oldest first; listing them is no side effect.

        Args:
            user_id: Whose.
            limit: Most of them, 1 or more.
        """
        scope = self._memory._scope(user_id)
        most = limit_of(limit)
        services = await self._memory._open()
        return await services.intentions.listed(scope, {IntentionStatus.OPEN}, most)

    async def list_all(
        self,
        user_id: str,
        status: IntentionStatus | str | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Intention]:
        """Intentions of any status, the oldest first, a page at a time.

        Args:
            user_id: Whose.
            status: Only "proposed", "open", "done" or "let_go".
            limit: Most of a page, 1 or more.
            cursor: ``next_cursor`` of the page before.
        """
        scope = self._memory._scope(user_id)
        statuses = _SHOWN if status is None else {_one_of(_SHOWN, status, "status")}
        most = limit_of(limit)
        services = await self._memory._open()
        return await services.intentions.page(scope, statuses, limit=most, cursor=cursor)


def _one_of(
    statuses: Sequence[IntentionStatus], value: IntentionStatus | str, what: str
) -> IntentionStatus:
    found = next((status for status in statuses if status == value), None)
    if found is None:
        known = ", ".join(repr(str(status)) for status in statuses)
        raise InvalidInputError(f"{what} must be one of {known}, not {value!r}")
    return found
