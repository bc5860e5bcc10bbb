"""The sub-service ``memory.quality``."""

from __future__ import annotations

from datetime import datetime

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import limit_of, optional_instant
from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.derived import Quality
from backstory.core.model.derived.quality import QualityStats, SelfCheckReport
from backstory.core.model.results import Page
from backstory.core.text import clean
from backstory.errors import InvalidInputError

_MOST_CHECKS = 50


class AsyncQualityScores(_OfMemory):
    """How good responses are: two numbers that never mix. From ``memory.quality``.

    ``output_integrity`` is what can be seen in a response itself; ``interaction_vitality`` is how
    the user took it. Where the part "quality" is on, responses are scored by themselves when their
    session ends.
    """

    async def score_response(
        self,
        user_id: str,
        message_id: str | None = None,
        *,
        response_content: str | None = None,
        session_id: str | None = None,
        mode: str | None = None,
    ) -> Quality:
        """Score a response of the assistant by rules, and store that. The same again is the same.

        Give the message, or its text. A text that is no stored message is scored as the last word
        of the session. What the user says next, if that is stored already, is scored with it.

        Args:
            user_id: Whose.
            message_id: The response, by the id of its record or the caller's own.
            response_content: Its text.
            session_id: Where it was said; None = the session of the message, else the open one.
            mode: What the number is counted under; None = the mode of the session.

        Raises:
            NotFoundError: There is no such message.
            InvalidInputError: It is not the assistant's, it is blank, or nothing was given.
        """
        scope = self._memory._scope(user_id)
        name = check_optional_id(message_id, "message_id")
        content = None if response_content is None else clean(response_content, "response_content")
        if name is None and content is None:
            raise InvalidInputError("give the message_id of a response, or its response_content")
        session = check_optional_id(session_id, "session_id")
        label = None if mode is None else clean(mode, "mode")
        services = await self._memory._open()
        return await services.quality.score(scope, name, content, session, label)

    async def resolve_followup(
        self,
        user_id: str,
        session_id: str | None,
        previous_assistant_message_id: str,
        next_user_content: str,
        next_user_created_at: datetime | str | None = None,
        *,
        previous_assistant_created_at: datetime | str | None = None,
    ) -> Quality:
        """Score how the user took a response, by the reply. Its integrity is not touched.

        A reply that is stored as the next message is found without this call: when the session
        ends, or when ``get_stats`` is asked.

        Args:
            user_id: Whose.
            session_id: Where it was said; None = wherever the message is.
            previous_assistant_message_id: The response; one that was not scored is scored first.
            next_user_content: What the user said next.
            next_user_created_at: When; None = now.
            previous_assistant_created_at: When the response was given; None = as it is stored.

        Raises:
            NotFoundError: There is no such response.
        """
        scope = self._memory._scope(user_id)
        session = check_optional_id(session_id, "session_id")
        name = check_id(previous_assistant_message_id, "previous_assistant_message_id")
        reply = clean(next_user_content, "next_user_content")
        at = optional_instant(next_user_created_at, "next_user_created_at")
        begun = optional_instant(previous_assistant_created_at, "previous_assistant_created_at")
        services = await self._memory._open()
        return await services.quality.resolve(scope, name, reply, session, at, begun)

    async def run_self_check(self, user_id: str, n: int = 8) -> SelfCheckReport:
        """Let the language model look at the latest scored responses that it has not seen.

        One call for all. What it finds is kept apart from the other numbers. An answer that cannot
        be read, or was cut off, changes nothing; ``problem`` says so, as it says that no model is
        set.

        Args:
            user_id: Whose.
            n: How many responses, 1 to 50.
        """
        scope = self._memory._scope(user_id)
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= _MOST_CHECKS:
            raise InvalidInputError(f"n must be from 1 to {_MOST_CHECKS}, not {n!r}")
        services = await self._memory._open()
        return await services.self_checks.report(scope, n)

    async def get_stats(self, user_id: str, since: datetime | str | None = None) -> QualityStats:
        """Counts, means and spread, for each mode, and the classes of replies.

        Args:
            user_id: Whose.
            since: Only responses that were given at this time or later.
        """
        scope = self._memory._scope(user_id)
        begin = optional_instant(since, "since")
        services = await self._memory._open()
        return await services.quality.stats(scope, begin)

    async def list_all(
        self, user_id: str, *, limit: int = 100, cursor: str | None = None
    ) -> Page[Quality]:
        """The scores of single responses, oldest first, a page at a time.

        Args:
            user_id: Whose.
            limit: Most of a page, 1 or more.
            cursor: ``next_cursor`` of the page before.
        """
        scope = self._memory._scope(user_id)
        most = limit_of(limit)
        services = await self._memory._open()
        return await services.quality.page(scope, limit=most, cursor=cursor)
