"""Sightings beside the facts: what seems to contradict a fact, and changes none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from backstory.core.facts.asof import is_current
from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.disputing import undecided
from backstory.core.facts.draft import By, Draft
from backstory.core.model.contradiction import Contradiction, GatePath
from backstory.core.model.fact import Evidence, Fact
from backstory.core.values import normal_value


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """Something said or done against a stored fact.

    Attributes:
        stated: The other answer, or what the user does, in the words of the message.
        path: BEHAVIOURAL or INLINE.
    """

    fact_id: str
    stated: str
    path: GatePath
    reason: str
    said_at: datetime
    session_id: str | None = None
    evidence: tuple[Evidence, ...] = ()


def file_sightings(
    book: FactBook,
    sightings: Sequence[Sighting],
    *,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
) -> FactPlan:
    """Open a contradiction for each sighting, or count it where the value is in one already.

    A sighting against a fact that is not current any more is nothing.
    """
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    for sighting in sightings:
        fact = draft.facts.get(sighting.fact_id)
        if fact is None or not is_current(fact, now):
            continue
        draft.start(By(actor="rules", reason=sighting.reason, at=now, evidence=sighting.evidence))
        seen = _known(draft, fact)
        filed = _opened(draft, fact, sighting) if seen is None else _again(seen, sighting)
        draft.contradictions[filed.id] = filed
    return draft.plan([])


def _known(draft: Draft, fact: Fact) -> Contradiction | None:
    form = normal_value(fact.value)
    for known in undecided(draft, fact.subject, fact.key):
        if normal_value(known.stored_value) == form:
            return known
    return None


def _again(known: Contradiction, sighting: Sighting) -> Contradiction:
    return replace(
        known,
        repeat_count=known.repeat_count + 1,
        last_seen_at=max(known.last_seen_at, sighting.said_at),
    )


def _opened(draft: Draft, fact: Fact, sighting: Sighting) -> Contradiction:
    return Contradiction(
        id=draft.new_id(),
        user_id=draft.user_id,
        subject=fact.subject,
        key=fact.key,
        session_id=sighting.session_id,
        stored_value=fact.value,
        stated_value=sighting.stated,
        stored_fact_id=fact.id,
        gate_path=sighting.path,
        gate_reason=sighting.reason,
        opened_at=sighting.said_at,
        last_seen_at=sighting.said_at,
        evidence=sighting.evidence,
    )
