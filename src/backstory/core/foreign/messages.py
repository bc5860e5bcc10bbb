"""Messages as chat code has them: one object each, or conversations with a list of ``messages``."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from backstory.core.content import read_message
from backstory.core.foreign.model import Foreign, Reader, made_id, object_of
from backstory.core.foreign.talks import Talk, id_in, moment_in, text_in
from backstory.errors import InvalidInputError

_CONTENT: Final = {"content", "text", "tool_calls", "function_call"}
_SESSION: Final = ("session_id", "session", "conversation_id")
_OWNER: Final = "user_id"


def is_message(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like a message, or like a conversation with a list of them."""
    listed = record.get("messages")
    if isinstance(listed, list):
        return any(isinstance(one, Mapping) and is_message(one) for one in listed)
    return isinstance(record.get("role"), str) and bool(_CONTENT & record.keys())


def message_reader(source: str) -> Reader:
    """What reads the messages of one file.

    Args:
        source: Names the session of messages that name none: the name of the file.
    """
    return _Lines(source).read


class _Lines:
    """Reads records in order: what a message leaves out depends on those before it."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._places: Counter[str] = Counter()
        self._times: dict[str, datetime] = {}

    def read(self, position: int, record: Any) -> Foreign:
        value = object_of(record)
        if isinstance(value.get("messages"), list):
            return _conversation(position, value, self._source)
        session = id_in(value, *_SESSION) or self._source
        place = self._places[session]
        self._places[session] += 1
        talk = Talk(position, session, owner=id_in(value, _OWNER), started=self._times.get(session))
        _say(talk, value, place)
        done = talk.done()
        for turn in done.turns:
            if turn.draft.timestamp is not None:
                self._times[session] = turn.draft.timestamp
        return done


def _conversation(position: int, value: Mapping[str, Any], source: str) -> Foreign:
    named = id_in(value, *_SESSION, "id", "uuid")
    talk = Talk(
        position,
        named or f"{source}:{position}",
        about={"title": text_in(value, "title", "name")},
        owner=id_in(value, _OWNER),
        started=moment_in(value, "created_at", "timestamp", "create_time"),
    )
    for place, message in enumerate(value["messages"]):
        _say(talk, message, place)
    return talk.done()


def _say(talk: Talk, value: Any, place: int) -> None:
    message_id = None
    try:
        message = object_of(value)
        message_id = id_in(message, "message_id", "id")
        draft = read_message({**message, "message_id": message_id})
    except InvalidInputError as error:
        talk.refuse(message_id, str(error))
        return
    if draft.message_id is None:
        draft = replace(draft, message_id=made_id(talk.session, place, draft.text))
    talk.say(draft)
