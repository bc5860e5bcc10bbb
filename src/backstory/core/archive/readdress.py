"""Gives the records of an archive to another user: every record gets another id.

An id names one record in a whole tenant, so a copy for somebody else may not keep it. The new
one is made of the user and the old one: importing twice gives the same ids.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from backstory.core.model.archive import (
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
    ArchivedSession,
    ErasedClaim,
)
from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.fact import USER, Evidence, FactCorrection

_ID_BYTES: Final = 16
# the caller's own ids, which stay
_NOT_RECORDS: Final = frozenset({"session_id", "user_id"})


def id_for(user_id: str, record_id: str) -> str:
    """The id that a record has as another user's: 32 hexadecimal digits."""
    named = f"{user_id}\0{record_id}".encode()
    return hashlib.blake2b(named, digest_size=_ID_BYTES).hexdigest()


def readdressed(item: Archived, user_id: str) -> Archived | None:
    """A record as another user's; None for what cannot be (a keyed hash of the old user)."""
    if isinstance(item, ErasedClaim):
        return None
    if isinstance(item, ArchivedRun):
        return replace(item, run=replace(item.run, user_id=user_id))
    made: Archived = _RULES[type(item)](item, partial(id_for, user_id))
    return made


def _session(item: ArchivedSession, new: Any) -> ArchivedSession:
    return replace(item, id=new(item.id))


def _message(item: ArchivedMessage, new: Any) -> ArchivedMessage:
    return replace(item, message=replace(item.message, id=new(item.message.id)))


def _fact(item: ArchivedFact, new: Any) -> ArchivedFact:
    fact = replace(
        item.fact,
        id=new(item.fact.id),
        superseded_by=_maybe(item.fact.superseded_by, new),
        evidence=_evidence(item.fact.evidence, new),
    )
    revisions = tuple(replace(state, fact_id=fact.id) for state in item.revisions)
    return replace(item, fact=fact, revisions=revisions)


def _correction(item: FactCorrection, new: Any) -> FactCorrection:
    return replace(
        item,
        id=new(item.id),
        fact_id=new(item.fact_id),
        other_id=_maybe(item.other_id, new),
        evidence=_evidence(item.evidence, new),
    )


def _contradiction(item: Contradiction, new: Any) -> Contradiction:
    return replace(
        item,
        id=new(item.id),
        stored_fact_id=_maybe(item.stored_fact_id, new),
        stated_fact_id=_maybe(item.stated_fact_id, new),
        evidence=_evidence(item.evidence, new),
    )


def _collision(item: Collision, new: Any) -> Collision:
    return replace(item, id=new(item.id), fact_ids=tuple(new(i) for i in item.fact_ids))


def _derived(item: ArchivedDerived, new: Any) -> ArchivedDerived:
    versions = (replace(one, body=_body(one.body, new)) for one in item.versions)
    return replace(item, id=new(item.id), versions=tuple(versions))


def _body(value: Any, new: Any) -> Any:
    """JSON with new ids in all fields that name a record: "..._id" and "..._ids"."""
    if isinstance(value, list):
        return [_body(part, new) for part in value]
    if not isinstance(value, Mapping):
        return value
    made = {}
    for name, part in value.items():
        if name.endswith("_id") and name not in _NOT_RECORDS and isinstance(part, str):
            # the end of a relation that is the user is no record
            made[name] = part if part == USER else new(part)
        elif name.endswith("_ids") and isinstance(part, list):
            made[name] = [new(one) for one in part]
        else:
            made[name] = _body(part, new)
    return made


def _maybe(record_id: str | None, new: Any) -> str | None:
    return None if record_id is None else str(new(record_id))


def _evidence(evidence: Iterable[Evidence], new: Any) -> tuple[Evidence, ...]:
    return tuple(replace(one, message_id=new(one.message_id)) for one in evidence)


_RULES: Final[dict[type[Any], Any]] = {
    ArchivedSession: _session,
    ArchivedMessage: _message,
    ArchivedFact: _fact,
    FactCorrection: _correction,
    Contradiction: _contradiction,
    Collision: _collision,
    ArchivedDerived: _derived,
}
