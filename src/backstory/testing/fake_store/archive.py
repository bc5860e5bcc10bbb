"""All records of a user, out and in, in memory."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from backstory.core.model.archive import (
    NAMES,
    Archived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedSession,
    ArchiveHead,
    ErasedClaim,
    MessageVersion,
    Restored,
)
from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction, ContradictionState
from backstory.core.model.embedding import Generation
from backstory.core.model.fact import FactCorrection
from backstory.core.model.message import MessageDraft, MessageRevision
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo
from backstory.core.recording import content_hash, external_hash
from backstory.core.times import EPOCH
from backstory.core.values import normal_value
from backstory.language.terms import TERMS_VERSION
from backstory.ports.archive import Sink
from backstory.testing.fake_store.books import claim_of, place_of
from backstory.testing.fake_store.state import (
    FactRow,
    MemoryDatabase,
    MessageRow,
    SessionRow,
    UserState,
)
from backstory.threads import run_in_thread

_STORED = Restored(stored=True)
_PRESENT = Restored(stored=False)


class MemoryArchive:
    """Implements ``ArchiveStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def read_out(self, scope: Scope, sink: Sink) -> None:
        """Give a sink the head and then all records of a user, as of one moment."""
        state = self._database.user(scope).copy()
        kinds = _archived(state)
        active = self._database.active()
        generations = {n: s.generation.identity for n, s in self._database.states.items()}
        head = ArchiveHead(
            generations=generations,
            active=active.id if active else None,
            claim_key=await self.claim_key(scope.tenant_id) if state.erased else None,
            records={NAMES[kind]: len(items) for kind, items in kinds.items()},
        )
        await run_in_thread(sink, head)
        for items in kinds.values():
            if items:
                await run_in_thread(sink, items)

    async def claim_key(self, tenant_id: str) -> str | None:
        """Name the secret behind the hashes of erased claims; None if there is none yet."""
        secret = self._database.secret(tenant_id)
        return None if secret is None else hashlib.sha256(secret).hexdigest()

    async def restore(
        self,
        scope: Scope,
        items: Sequence[Archived],
        vectors: Mapping[int, Generation],
        now: datetime,
    ) -> list[Restored]:
        """Store records that are not there yet."""
        if not items:
            return []
        order = list(NAMES)
        outcomes: dict[int, Restored] = {}
        usable = {n: made for n, made in vectors.items() if self._database.is_active(made)}
        with self._database.change(scope) as state:
            restorer = _Restorer(self._database, scope, state, usable, now)
            for place in sorted(range(len(items)), key=lambda n: order.index(type(items[n]))):
                outcomes[place] = restorer.take(items[place])
        return [outcomes[place] for place in range(len(items))]


