"""Where the last conversation of this kind was left off, while that still matters."""

from datetime import datetime

from backstory.core.feelings.fading import Fade, fade_of
from backstory.core.feelings.lines import render_texture
from backstory.core.feelings.textures import TextureKey, left_off
from backstory.core.model.derived import Texture
from backstory.core.model.session import SessionInfo
from backstory.ports.store import Store
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem


class LeftOff:
    """How the last session of the same mode, speaker and channel ended."""

    name = "texture"
    heading = "Where you left off"
    share = 0.03
    priority = 2

    def __init__(self, store: Store) -> None:
        self._store = store

    async def gather(self, question: Question) -> Offer:
        """Offer it in a later session only, and less of it as hours pass."""
        book = await self._store.derived.book(question.scope)
        if not any(_lasts(one, question.now) for one in book.of(Texture, question.known_at)):
            return Offer()
        current = await self._current(question)
        texture = left_off(book, _key(question, current), question.known_at)
        if texture is None or not _is_later(current, texture):
            return Offer()
        text = render_texture(texture, zone=question.timezone, now=question.now)
        if not text:
            return Offer()
        item = SourceItem(
            text=text,
            order=(),
            message_ids=tuple(dict.fromkeys(one.message_id for one in texture.evidence)),
            texture=texture,
        )
        return Offer(items=(item,))

    async def _current(self, question: Question) -> SessionInfo | None:
        """The current session; None where it is not stored yet, or of a past that is rebuilt."""
        sessions = self._store.sessions
        if question.session_id is not None:
            return await sessions.find(question.scope, question.session_id)
        if question.known_at is not None:
            return None
        return await sessions.newest_open(question.scope, None)


def _lasts(texture: Texture, now: datetime) -> bool:
    return fade_of(now - texture.at) is not Fade.GONE


def _is_later(current: SessionInfo | None, texture: Texture) -> bool:
    """Whether the current session comes after the one that was left off."""
    if current is None:
        return True
    return current.id != texture.session_id and current.started_at >= texture.at


def _key(question: Question, current: SessionInfo | None) -> TextureKey:
    """What the caller says; what is left out is as in the session that was named, or is open."""
    asked = TextureKey(question.mode, question.speaker, question.channel)
    if current is None or (question.session_id is None and any(one is not None for one in asked)):
        return asked
    own = (current.mode, current.speaker, current.channel)
    return TextureKey(*(own[at] if one is None else one for at, one in enumerate(asked)))
