"""What no reader has read of one user in memory."""

from itertools import groupby

from backstory.core.model.scope import Scope
from backstory.ports.facts import MOST_FAILURES, Unread
from backstory.testing.fake_store.state import MessageRow, UserState

_TURNS_BEFORE = 6


def unread_of(
    scope: Scope, state: UserState, limit: int, session_id: str | None, after: Unread | None
) -> list[Unread]:
    """Unread messages by session, at most ``limit`` in all, behind the session of ``after``."""
    names = list(state.sessions)
    if after is not None and after.scope == scope and after.session_id in names:
        names = names[names.index(after.session_id) + 1 :]
    found = []
    for name in names:
        if session_id in (None, name):
            own = [row for row in _rows(state, name) if row.needs_reading][:limit]
            limit -= len(own)
            found += [_unread(scope, state, list(run)) for _, run in groupby(own, key=_apart)]
    return found


def _apart(row: MessageRow) -> tuple[bool, bool]:
    """What messages that are read together have in common."""
    return row.message.known_from is not None, row.failures >= MOST_FAILURES


def _rows(state: UserState, session_id: str) -> list[MessageRow]:
    own = [row for row in state.messages.values() if row.message.session_id == session_id]
    return sorted(own, key=lambda row: row.seq)


def _unread(scope: Scope, state: UserState, rows: list[MessageRow]) -> Unread:
    first = rows[0]
    name = first.message.session_id
    info = state.sessions[name].info
    before = [row.message for row in _rows(state, name) if row.seq < first.seq]
    return Unread(
        scope=scope,
        session_id=name,
        messages=tuple((row.message, row.revision) for row in rows),
        before=tuple(before[-_TURNS_BEFORE:]),
        speaker=info.speaker,
        bulk=first.message.known_from is not None,
        ended=info.ended_at is not None,
        failures=first.failures,
        metadata=info.metadata,
    )
