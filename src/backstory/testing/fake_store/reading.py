"""What no reader has read of one user in memory."""

from backstory.core.model.scope import Scope
from backstory.ports.facts import Unread
from backstory.testing.fake_store.state import MessageRow, UserState

_TURNS_BEFORE = 6


def unread_of(scope: Scope, state: UserState, limit: int, session_id: str | None) -> list[Unread]:
    """Sessions with unread messages, at most ``limit`` messages in all."""
    rows = sorted(state.messages.values(), key=lambda row: row.seq)
    waiting = [row for row in rows if row.needs_reading]
    found = []
    for name in dict.fromkeys(row.message.session_id for row in waiting):
        if session_id in (None, name):
            own = [row for row in waiting if row.message.session_id == name][:limit]
            limit -= len(own)
            if own:
                found.append(_unread(scope, state, own))
    return found


def _unread(scope: Scope, state: UserState, rows: list[MessageRow]) -> Unread:
    first = rows[0]
    name = first.message.session_id
    session = state.sessions[name]
    before = [
        row
        for row in sorted(state.messages.values(), key=lambda row: row.seq)
        if row.message.session_id == name and row.seq < first.seq
    ]
    return Unread(
        scope=scope,
        session_id=name,
        messages=tuple((row.message, row.revision) for row in rows),
        before=tuple(row.message for row in before[-_TURNS_BEFORE:]),
        speaker=session.info.speaker,
        bulk=session.bulk,
        ended=session.info.ended_at is not None,
        failures=first.failures,
    )
