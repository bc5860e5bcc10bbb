"""All records of a user as an archive holds them, in memory."""

from dataclasses import replace

from backstory.core.derived.rows import NAMES, body_of
from backstory.core.model.archive import (
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
    ArchivedSession,
    DerivedVersion,
    ErasedClaim,
    MessageVersion,
)
from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.fact import FactCorrection
from backstory.core.times import EPOCH
from backstory.language.terms import TERMS_VERSION
from backstory.testing.fake_store.state import (
    DerivedRow,
    FactRow,
    MessageRow,
    SessionRow,
    UserState,
)


def archived(state: UserState) -> dict[type[Archived], list[Archived]]:
    """All records of a user, by kind."""
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
        ArchivedDerived: _archived_derived(state),
        ArchivedRun: [
            ArchivedRun(run=run)
            for run in sorted(state.runs.values(), key=lambda run: (str(run.kind), run.period))
        ],
    }


def _archived_derived(state: UserState) -> list[Archived]:
    versions: dict[str, list[DerivedRow]] = {}
    for row in state.derived.values():
        versions.setdefault(row.record.id, []).append(row)
    return [
        ArchivedDerived(
            id=name,
            type=NAMES[type(rows[0].record)],
            versions=tuple(_derived_version(row) for row in rows),
        )
        for name, rows in versions.items()
    ]


def _derived_version(row: DerivedRow) -> DerivedVersion:
    record = row.record
    return DerivedVersion(
        at=record.at,
        recorded_at=record.recorded_at,
        known_from=record.known_from,
        replaced_at=record.replaced_at,
        body=body_of(record),
        vectors=row.vectors,
    )


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
