"""The sub-services ``memory.summaries`` and ``memory.observations``."""

from __future__ import annotations

from datetime import datetime

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import known_at_of, limit_of
from backstory.core.identity import check_id
from backstory.core.model.derived import Observation, Summary, SummaryKind
from backstory.errors import InvalidInputError


class AsyncSummaries(_OfMemory):
    """Summaries of conversations, of days and of weeks. From ``memory.summaries``.

    A session gets its summary when it ended and was digested: in the background, by ``flush()``, or
    by ``consolidate("episodic")``. Days and weeks get theirs in the daily and the weekly run.
    """

    async def for_session(
        self, user_id: str, session_id: str, *, known_at: datetime | str | None = None
    ) -> Summary | None:
        """The summary of a session.

        Args:
            user_id: Whose.
            session_id: The session.
            known_at: As it was known then; None = now.

        Returns:
            None before the session was digested, and if it had nothing to say.
        """
        scope = self._memory._scope(user_id)
        name = check_id(session_id, "session_id")
        services = await self._memory._open()
        return await services.summaries.for_session(scope, name, known_at_of(known_at))

    async def recent(
        self,
        user_id: str,
        *,
        limit: int = 10,
        kind: SummaryKind | str = SummaryKind.SESSION,
        known_at: datetime | str | None = None,
    ) -> list[Summary]:
        """The latest summaries, the latest first.

        Args:
            user_id: Whose.
            limit: Most summaries, 1 or more.
            kind: "session", "day", "week", or "all".
            known_at: As they were known then; None = now.

        Raises:
            InvalidInputError: There is no such kind.
        """
        scope = self._memory._scope(user_id)
        most = limit_of(limit)
        if kind != "all" and kind not in tuple(SummaryKind):
            names = ", ".join((*SummaryKind, "all"))
            raise InvalidInputError(f"kind must be one of {names}, not {kind!r}")
        kinds = tuple(SummaryKind) if kind == "all" else (SummaryKind(kind),)
        services = await self._memory._open()
        return await services.summaries.recent(scope, most, kinds, known_at_of(known_at))


class AsyncObservations(_OfMemory):
    """Patterns of the user's behaviour over many conversations. From ``memory.observations``.

    The weekly run finds them: what the user comes back to, does again and again, when they talk,
    what moves them. A pattern needs three conversations in three weeks.
    """

    async def get_active(
        self, user_id: str, *, known_at: datetime | str | None = None
    ) -> list[Observation]:
        """The patterns that are still seen, the surest first, each with its evidence.

        Args:
            user_id: Whose.
            known_at: As they were known then; None = now.
        """
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.observing.get_active(scope, known_at_of(known_at))
