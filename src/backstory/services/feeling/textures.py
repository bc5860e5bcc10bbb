"""Where a conversation was left off: captured when it ends, shown when the next one begins."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Final

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.feelings.fading import THROUGHLINE_CHARS
from backstory.core.feelings.lines import render_texture
from backstory.core.feelings.quoting import bounded
from backstory.core.feelings.register import LAST, Felt, register_of
from backstory.core.feelings.textures import TextureKey, left_off, planned, texture_id
from backstory.core.fence import strip_memory
from backstory.core.model.derived import Texture
from backstory.core.model.fact import Evidence
from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo
from backstory.core.secrets import redact
from backstory.core.text import abridge
from backstory.errors import NotFoundError
from backstory.language.emotion import score_emotion
from backstory.language.extracts import Said, extract
from backstory.ports.clock import Clock
from backstory.ports.derived import DerivedPlanner
from backstory.ports.store import Store
from backstory.services.consolidating.digest import Digest
from backstory.threads import run_in_thread

TURNS: Final = 400
"""The last turns of a conversation that are looked at: more than a day of talk."""
_CHARS: Final = (600, 200)
"""Of each turn its beginning and its end: a pasted page is not what was said."""
_QUOTE_CHARS: Final = 240
_QUESTION: Final = re.compile(r"[^.!?\u2026\u3002\uff01\uff1f\u061f\n]*[?\uff1f\u061f]+")


class Textures:
    """Captures and shows where conversations were left off.

    Args:
        store: Where textures are.
        clock: The time of a capture.
        redaction: Whether secrets are masked before anything is kept.
    """

    name = "textures"

    def __init__(self, store: Store, clock: Clock, *, redaction: bool) -> None:
        self._store = store
        self._clock = clock
        self._redaction = redaction

    async def digest(self, digest: Digest) -> DerivedPlanner:
        """Capture a session that ended. One that was imported leaves nothing behind."""
        session_id = digest.session.id
        texture = None
        if not digest.bulk:
            texture = await run_in_thread(
                texture_of, digest.scope, digest.session, digest.messages, digest.now
            )

        def plan(book: DerivedBook) -> DerivedPlan:
            return planned(book, session_id, texture)

        return plan

    async def capture(self, scope: Scope, session_id: str) -> Texture | None:
        """Capture a session as it is now, ended or not.

        Returns:
            The texture of its mode, speaker and channel: that of a later session if there is one;
            None where nothing was said.

        Raises:
            NotFoundError: There is no such session.
        """
        sessions = await self._store.sessions.sessions(scope)
        session = next((one for one in sessions if one.id == session_id), None)
        if session is None:
            raise NotFoundError(f"there is no session {session_id!r} of user {scope.user_id!r}")
        turns = await self._store.sessions.tail(scope, session_id, TURNS)
        now = self._clock.now()
        texture = await run_in_thread(texture_of, scope, session, self._readable(turns), now)
        await self._store.derived.change(
            scope, lambda book: planned(book, session_id, texture), now
        )
        return await self.latest(scope, session_key(session))

    def _readable(self, turns: Sequence[Message]) -> list[Message]:
        """The turns without what memory had put into them, and without secrets."""
        found = []
        for turn in turns:
            text = strip_memory(turn.text)
            found.append(replace(turn, text=redact(text).text if self._redaction else text))
        return found

    async def latest(
        self, scope: Scope, key: TextureKey, known_at: datetime | None = None
    ) -> Texture | None:
        """The texture of a key, however old."""
        return left_off(await self._store.derived.book(scope), key, known_at)

    async def for_prompt(self, scope: Scope, key: TextureKey, now: datetime, zone: tzinfo) -> str:
        """The texture of a key as one line; empty where there is none, or it has faded."""
        texture = await self.latest(scope, key)
        return "" if texture is None else render_texture(texture, zone=zone, now=now)


def session_key(session: SessionInfo) -> TextureKey:
    """The key of a session."""
    return TextureKey(session.mode, session.speaker, session.channel)


def texture_of(
    scope: Scope, session: SessionInfo, messages: Sequence[Message], now: datetime
) -> Texture | None:
    """What a session was about and how it ended; None where nothing was said.

    Args:
        scope: Whose.
        session: The session.
        messages: Its turns, oldest first, readable.
        now: The time of the capture.
    """
    turns = list(messages)[-TURNS:]
    own = [turn for turn in turns if _is_own(turn, session)]
    about = extract(_said(own), most_chars=THROUGHLINE_CHARS) or extract(
        _told([turn for turn in turns if turn.role is Role.ASSISTANT]), most_chars=THROUGHLINE_CHARS
    )
    if about is None:
        return None
    return Texture(
        id=texture_id(scope, session.id),
        user_id=scope.user_id,
        at=session.ended_at or turns[-1].timestamp,
        recorded_at=now,
        session_id=session.id,
        evidence=tuple(
            Evidence(message_id=one.message_id, quote=bounded(one.text, _QUOTE_CHARS))
            for one in about.said
        ),
        mode=session.mode,
        speaker=session.speaker,
        channel=session.channel,
        throughline=about.text,
        register=register_of(felt_in([turn.text for turn in own[-LAST:]])),
    )


def felt_in(texts: Sequence[str]) -> list[Felt]:
    """What texts show, in order; those in a language without a list of words show nothing."""
    found = []
    for text in texts:
        emotion = score_emotion(abridge(text, *_CHARS))
        if emotion.covered or emotion.valence:
            felt = Felt(valence=emotion.valence, strength=emotion.strength, tags=emotion.tags)
            found.append(felt)
    return found


def _is_own(turn: Message, session: SessionInfo) -> bool:
    other = turn.speaker is not None and session.speaker not in (None, turn.speaker)
    return turn.role is Role.USER and not other


def _told(turns: Sequence[Message]) -> list[Said]:
    """What was told without an answer, less its questions: "How can I help?" is about nothing."""
    return [replace(one, text=_QUESTION.sub(" ", one.text)) for one in _said(turns)]


def _said(turns: Sequence[Message]) -> list[Said]:
    return [Said(who="", text=abridge(turn.text, *_CHARS), message_id=turn.id) for turn in turns]
