"""Reads short conversations with the rule reader, for tests."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from backstory.core.model.message import Role
from backstory.core.model.reading import Act, Batch, Claim, Turn
from backstory.reading.rules.reader import read_turns

AT = datetime(2024, 5, 15, 12, tzinfo=UTC)
"""When the last message of a conversation is said: a Wednesday."""


def turn(
    text: str,
    *,
    at: datetime = AT,
    role: Role = Role.USER,
    speaker: str | None = None,
    is_user: bool | None = None,
    number: int = 0,
) -> Turn:
    """One message; whoever has the role of a user is the user, if not said otherwise."""
    own = role is Role.USER if is_user is None else is_user
    return Turn(
        message_id=f"m{number}", revision=1, role=role, text=text, timestamp=at,
        is_user=own, speaker=speaker, session_id="s",
    )  # fmt: skip


def conversation(texts: Sequence[str], apart: timedelta = timedelta(minutes=1)) -> Batch:
    """A conversation of which the last message is to be read; "A: …" is the assistant's."""
    turns = []
    for number, text in enumerate(texts):
        assistant = text.startswith("A: ")
        turns.append(
            turn(
                text.removeprefix("A: "),
                at=AT - apart * (len(texts) - 1 - number),
                role=Role.ASSISTANT if assistant else Role.USER,
                number=number,
            )
        )
    return Batch(turns=(turns[-1],), before=tuple(turns[:-1]))


def claims(*texts: str, apart: timedelta = timedelta(minutes=1)) -> tuple[Claim, ...]:
    """What is read in the last message of a conversation."""
    return read_turns(conversation(texts, apart)).claims


def told(
    *texts: str, apart: timedelta = timedelta(minutes=1)
) -> set[tuple[Act, str | None, str | None]]:
    """What is read in the last message: act, slot and value."""
    return {(c.act, c.key, c.value) for c in claims(*texts, apart=apart)}


def one(*texts: str, act: Act = Act.STATE, key: str) -> Claim:
    """The one claim of this act about this slot that the last message makes."""
    found = [c for c in claims(*texts) if c.act is act and c.key == key]
    assert len(found) == 1, found
    return found[0]
