"""What is kept of where a conversation was left off. Pure."""

import hashlib
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import Texture
from backstory.core.model.scope import Scope


class TextureKey(NamedTuple):
    """Which conversations go on from each other."""

    mode: str | None = None
    speaker: str | None = None
    channel: str | None = None


def texture_id(scope: Scope, session_id: str) -> str:
    """The id of a session's texture: the same in every run and on every machine."""
    parts = ("texture", scope.tenant_id, scope.user_id, session_id)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def key_of(texture: Texture) -> TextureKey:
    """The key of a texture."""
    return TextureKey(texture.mode, texture.speaker, texture.channel)


def left_off(
    book: DerivedBook, key: TextureKey, known_at: datetime | None = None
) -> Texture | None:
    """The texture of a key as it was known at a time (None = now)."""
    found = [one for one in book.of(Texture, known_at) if key_of(one) == key]
    return max(found, key=lambda one: (one.at, one.recorded_at), default=None)


def planned(book: DerivedBook, session_id: str, texture: Texture | None) -> DerivedPlan:
    """What a capture writes: nothing where a later conversation has taken the place already.

    Args:
        book: What is there.
        session_id: Whose capture it is.
        texture: What was captured; None where nothing was said. What an earlier capture of the
            same session wrote then goes.
    """
    current = book.of(Texture)
    own = next((one for one in current if one.session_id == session_id), None)
    if texture is None:
        return DerivedPlan(withdraw=() if own is None else (own.id,))
    rivals = [one for one in current if key_of(one) == key_of(texture) and one is not own]
    if any(rival.at > texture.at for rival in rivals):
        return DerivedPlan(withdraw=() if own is None else (own.id,))
    if own is not None and _content(own) == _content(texture):
        return DerivedPlan()
    if own is not None:
        texture = replace(texture, id=own.id)  # one that was imported has an id of elsewhere
    return DerivedPlan(put=(texture,), withdraw=tuple(rival.id for rival in rivals))


def _content(texture: Texture) -> tuple[object, ...]:
    evidence = tuple((one.message_id, one.quote) for one in texture.evidence)
    return key_of(texture), texture.at, texture.throughline, texture.register, evidence
