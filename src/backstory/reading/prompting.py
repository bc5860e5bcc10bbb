"""The data of a prompt: turns and facts as quoted lines that cannot leave their frame. Pure."""

from collections.abc import Iterator, Mapping, Sequence
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
_SUMMARY_CHARS: Final = 700
_MOST_SUMMARIES: Final = 4
_BEFORE_HEAD: Final = 250
_BEFORE_TAIL: Final = 100


def render_batch(
    batch: Batch,
    call: Sequence[Piece],
    before: Sequence[Turn],
    summaries: Mapping[str, str] | None = None,
) -> str:
    """What one call is told: known facts, turns before, turns to read.

    Its size depends on the call only: at most 40 facts, 6 turns before and 4 summaries, each cut
    short.

    Args:
        batch: For the known facts and the user's name.
        call: The turns to read, numbered from 1.
        before: Turns that were read already, oldest first; the last ones are shown.
        summaries: What was said before in the sessions of the call; see ``shown_summaries``.
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
    sessions = list(dict.fromkeys(piece.turn.session_id or "" for piece in call))
    if summaries:
        lines = (
            f"- [session {number}] {_plain(summaries[name])}"
            for number, name in enumerate(sessions, start=1)
            if name in summaries
        )
        blocks.append("\n".join(("## Said before", *lines)))
    if before:
        earlier = (
            _turn(turn, abridge(turn.text, _BEFORE_HEAD, _BEFORE_TAIL))
            for turn in before[-MAX_BEFORE:]
        )
        lines = (f"- {line}" for line in earlier)
        blocks.append("\n".join(("## Turns before, for sense only", *lines)))
    blocks.append("\n".join(("## Turns to read", *_numbered(call, sessions))))
    return "\n\n".join(blocks)


def shown_summaries(call: Sequence[Piece], known: Mapping[str, str]) -> dict[str, str]:
    """The summaries that a call is shown, of the first sessions of it that have one."""
    sessions = dict.fromkeys(piece.turn.session_id or "" for piece in call)
    found = [name for name in sessions if known.get(name)][:_MOST_SUMMARIES]
    return {name: abridge(known[name], _SUMMARY_CHARS, 0) for name in found}


def _numbered(call: Sequence[Piece], sessions: Sequence[str]) -> Iterator[str]:
    """The turns; where they are of several sessions, each session under a heading."""
    session = None
    for number, piece in enumerate(call, start=1):
        if len(sessions) > 1 and piece.turn.session_id != session:
            session = piece.turn.session_id
            yield f"### Session {sessions.index(session or '') + 1}"
        yield f"- [{number}] {_turn(piece.turn, piece.text)}"


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
