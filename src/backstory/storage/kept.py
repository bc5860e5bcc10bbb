"""Messages that were read, kept beside their user's partition until they change."""

import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from backstory.core.model.message import Message

# What a message takes beside its text, measured: the object, its ids and its times.
_MESSAGE_BYTES: Final = 1300
# Bytes in memory for each entry of metadata and each note, assumed.
_EXTRA_BYTES: Final = 200


def size_of(message: Message) -> int:
    """About how many bytes a message takes in memory."""
    extras = len(message.metadata) + len(message.notes)
    inner = sum(len(str(value)) for value in message.metadata.values()) if extras else 0
    return sys.getsizeof(message.text) + _MESSAGE_BYTES + extras * _EXTRA_BYTES + inner


class Kept:
    """What is kept of one user, for one partition and those that are made of it by changes.

    Whoever reads a partition has asked first what has changed, and then what changed is dropped
    here. A message that was read before a change may come in behind it: ``put`` refuses it.

    Attributes:
        nbytes: Memory of the messages, about.
        state: Another number after each change.
        session_keys: The keys of sessions by their names, as far as they were read. A name never
            changes its key: only removals free it.
    """

    def __init__(self) -> None:
        self._messages: OrderedDict[str, tuple[Message, int]] = OrderedDict()
        self.nbytes = 0
        self.state = 0
        self.session_keys: dict[str, str] = {}

    def get(self, ids: Sequence[str]) -> dict[str, Message]:
        """Those of the messages that are kept, by id."""
        found = {}
        messages = self._messages
        for message_id in ids:
            known = messages.get(message_id)
            if known is not None:
                found[message_id] = known[0]
                messages.move_to_end(message_id)
        return found

    def put(self, messages: Mapping[str, Message], state: int) -> None:
        """Keep messages that were read while ``state`` was the state; else do nothing."""
        if state != self.state:
            return
        for message_id, message in messages.items():
            self._drop(message_id)
            size = size_of(message)
            self._messages[message_id] = message, size
            self.nbytes += size

    def changed(self, ids: Iterable[str]) -> None:
        """Drop messages that are not as they were."""
        self.state += 1
        for message_id in ids:
            self._drop(message_id)

    def shrink(self, most: int) -> None:
        """Drop what was used least recently until at most so many bytes are left."""
        while self._messages and self.nbytes > most:
            self._drop(next(iter(self._messages)))

    def _drop(self, message_id: str) -> None:
        known = self._messages.pop(message_id, None)
        if known is not None:
            self.nbytes -= known[1]
