"""One conversation from elsewhere: its messages in order, with ids and times by fixed rules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from backstory.core.content import is_blank
from backstory.core.foreign.model import Foreign, ForeignProblem, ForeignTurn, made_id
from backstory.core.identity import MAX_ID_CHARS
from backstory.core.model.message import MessageDraft
from backstory.core.text import clean
from backstory.core.times import EPOCH, parse_instant
from backstory.errors import InvalidInputError

BRANCH: Final = "message of another branch (edited or answered anew)"
HIDDEN: Final = "hidden message"
REASONING: Final = "reasoning of the model"
NO_TEXT: Final = "message without text"


class Talk:
    """Collects the messages of one conversation.

    A message without an id gets one of the conversation, its place and its text. One without a
    time gets that of the message before it, the first one that of the conversation; if nothing
    tells a time, it is left to the import.

    Args:
        position: The place of the record in the file.
        session: The conversation's id.
        about: What is kept of it as metadata; empty values are dropped.
        owner: Whose it is.
        started: When it began.
        user_name: The user's name in it.
    """

    def __init__(
        self,
        position: int,
        session: str,
        *,
        about: Mapping[str, Any] | None = None,
        owner: str | None = None,
        started: datetime | None = None,
        user_name: str | None = None,
    ) -> None:
        self.position = position
        self.session = session
        self._about = {name: value for name, value in (about or {}).items() if value}
        self._owner = owner
        self._time = started
        self._user_name = user_name
        self._turns: list[ForeignTurn] = []
        self._problems: list[ForeignProblem] = []
        self._left_out: list[ForeignProblem] = []
        self._place = 0

    def say(self, draft: MessageDraft) -> None:
        """Add a message; one that shows nothing is left out."""
        place = self._place
        self._place += 1
        if is_blank(draft.text):
            notes = f": {', '.join(draft.notes)}" if draft.notes else ""
            self.leave(draft.message_id, NO_TEXT + notes)
            return
        is_dated = draft.timestamp is not None
        self._time = draft.timestamp or self._time
        if draft.message_id is None:
            draft = replace(draft, message_id=made_id(self.session, place, draft.text))
        self._turns.append(
            ForeignTurn(
                position=self.position,
                session=self.session,
                draft=replace(draft, timestamp=self._time),
                owner=self._owner,
                about=self._about,
                user_name=self._user_name,
                is_dated=is_dated,
            )
        )

    def leave(self, message_id: str | None, reason: str) -> None:
        """Note a message that is not taken over by rule."""
        self._left_out.append(self._problem(message_id, reason))

    def refuse(self, message_id: str | None, reason: str) -> None:
        """Note a message that cannot be read."""
        self._place += 1
        self._problems.append(self._problem(message_id, reason))

    def done(self) -> Foreign:
        """All of it."""
        return Foreign(
            turns=tuple(self._turns),
            problems=tuple(self._problems),
            left_out=tuple(self._left_out),
        )

    def _problem(self, message_id: str | None, reason: str) -> ForeignProblem:
        return ForeignProblem(
            position=self.position, reason=reason, session=self.session, id=message_id
        )


def text_in(record: Mapping[str, Any], *names: str) -> str | None:
    """A text under the first of some names that has one; whole numbers are read as text."""
    for name in names:
        value = record.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return clean(value).strip()
    return None


def id_in(record: Mapping[str, Any], *names: str) -> str | None:
    """An id; one that is too long to be an id here is replaced by one made of it."""
    found = text_in(record, *names)
    return found if found is None or len(found) <= MAX_ID_CHARS else made_id(found)


def moment_in(record: Mapping[str, Any], *names: str) -> datetime | None:
    """A time under the first of some names that has a usable one, else None.

    ISO 8601 text with a zone, or seconds since 1970 in UTC. Conversations are kept whole: a time
    that makes no sense counts as missing, and costs no message.
    """
    for name in names:
        value = record.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            moment = _since_epoch(value)
        else:
            moment = _read(value)
        if moment is not None:
            return moment
    return None


def _since_epoch(seconds: float) -> datetime | None:
    try:
        return (EPOCH + timedelta(seconds=seconds)).astimezone(UTC)
    except (OverflowError, ValueError):
        return None


def _read(value: object) -> datetime | None:
    try:
        return None if value is None else parse_instant(value, "time")
    except InvalidInputError:
        return None


def names_in(record: Mapping[str, Any], name: str, *keys: str) -> list[str]:
    """The names of the files that a message lists, each once."""
    listed = record.get(name)
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return []
    found = (text_in(one, *keys) for one in listed if isinstance(one, Mapping))
    return list(dict.fromkeys(one for one in found if one))


def shares(files: Sequence[str]) -> str:
    """What stands for a message that shares files and says nothing."""
    return f"[shares {', '.join(files)}]" if files else ""


def path_to(leaf: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """The ids from the root of a tree to a leaf. A circle, or a missing parent, ends the way."""
    path: dict[str, None] = {}
    while leaf is not None and leaf in parents and leaf not in path:
        path[leaf] = None
        leaf = parents[leaf]
    return list(reversed(path))
