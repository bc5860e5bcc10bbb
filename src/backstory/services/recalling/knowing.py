"""Messages as they read at an earlier time of knowing."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.ports.store import Store


async def as_known(
    store: Store, scope: Scope, messages: Mapping[str, Message], known_at: datetime
) -> dict[str, Message]:
    """Give messages the text that they had at a time; what was not yet known is left out.

    Args:
        store: Keeps the versions.
        scope: Whose messages.
        messages: As they are now, by id.
        known_at: The time of knowing.
    """
    found = {}
    for message_id, message in messages.items():
        if (message.known_from or message.recorded_at) > known_at:
            continue
        then = message
        if message.updated_at is not None and message.updated_at > known_at:
            then = await _version(store, scope, message, known_at)
        found[message_id] = then
    return found


async def _version(store: Store, scope: Scope, message: Message, known_at: datetime) -> Message:
    """The message with the text of the version that was current at a time."""
    versions = await store.messages.history(scope, message.id)
    # an import counts as known since it was said, and has its first version since then
    current = [v for v in versions if v.recorded_at <= known_at] or versions[:1]
    if not current:
        return message  # deleted meanwhile: the call that shows it will find that out
    then = current[-1]
    return replace(message, text=then.text, metadata=then.metadata)
