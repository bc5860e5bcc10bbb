"""Turns as a summary shows them: who said what, on which day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

from backstory.core.model.message import Message, Role
from backstory.core.rendering import render_name
from backstory.core.text import one_line
from backstory.core.times import date_in
from backstory.language.extracts import Said, is_said

_MOST_NAME: Final = 40
_SHOWN: Final = frozenset({Role.USER, Role.ASSISTANT})


@dataclass(frozen=True, kw_only=True)
class Talk:
    """What was said in one session, or in the part of it that lies within a period.

    Attributes:
        session_id: The session.
        messages: Turns in order, without what memory itself put into them.
        whole: Whether these are all turns of the session.
        bulk: Whether they were imported: what they say was known when it was said.
    """

    session_id: str
    messages: tuple[Message, ...]
    whole: bool = True
    bulk: bool = False

    @property
    def at(self) -> datetime:
        """The time of the last turn."""
        return max(message.timestamp for message in self.messages)


def said_in(
    messages: Sequence[Message], *, zone: tzinfo = UTC, dated: bool | None = None, group: int = 0
) -> list[Said]:
    """The turns of people and assistants as lines of a summary.

    Args:
        messages: In order.
        zone: Their days are those of this zone.
        dated: Whether each shows its day; None = where they are of several days.
        group: Which part of the whole they are.
    """
    shown = [m for m in messages if m.role in _SHOWN]
    days = [date_in(message.timestamp, zone) for message in shown]
    with_day = len(set(days)) > 1 if dated is None else dated
    return [
        Said(
            who=who_of(message),
            text=message.text,
            message_id=message.id,
            by_user=message.role is Role.USER,
            on=day if with_day else None,
            group=group,
        )
        for message, day in zip(shown, days, strict=True)
    ]


def who_of(message: Message) -> str:
    """Who speaks, so that no name can pose as another label."""
    name = one_line(message.speaker or "")
    if not name:
        return str(message.role)
    short = name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1].rstrip()}\u2026"
    shown = render_name(short)
    return shown if message.role is Role.USER else f"{shown} ({message.role})"


def worth_telling(messages: Sequence[Message]) -> list[Message]:
    """The turns that say anything."""
    return [m for m in messages if m.role in _SHOWN and is_said(m.text)]
