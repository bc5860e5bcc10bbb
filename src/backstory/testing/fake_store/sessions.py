"""Sessions, users and embedding generations in memory."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.model.embedding import EmbedderIdentity, Generation, find_model
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo, UserInfo
from backstory.ports.store import NewMessage, SessionRequest
from backstory.testing.fake_store.state import MemoryDatabase, SessionRow, UserState

_TOUCHED_BITS = 30


def choose_session(state: UserState, request: SessionRequest, now: datetime) -> SessionRow | None:
    """End the sessions that are over, and find the one that messages go to."""
    spared = request.held | {request.name}
    for name, row in state.sessions.items():
        if name not in spared and row.info.last_received_at < now - request.timeout:
            state.sessions[name] = _ended(row)
    if request.name is not None:
        return state.sessions.get(request.name)
    return _newest([r for r in _open(state) if r.info.agent_id == request.label.agent_id])


def write_session(
    state: UserState,
    scope: Scope,
    request: SessionRequest,
    found: SessionRow | None,
    messages: Sequence[NewMessage],
    now: datetime,
) -> SessionRow:
    """Make a session, or bring the found one up to date; an ended one is open again."""
    times = [m.draft.timestamp for m in messages if m.draft.timestamp is not None]
    label = request.label
    info = found.info if found else None
    new = SessionInfo(
        id=info.id if info else request.name or request.new_id,
        user_id=scope.user_id,
        started_at=min([*times, *([info.started_at] if info else [])]),
        last_received_at=now,
        agent_id=label.agent_id or (info.agent_id if info else None),
        mode=label.mode or (info.mode if info else None),
        speaker=label.speaker or (info.speaker if info else None),
        channel=label.channel or (info.channel if info else None),
        metadata={**(info.metadata if info else {}), **label.metadata},
    )
    row = SessionRow(
        info=new,
        key=found.key if found else request.new_id,
        last_message_at=max([*times, *([found.last_message_at] if found else [])]),
        bulk=label.bulk or (found is not None and found.bulk),
        # what was made of a session of this name that was deleted is not of this one
        touched=found.touched + 1 if found else secrets.randbits(_TOUCHED_BITS) + 1,
        episode_seq=found.episode_seq if found else 0,
    )
    state.sessions[new.id] = row
    return row


def _open(state: UserState) -> list[SessionRow]:
    return [row for row in state.sessions.values() if row.info.ended_at is None]


def _newest(rows: Sequence[SessionRow]) -> SessionRow | None:
    return max(rows, key=lambda row: (row.info.last_received_at, row.key), default=None)


def _ended(row: SessionRow) -> SessionRow:
    if row.info.ended_at is not None:
        return row
    return replace(row, info=replace(row.info, ended_at=row.last_message_at))


class MemorySessions:
    """Implements ``SessionStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def sessions(self, scope: Scope) -> list[SessionInfo]:
        """All sessions of a user, oldest first."""
        state = self._database.user(scope)
        rows = sorted(state.sessions.values(), key=lambda row: (row.info.started_at, row.key))
        return [counted(state, row) for row in rows]

    async def find(self, scope: Scope, session_id: str) -> SessionInfo | None:
        """One session by its id, or None."""
        state = self._database.user(scope)
        row = state.sessions.get(session_id)
        return counted(state, row) if row else None

    async def newest_open(self, scope: Scope, agent_id: str | None) -> SessionInfo | None:
        """The open session that received a message last."""
        state = self._database.user(scope)
        rows = [r for r in _open(state) if agent_id in (None, r.info.agent_id)]
        found = _newest(rows)
        return counted(state, found) if found else None

    async def tail(
        self, scope: Scope, session_id: str | None, limit: int, known_at: datetime | None = None
    ) -> list[Message]:
        """The last messages of a session, in order, of those that were known then."""
        state = self._database.user(scope)
        rows = sorted(state.messages.values(), key=lambda row: row.seq)
        messages = [row.message for row in rows if _is_known(row.message, known_at)]
        if session_id is None and known_at is None:
            newest = _newest(_open(state))
            session_id = newest.info.id if newest else ""
        elif session_id is None:
            session_id = messages[-1].session_id if messages else ""
        own = [message for message in messages if message.session_id == session_id]
        return own[len(own) - min(limit, len(own)) :]

    async def end(self, scope: Scope, session_id: str) -> bool:
        """End a session at the time of its last message."""
        row = self._database.user(scope).sessions.get(session_id)
        if row is None or row.info.ended_at is not None:
            return False
        with self._database.change(scope) as state:
            state.sessions[session_id] = _ended(row)
        return True

    async def end_timed_out(
        self, tenant_id: str, received_before: datetime, held: frozenset[str]
    ) -> int:
        """End every session that received nothing since then and is not held."""
        count = 0
        for scope in self._database.users(tenant_id):
            with self._database.change(scope) as state:
                for row in _open(state):
                    name = row.info.id
                    if name not in held and row.info.last_received_at < received_before:
                        state.sessions[name] = _ended(row)
                        count += 1
        return count

    async def users(
        self, tenant_id: str, limit: int | None = None, after: str = ""
    ) -> list[UserInfo]:
        """Users of a tenant of whom something is known, by id: all, or so many after this id."""
        found = [
            _user(scope.user_id, state)
            for scope, state in self._database.users(tenant_id).items()
            if (state.sessions or state.facts or state.derived) and scope.user_id > after
        ]
        return sorted(found, key=lambda user: user.user_id)[:limit]


def _is_known(message: Message, known_at: datetime | None) -> bool:
    return known_at is None or (message.known_from or message.recorded_at) <= known_at


def counted(state: UserState, row: SessionRow) -> SessionInfo:
    """A session with its number of messages."""
    count = sum(m.message.session_id == row.info.id for m in state.messages.values())
    return replace(row.info, messages=count)


def _user(user_id: str, state: UserState) -> UserInfo:
    times = [row.message.timestamp for row in state.messages.values()]
    return UserInfo(
        user_id=user_id,
        sessions=len(state.sessions),
        messages=len(times),
        first_at=min(times, default=None),
        last_at=max(times, default=None),
    )


class MemoryGenerations:
    """Implements ``GenerationStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def active(self) -> Generation | None:
        """The generation that search uses."""
        return self._database.active()

    async def activate_first(
        self,
        identity: EmbedderIdentity,
        now: datetime,  # noqa: ARG002
    ) -> Generation:
        """Register the first generation, or give the one there is."""
        active, states = self._database.active(), self._database.states
        if active is not None:
            return active
        known = find_model([state.generation for state in states.values()], identity)
        made = known or self._database.make(identity)
        states[made.id] = replace(states[made.id], active=True, retired_at=None)
        return made

    async def calibrate(self, generation_id: int, calibration: str | None) -> bool:
        """Keep what was measured of a generation's cosines."""
        state = self._database.states.get(generation_id)
        if state is None:
            return False
        generation = replace(state.generation, calibration=calibration)
        self._database.states[generation_id] = replace(state, generation=generation)
        return True
