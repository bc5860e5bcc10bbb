"""The calls that consolidate."""

from __future__ import annotations

from backstory.api.aio_opened import _Opened
from backstory.core.model.run import ConsolidationReport, ConsolidationStatus
from backstory.core.model.schedule import RunKind
from backstory.errors import InvalidInputError


class _Consolidating(_Opened):
    """What is made of sessions, days and weeks."""

    async def consolidate(self, kind: str, user_id: str | None = None) -> ConsolidationReport:
        """Do a run of consolidation now, whether it is due or not.

        Doing one again changes nothing. A step that fails costs its part: it is in the report, and
        is tried again by itself, later each time. No message is ever deleted by it.

        Args:
            kind: "episodic": digest the sessions that ended. "daily": merge facts that are held
                twice, let temporary ones expire, reopen holds that have lapsed, refresh
                collisions, summarise days. "weekly": find patterns, summarise weeks, drop what
                nothing refers to.
            user_id: Whose; None = everybody's in this tenant.

        Returns:
            What was done for each user, and what failed and why.

        Raises:
            InvalidInputError: There is no such kind.
        """
        if kind not in tuple(RunKind):
            raise InvalidInputError(f"kind must be one of {', '.join(RunKind)}, not {kind!r}")
        scope = None if user_id is None else self._scope(user_id)
        services = await self._open()
        if kind == RunKind.EPISODIC:
            await services.background.end_sessions()
        return await services.consolidation.run(RunKind(kind), scope)

    async def consolidation_status(self) -> ConsolidationStatus:
        """Say what waits to be consolidated, since when, what failed, and what comes next."""
        services = await self._open()
        return await services.consolidation.status()
