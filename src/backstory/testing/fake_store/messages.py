"""Messages in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from backstory.core.derived.book import DerivedPlan, placed
from backstory.core.model.embedding import Generation
from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.results import DeleteResult
from backstory.core.model.scope import Scope
from backstory.core.recording import content_hash, external_hash, plan_recording
from backstory.ports.at_once import AtOnce
from backstory.ports.store import (
    Edited,
    MadeVector,
    MessageEdit,
    NewMessage,
    Pending,
    Recorded,
    SessionRequest,
)
from backstory.testing.fake_store.at_once import read_at_once
from backstory.testing.fake_store.derived import apply_derived
from backstory.testing.fake_store.sessions import choose_session, write_session
from backstory.testing.fake_store.sizes import check_sizes
from backstory.testing.fake_store.state import MemoryDatabase, MessageRow, UserState
from backstory.testing.fake_store.withdrawing import delete_messages, latest, withdraw_messages


class MemoryMessages:
    """Implements ``MessageStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def record(
        self,
        scope: Scope,
        session: SessionRequest,
        messages: Sequence[NewMessage],
        now: datetime,
        at_once: AtOnce | None = None,
    ) -> Recorded:
        """Store messages and their session; read them."""
        read = None
        with self._database.change(scope) as state:
            before = state.next_seq, state.epoch
            found = choose_session(state, session, now)
            name = found.info.id if found else session.name or session.new_id
            taken = {r.external: (r.message.id, r.content) for r in state.messages.values()}
            known = {external: row for external, row in taken.items() if external is not None}
            plan = plan_recording([(m.id, m.draft) for m in messages], name, known)
            pairs = list(zip(messages, plan, strict=True))
            fresh = [message for message, planned in pairs if planned.is_new]
            if fresh:
                row = write_session(state, scope, session, found, fresh, now)
                agent = session.label.agent_id or (found.info.agent_id if found else None)
                for message in fresh:
                    made = _message(scope, message, row.info.id, agent, now)
                    if session.label.bulk:
                        made = replace(made, known_from=made.timestamp)
                    state.messages[message.id] = _new_row(state, message, made)
                put = placed([one for message in fresh for one in message.derived], name)
                if put:
                    apply_derived(state, scope, DerivedPlan(put=put), now)
                if at_once is not None:
                    ids = {message.id for message in fresh}
                    read = read_at_once(self._database, scope, state, name, ids, before, at_once)
            stored = [
                replace(state.messages[planned.record_id].message, created=planned.is_new)
                for planned in plan
            ]
        return Recorded(session_id=name, messages=tuple(stored), read=read)

    async def known(
        self, scope: Scope, names: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        """Which (session id, message id) pairs are stored, with the content hash."""
        stored = {r.external: r.content for r in self._database.user(scope).messages.values()}
        wanted = {name: external_hash(*name) for name in names}
        return {name: stored[key] for name, key in wanted.items() if key in stored}

    async def find(self, tenant_id: str, message_id: str, user_id: str | None) -> Message | None:
        """Find one message by its record id."""
        for state in self._database.users(tenant_id, user_id).values():
            if message_id in state.messages:
                return state.messages[message_id].message
        return None

    async def many(self, scope: Scope, ids: Sequence[str]) -> dict[str, Message]:
        """Fetch messages of one user by record id."""
        rows = self._database.user(scope).messages
        return {name: rows[name].message for name in ids if name in rows}

    async def edit(
        self, scope: Scope, message_id: str, edit: MessageEdit, now: datetime
    ) -> Edited | None:
        """Replace text and metadata, keep the old version, withdraw what the old text said."""
        if message_id not in self._database.user(scope).messages:
            return None
        with self._database.change(scope) as state:
            old = state.messages[message_id]
            changed = edit.text != old.message.text
            row = _edited(old, edit, state.take(), now)
            if changed:
                withdraw_messages(state, scope, frozenset({message_id}), now)
                row = replace(
                    row,
                    message=replace(row.message, sentiment=edit.sentiment),
                    terms=edit.terms,
                    vectors={},
                    needs_vector=True,
                    needs_reading=edit.needs_reading,
                    failures=0,
                )
            state.messages[message_id] = row
            if changed and edit.derived:
                apply_derived(
                    state, scope, DerivedPlan(put=placed(edit.derived, row.message.session_id)), now
                )
        pending = _pending(scope, row) if changed else None
        return Edited(message=row.message, pending=pending)

    async def history(self, scope: Scope, message_id: str) -> list[MessageRevision]:
        """All versions of a message, the current one last."""
        row = self._database.user(scope).messages.get(message_id)
        return [] if row is None else [*row.versions, _version(row.message, None)]

    async def delete(self, scope: Scope, message_id: str) -> bool:
        """Remove a message, and what it alone said."""
        if message_id not in self._database.user(scope).messages:
            return False
        with self._database.change(scope) as state:
            delete_messages(state, scope, frozenset({message_id}), latest(state))
        return True

    async def delete_all(self, scope: Scope, session_id: str | None) -> DeleteResult:
        """Remove all messages and sessions of a user, or those of one session."""
        with self._database.change(scope) as state:
            names = [name for name in state.sessions if session_id in (None, name)]
            gone = [i for i, row in state.messages.items() if row.message.session_id in names]
            delete_messages(state, scope, frozenset(gone), latest(state))
            for name in names:
                del state.sessions[name]
        return DeleteResult(messages=len(gone), sessions=len(names))

    async def pending(
        self, scope: Scope | None, tenant_id: str, limit: int, after: Pending | None = None
    ) -> list[Pending]:
        """Messages that need a vector, by user and number."""
        found = [item for item in self._needing(scope, tenant_id) if _is_behind(item, after)]
        return found[:limit]

    async def count_pending(self, scope: Scope | None, tenant_id: str) -> int:
        """How many messages need a vector."""
        return len(self._needing(scope, tenant_id))

    def _needing(self, scope: Scope | None, tenant_id: str) -> list[Pending]:
        tenant, user = (scope.tenant_id, scope.user_id) if scope else (tenant_id, None)
        return [
            _pending(whose, row)
            for whose, state in self._database.users(tenant, user).items()
            for row in sorted(state.messages.values(), key=lambda row: row.seq)
            if row.needs_vector
        ]

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Sequence[MadeVector]
    ) -> int | None:
        """Store vectors of the active generation; one for an outdated text is dropped."""
        check_sizes(generation, [made.vector for made in vectors])
        if not self._database.is_active(generation):
            return None
        fitting = fitting_messages(self._database.user(scope), vectors)
        if fitting:
            with self._database.change(scope) as state:
                number = state.take()
                for name, vector in fitting.items():
                    row = state.messages[name]
                    state.messages[name] = replace(
                        row,
                        vectors={**row.vectors, generation.id: vector},
                        needs_vector=False,
                        change_no=number,
                    )
        return len(fitting)

    async def note_failures(self, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Messages that could not be embedded stay pending; the reason is shown nowhere."""


def fitting_messages(state: UserState, vectors: Sequence[MadeVector]) -> dict[str, bytes]:
    """The vectors that fit the present text of their message."""
    known = state.messages
    return {
        made.message_id: made.vector
        for made in vectors
        if made.message_id in known and known[made.message_id].revision == made.revision
    }


def _message(
    scope: Scope, new: NewMessage, session: str, agent: str | None, now: datetime
) -> Message:
    draft = new.draft
    if draft.timestamp is None:
        raise AssertionError
    return Message(
        id=new.id,
        user_id=scope.user_id,
        session_id=session,
        role=draft.role,
        text=draft.text,
        timestamp=draft.timestamp.astimezone(UTC),
        recorded_at=now,
        speaker=draft.speaker,
        agent_id=agent,
        message_id=draft.message_id,
        metadata=dict(draft.metadata),
        notes=draft.notes,
        created=False,
        sentiment=new.sentiment,
    )


def _new_row(state: UserState, new: NewMessage, message: Message) -> MessageRow:
    number = state.take()
    given = message.message_id
    return MessageRow(
        message=message,
        seq=number,
        change_no=number,
        external=None if given is None else external_hash(message.session_id, given),
        content=content_hash(new.draft),
        terms=new.terms,
        needs_reading=new.needs_reading,
    )


def _edited(row: MessageRow, edit: MessageEdit, number: int, now: datetime) -> MessageRow:
    message = replace(row.message, text=edit.text, metadata=dict(edit.metadata), updated_at=now)
    return replace(
        row,
        message=message,
        change_no=number,
        revision=row.revision + 1,
        versions=(*row.versions, _version(row.message, now)),
    )


def _version(message: Message, replaced_at: datetime | None) -> MessageRevision:
    return MessageRevision(
        message_id=message.id,
        text=message.text,
        metadata=message.metadata,
        recorded_at=message.updated_at or message.recorded_at,
        replaced_at=replaced_at,
    )


def _pending(scope: Scope, row: MessageRow) -> Pending:
    return Pending(
        scope=scope,
        id=row.message.id,
        seq=row.seq,
        revision=row.revision,
        text=row.message.text,
    )


def _is_behind(item: Pending, after: Pending | None) -> bool:
    if after is None:
        return True
    return (item.scope.user_id, item.seq) > (after.scope.user_id, after.seq)
