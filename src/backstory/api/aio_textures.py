"""The sub-service ``memory.textures``."""

from __future__ import annotations

from datetime import datetime, tzinfo

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.inputs import instant_or_now, key_of, zone_of
from backstory.core.identity import check_id
from backstory.core.model.derived import Texture
from backstory.core.times import check_zone


class AsyncTextures(_OfMemory):
    """Where a conversation was left off: what it was about, and how it felt in the end.

    One for each mode, speaker and channel of sessions: the last one's. It is captured when a
    session ends, is shown in the context of the next one of the same three, and has faded out
    after 72 hours. From ``memory.textures``.
    """

    async def capture(self, user_id: str, session_id: str) -> Texture | None:
        """Capture a session now, ended or not; the end of a session does it by itself.

        Returns:
            The texture of the session's mode, speaker and channel, which is that of a later
            session if there is one. None where nothing was said.

        Raises:
            NotFoundError: There is no such session of this user.
        """
        scope = self._memory._scope(user_id)
        name = check_id(session_id, "session_id")
        services = await self._memory._open()
        return await services.textures.capture(scope, name)

    async def get_latest(
        self,
        user_id: str,
        mode: str | None = None,
        speaker: str | None = None,
        channel: str | None = None,
    ) -> Texture | None:
        """What was captured last of a mode, speaker and channel, however long ago.

        Args:
            user_id: Whose.
            mode: Of the session; None = a session without one. So for the others.
            speaker: Of the session.
            channel: Of the session.
        """
        scope, key = self._memory._scope(user_id), key_of(mode, speaker, channel)
        services = await self._memory._open()
        return await services.textures.latest(scope, key)

    async def get_for_prompt(
        self,
        user_id: str,
        mode: str | None = None,
        speaker: str | None = None,
        channel: str | None = None,
        *,
        now: datetime | str | None = None,
        timezone: str | tzinfo = "UTC",
    ) -> str:
        """The same as one line for a prompt, and less of it as hours pass; empty after 72.

        Args:
            user_id: Whose.
            mode: Of the session; None = a session without one. So for the others.
            speaker: Of the session.
            channel: Of the session.
            now: The time of asking; None = now.
            timezone: Its time is shown in it: an IANA name or a tzinfo.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        scope, key = self._memory._scope(user_id), key_of(mode, speaker, channel)
        moment = instant_or_now(now, self._memory._clock)
        zone = check_zone(await zone_of(timezone), moment)
        services = await self._memory._open()
        return await services.textures.for_prompt(scope, key, moment, zone)