class _Restorer:
    """Restores records into the rows of one user."""

    def __init__(
        self,
        database: MemoryDatabase,
        scope: Scope,
        state: UserState,
        vectors: Mapping[int, Generation],
        now: datetime,
    ) -> None:
        self._database = database
        self._scope = scope
        self._state = state
        self._vectors = vectors
        self._now = now

    def take(self, item: Archived) -> Restored:
        """Restore one record."""
        rules: dict[type[Any], Any] = {
            ArchivedSession: self._session,
            ArchivedMessage: self._message,
            ArchivedFact: self._fact,
            FactCorrection: self._correction,
            Contradiction: self._contradiction,
            Collision: self._collision,
            ErasedClaim: self._erased,
        }
        outcome = rules[type(item)](item)
        if isinstance(outcome, str):
            return Restored(stored=False, problem=outcome)
        return _STORED if outcome else _PRESENT

    def _session(self, item: ArchivedSession) -> bool | str:
        state = self._state
        known = state.sessions.get(item.name)
        if known is not None:
            state.sessions[item.name] = _spanning(known, item)
            return False
        if any(row.key == item.id for row in state.sessions.values()):
            return "its id is that of another session"
        info = SessionInfo(
            id=item.name,
            user_id=self._scope.user_id,
            started_at=item.started_at,
            last_received_at=item.last_received_at,
            ended_at=item.ended_at,
            agent_id=item.agent_id,
            mode=item.mode,
            speaker=item.speaker,
            channel=item.channel,
            metadata=dict(item.metadata),
        )
        row = SessionRow(
            info=info,
            key=item.id,
            last_message_at=item.last_message_at,
            bulk=item.bulk_import,
            touched=item.touched,
            episode_seq=item.episode_seq,
        )
        state.sessions[item.name] = row
        return True

    def _message(self, item: ArchivedMessage) -> bool | str:
        message, state = item.message, self._state
        given = message.message_id
        external = None if given is None else external_hash(message.session_id, given)
        first = item.versions[0].text if item.versions else message.text
        draft = MessageDraft(role=message.role, text=first, speaker=message.speaker)
        content = content_hash(draft)
        taken = {r.external: r.content for r in state.messages.values() if r.external}
        if message.id in state.messages or (external and taken.get(external) == content):
            return False
        if external in taken:
            return "its message_id is taken by other content"
        if message.session_id not in state.sessions:
            return "its session is not there"
        number = state.take()
        known = message.known_from or message.recorded_at
        vectors = self._kept(item.vectors)
        state.messages[message.id] = MessageRow(
            message=replace(
                message,
                user_id=self._scope.user_id,
                recorded_at=self._now,
                known_from=known,
                created=False,
            ),
            seq=number,
            change_no=number,
            external=external,
            content=content,
            terms=item.terms,
            revision=item.revision,
            versions=tuple(_revision(message.id, version) for version in item.versions),
            vectors=vectors,
            needs_vector=not vectors,
            needs_reading=item.needs_reading,
            failures=item.read_failures,
            failure=item.read_error,
        )
        return True

    def _fact(self, item: ArchivedFact) -> bool | str:
        fact, state = item.fact, self._state
        if fact.id in state.facts:
            return False
        if self._is_erased((fact.subject, fact.key, normal_value(fact.value))):
            return "it was erased here and does not come back"
        place = place_of(fact)
        if place is not None and place in {place_of(row.fact) for row in state.facts.values()}:
            return "its slot has another current value here"
        number = state.take()
        known = fact.known_from or fact.recorded_at
        vectors = self._kept(item.vectors)
        state.facts[fact.id] = FactRow(
            fact=replace(
                fact, user_id=self._scope.user_id, recorded_at=self._now, known_from=known
            ),
            seq=number,
            change_no=number,
            terms=item.terms,
            vectors=vectors,
            needs_vector=not vectors,
        )
        for revision in item.revisions:
            state.revisions[fact.id, revision.revision] = revision
        return True

    def _correction(self, item: FactCorrection) -> bool | str:
        if item.id in self._state.corrections:
            return False
        if self._lacks(item.fact_id, item.other_id):
            return "a fact that it names is not there"
        self._state.corrections[item.id] = replace(item, user_id=self._scope.user_id)
        return True

    def _contradiction(self, item: Contradiction) -> bool | str:
        known = self._state.contradictions
        if item.id in known:
            return False
        sides = (item.stored_value, item.stated_value)
        if any(self._is_erased((item.subject, item.key, normal_value(v))) for v in sides):
            return "it was erased here and does not come back"
        if self._lacks(item.stored_fact_id, item.stated_fact_id):
            return "a fact that it names is not there"
        opened = {claim_of(c) for c in known.values() if c.state is ContradictionState.OPEN}
        if item.state is ContradictionState.OPEN and claim_of(item) in opened:
            return "another contradiction of this value is open here"
        known[item.id] = replace(item, user_id=self._scope.user_id)
        return True

    def _collision(self, item: Collision) -> bool:
        known = self._state.collisions
        place = (item.subject, item.name, item.family)
        if place in known or item.id in {other.id for other in known.values()}:
            return False
        known[place] = replace(item, user_id=self._scope.user_id)
        return True

    def _erased(self, item: ErasedClaim) -> bool:
        if item.claim_hash in self._state.erased:
            return False
        self._state.erased.add(item.claim_hash)
        return True

    def _is_erased(self, claim: tuple[str, str, str]) -> bool:
        return self._database.hash_claim(self._scope, claim) in self._state.erased

    def _lacks(self, *ids: str | None) -> bool:
        return any(i is not None and i not in self._state.facts for i in ids)

    def _kept(self, vectors: Mapping[int, bytes]) -> dict[int, bytes]:
        return {self._vectors[n].id: v for n, v in vectors.items() if n in self._vectors}


