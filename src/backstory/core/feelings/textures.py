"""What is kept of where a conversation was left off. Pure."""

import hashlib
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


def texture_id(scope: Scope, key: TextureKey) -> str:
    """The id of a key's texture: the same in every run and on every machine."""
    parts = ("texture", scope.tenant_id, scope.user_id, repr(tuple(key)))
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
    own = [one for one in book.of(Texture) if one.session_id == session_id]
    if texture is None:
        return DerivedPlan(withdraw=tuple(one.id for one in own))
    elsewhere = tuple(one.id for one in own if one.slot != texture.slot)
    there = book.in_slot(Texture, texture.slot)
    if there is not None and there.session_id != session_id and there.at > texture.at:
        return DerivedPlan(withdraw=elsewhere)
    if there is not None and _content(there) == _content(texture):
        return DerivedPlan(withdraw=elsewhere)
    return DerivedPlan(put=(texture,), withdraw=elsewhere)


def _content(texture: Texture) -> tuple[object, ...]:
    evidence = tuple((one.message_id, one.quote) for one in texture.evidence)
    return texture.session_id, texture.at, texture.throughline, texture.register, evidence
