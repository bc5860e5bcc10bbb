"""The sub-service ``memory.emotions``."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import TypeAlias

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import days_of, known_at_of, limit_of
from backstory.api.inputs import instant_or_now, zone_of
from backstory.core.model.derived import EmotionalMoment
from backstory.core.model.feelings import FeelingDay
from backstory.core.model.results import Page
from backstory.core.text import clean
from backstory.core.times import check_zone

# A class with a method ``list`` cannot name the type in its annotations.
MomentList: TypeAlias = list[EmotionalMoment]
DayList: TypeAlias = list[FeelingDay]


class AsyncEmotions(_OfMemory):
    """How the user felt: moments of strong feeling, and the course of days.

    A moment is what the user said in a live conversation with a feeling that is intense; see
    ``score_emotion``. An imported history has none. From ``memory.emotions``.
    """

    async def get_recent(
        self,
        user_id: str,
        days: float = 7,
        limit: int = 10,
        now: datetime | str | None = None,
    ) -> MomentList:
        """The moments of the last days, newest first.

        Args:
            user_id: Whose.
            days: How far back, 0 or more; ``inf`` = all.
            limit: Most of them, 1 or more.
            now: From when days count; None = now. What was said later is left out.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        scope = self._memory._scope(user_id)
        moment = instant_or_now(now, self._memory._clock)
        back, most = days_of(days), limit_of(limit)
        services = await self._memory._open()
        return await services.emotions.recent(scope, moment, back, most)

    async def list(
        self,
        user_id: str,
        *,
        tag: str | None = None,
        known_at: datetime | str | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[EmotionalMoment]:
        """All moments, oldest first, a page at a time.

        Args:
            user_id: Whose.
            tag: Only those with this feeling, such as "grief".
            known_at: As they were known then; None = now.
            limit: Most of a page, 1 or more.
            cursor: ``next_cursor`` of the page before; None = the first page.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        scope = self._memory._scope(user_id)
        wanted = None if tag is None else clean(tag, "tag")
        known, most = known_at_of(known_at), limit_of(limit)
        services = await self._memory._open()
        return await services.emotions.page(
            scope, tag=wanted, known_at=known, limit=most, cursor=cursor
        )

    async def get_course(
        self,
        user_id: str,
        days: float = 30,
        *,
        now: datetime | str | None = None,
        timezone: str | tzinfo = "UTC",
    ) -> DayList:
        """The mean valence of what the user said on each of the last days, in order.

        Args:
            user_id: Whose.
            days: How far back, 0 or more; ``inf`` = all.
            now: From when days count; None = now.
            timezone: In which days begin: an IANA name or a tzinfo.

        Returns:
            The days on which something was said whose feeling was read.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        scope = self._memory._scope(user_id)
        moment, back = instant_or_now(now, self._memory._clock), days_of(days)
        zone = check_zone(await zone_of(timezone), moment)
        services = await self._memory._open()
        return await services.emotions.course(scope, moment, back, zone)