def _archived(state: UserState) -> dict[type[Archived], list[Archived]]:
    sessions = sorted(state.sessions.values(), key=lambda row: row.key)
    messages = sorted(state.messages.values(), key=lambda row: row.seq)
    facts = sorted(state.facts.values(), key=lambda row: row.seq)
    return {
        ArchivedSession: [_archived_session(row) for row in sessions],
        ArchivedMessage: [_archived_message(row) for row in messages],
        ArchivedFact: [_archived_fact(state, row) for row in facts],
        FactCorrection: list(state.corrections.values()),
        Contradiction: list(state.contradictions.values()),
        Collision: list(state.collisions.values()),
        # when they were erased is not kept here
        ErasedClaim: [
            ErasedClaim(claim_hash=hashed, erased_at=EPOCH) for hashed in sorted(state.erased)
        ],
    }


def _archived_session(row: SessionRow) -> ArchivedSession:
    info = row.info
    return ArchivedSession(
        id=row.key,
        name=info.id,
        started_at=info.started_at,
        last_message_at=row.last_message_at,
        last_received_at=info.last_received_at,
        ended_at=info.ended_at,
        agent_id=info.agent_id,
        mode=info.mode,
        speaker=info.speaker,
        channel=info.channel,
        metadata=info.metadata,
        bulk_import=row.bulk,
        touched=row.touched,
        episode_seq=row.episode_seq,
    )


def _archived_message(row: MessageRow) -> ArchivedMessage:
    versions = [
        MessageVersion(
            revision=number,
            text=version.text,
            metadata=version.metadata,
            recorded_at=version.recorded_at,
            replaced_at=version.replaced_at or version.recorded_at,
        )
        for number, version in enumerate(row.versions, 1)
    ]
    return ArchivedMessage(
        message=replace(row.message, created=True),
        terms=row.terms,
        terms_version=TERMS_VERSION,
        revision=row.revision,
        versions=tuple(versions),
        needs_reading=row.needs_reading,
        read_failures=row.failures,
        read_error=row.failure,
        vectors=row.vectors,
    )


def _archived_fact(state: UserState, row: FactRow) -> ArchivedFact:
    own = [r for (name, _), r in state.revisions.items() if name == row.fact.id]
    return ArchivedFact(
        fact=row.fact,
        terms=row.terms,
        terms_version=TERMS_VERSION,
        revisions=tuple(sorted(own, key=lambda r: r.revision)),
        vectors=row.vectors,
    )


def _revision(message_id: str, version: MessageVersion) -> MessageRevision:
    return MessageRevision(
        message_id=message_id,
        text=version.text,
        metadata=version.metadata,
        recorded_at=version.recorded_at,
        replaced_at=version.replaced_at,
    )


def _spanning(row: SessionRow, item: ArchivedSession) -> SessionRow:
    last = max(row.last_message_at, item.last_message_at)
    info = replace(
        row.info,
        started_at=min(row.info.started_at, item.started_at),
        last_received_at=max(row.info.last_received_at, item.last_received_at),
        ended_at=None if row.info.ended_at is None else last,
    )
    return replace(row, info=info, last_message_at=last)
