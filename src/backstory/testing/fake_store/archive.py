"""All records of a user, out and in, in memory."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from backstory.core.archive.lines import record_in
from backstory.core.archive.taking import run_here
from backstory.core.derived.rows import moved
from backstory.core.model.archive import (
    NAMES,
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
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
from backstory.core.values import normal_value
from backstory.ports.archive import Sink
from backstory.testing.fake_store.archived import archived
from backstory.testing.fake_store.books import claim_of, place_of
from backstory.testing.fake_store.state import (
    DerivedRow,
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
        kinds = archived(state)
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
            ArchivedDerived: self._derived,
            ArchivedRun: self._run,
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

    def _derived(self, item: ArchivedDerived) -> bool | str:
        state = self._state
        if item.id in {row.record.id for row in state.derived.values()}:
            return False
        records = [record_in(item, one, self._scope.user_id) for one in item.versions]
        last = records[-1]
        held = [row.record for row in state.derived.values() if row.record.replaced_at is None]
        slots = {(type(record), record.slot) for record in held if record.slot is not None}
        if last.replaced_at is None and (type(last), last.slot) in slots:
            return "its slot has another current record here"
        for place, record in enumerate(records):
            recorded = self._now - (len(records) - 1 - place) * timedelta(microseconds=1)
            vectors = self._kept(item.versions[place].vectors)
            has_text = record.replaced_at is None and record.indexed_text != ""
            state.derived[state.take()] = DerivedRow(
                record=moved(record, recorded, record.replaced_at),
                vectors=vectors,
                needs_vector=has_text and not vectors,
            )
        return True

    def _run(self, item: ArchivedRun) -> bool:
        place = (item.run.kind, item.run.period)
        if place in self._state.runs:
            return False
        self._state.runs[place] = run_here(item.run, self._scope.user_id)
        return True

    def _is_erased(self, claim: tuple[str, str, str]) -> bool:
        return self._database.hash_claim(self._scope, claim) in self._state.erased

    def _lacks(self, *ids: str | None) -> bool:
        return any(i is not None and i not in self._state.facts for i in ids)

    def _kept(self, vectors: Mapping[int, bytes]) -> dict[int, bytes]:
        return {self._vectors[n].id: v for n, v in vectors.items() if n in self._vectors}


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
    # what was derived of one of the two is not of both: it is digested again
    seen = row.episode_seq if row.touched == item.touched else 0
    return replace(row, info=info, last_message_at=last, episode_seq=seen)
