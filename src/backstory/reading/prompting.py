"""The data of a prompt: turns and facts as quoted lines that cannot leave their frame. Pure."""

from collections.abc import Sequence
from typing import Final

from backstory.core.model.fact import USER, Fact
from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Turn
from backstory.core.rendering import display, escape, render_message, render_name
from backstory.core.text import abridge, one_line
from backstory.reading.calls import Piece

MAX_KNOWN: Final = 40
MAX_BEFORE: Final = 6
_KEY_CHARS: Final = 80
_VALUE_CHARS: Final = 160
_BEFORE_HEAD: Final = 250
_BEFORE_TAIL: Final = 100


def render_batch(batch: Batch, call: Sequence[Piece], before: Sequence[Turn]) -> str:
    """What one call is told: known facts, turns before, turns to read.

    Its size depends on the call only: at most 40 facts and 6 turns before, each cut short.

    Args:
        batch: For the known facts and the user's name.
        call: The turns to read, numbered from 1.
        before: Turns that were read already, oldest first; the last ones are shown.
    """
    blocks = []
    if batch.user_name:
        blocks.append(f"## The user's name\n{render_name(batch.user_name[:_KEY_CHARS])}")
    if batch.known:
        lines = (
            f"- [{number}] {_fact(fact)}"
            for number, fact in enumerate(batch.known[:MAX_KNOWN], start=1)
        )
        blocks.append("\n".join(("## Known facts", *lines)))
    if before:
        earlier = (
            _turn(turn, abridge(turn.text, _BEFORE_HEAD, _BEFORE_TAIL))
            for turn in before[-MAX_BEFORE:]
        )
        lines = (f"- {line}" for line in earlier)
        blocks.append("\n".join(("## Turns before, for sense only", *lines)))
    read = (
        f"- [{number}] {_turn(piece.turn, piece.text)}"
        for number, piece in enumerate(call, start=1)
    )
    blocks.append("\n".join(("## Turns to read", *read)))
    return "\n\n".join(blocks)


def _turn(turn: Turn, text: str) -> str:
    """A turn without the dash that begins it; the user goes without a name."""
    speaker = None if turn.role is Role.USER and turn.is_user else turn.speaker
    if turn.role is Role.USER and not turn.is_user and not speaker:
        speaker = "somebody else"
    shown = render_message(text, role=turn.role.value, speaker=speaker, when=turn.timestamp)
    return shown.removeprefix("- ")


def _fact(fact: Fact) -> str:
    subject = "" if fact.subject == USER else f"{_plain(fact.subject)[:_KEY_CHARS]}: "
    value = _plain(fact.value)
    if len(value) > _VALUE_CHARS:
        value = f"{value[:_VALUE_CHARS]}…"
    return f"{subject}{_plain(fact.key)[:_KEY_CHARS]} = {value}"


def _plain(text: str) -> str:
    return escape(one_line(display(text)))
