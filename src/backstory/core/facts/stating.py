"""From statements to a plan: what becomes of each of them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from backstory.core.facts.book import FactBook, FactPlan, Outcome, commit_time
from backstory.core.facts.disputing import deny
from backstory.core.facts.draft import By, Draft, is_held
from backstory.core.facts.ending import end_row, end_unknown, end_within, was_said_later
from backstory.core.facts.news import Verdicts, news_of
from backstory.core.facts.placing import state
from backstory.core.facts.restoring import mend
from backstory.core.facts.retracting import correct, named_rows, retract
from backstory.core.facts.settling import settle
from backstory.core.facts.slots import slot_of
from backstory.core.model.fact import Cardinality, Fact
from backstory.core.model.reading import Act, Claim, ClaimRejection
from backstory.core.values import normal_key, normal_value
from backstory.errors import InvalidInputError

_NO_VERDICTS: Verdicts = MappingProxyType({})
Done = tuple[str, str | None]


def plan_claims(
    book: FactBook,
    claims: Sequence[Claim],
    *,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
    verdicts: Verdicts = _NO_VERDICTS,
    read_from_messages: bool = False,
) -> FactPlan:
    """Say what statements do to what is stored.

    The claims of one batch see one another's effect, in their order. The same input gives the
    same plan.

    Args:
        book: What is stored about their slots (see ``wanted_of``).
        claims: They passed the guards.
        user_id: Whose facts.
        now: The time of the commit, by the writer's clock.
        new_ids: At least one id that is not in use; further ones are made from them.
        verdicts: What a judge said of a stored and a stated value of one slot;
            what is not in it is decided by the rules.
        read_from_messages: The claims were read in messages. One whose messages another
            reading has dealt with (none is in ``book.unread``) is refused.

    Returns:
        The plan, with one outcome for each claim.
    """
    now = commit_time(book, now)
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    outcomes = []
    for claim in claims:
        refused = _refusal(book, claim, read_from_messages=read_from_messages)
        if refused is not None:
            draft.rejections.append(refused)
            outcomes.append(Outcome(claim=claim, what="rejected"))
            continue
        if claim.key is not None:
            settle(draft, claim.subject, normal_key(claim.key))
        draft.start(
            By(
                actor=claim.actor,
                reason=claim.reason,
                at=claim.known_from or now,
                evidence=claim.evidence,
            )
        )
        what, fact_id = _apply(draft, claim, verdicts)
        _mend(draft, fact_id)
        outcomes.append(Outcome(claim=claim, what=what, fact_id=fact_id))
    return draft.plan(outcomes)


def _mend(draft: Draft, fact_id: str | None) -> None:
    row = draft.facts.get(fact_id or "")
    if row is not None and row.cardinality is Cardinality.ONE:
        mend(draft, row.subject, row.key)


def _refusal(book: FactBook, claim: Claim, *, read_from_messages: bool) -> ClaimRejection | None:
    message_ids = [e.message_id for e in claim.evidence]
    if read_from_messages and message_ids and book.unread.isdisjoint(message_ids):
        return _refuse(claim, "the message was already read", "already_read")
    wrong = _malformed(claim)
    if wrong is not None:
        return wrong
    if claim.key is None or claim.value is None or claim.act in (Act.RETRACT, Act.DENY):
        return None
    if (claim.subject, normal_key(claim.key), normal_value(claim.value)) in book.erased:
        return _refuse(claim, "it was deleted, and does not come back", "erased")
    return None


def _malformed(claim: Claim) -> ClaimRejection | None:
    if claim.key is None and claim.act in (Act.STATE, Act.DENY):
        return _refuse(claim, "a statement needs a slot", "no_slot")
    needs_value = claim.act in (Act.STATE, Act.CORRECT, Act.DENY)
    if needs_value and not normal_value(claim.value or ""):
        return _refuse(claim, "a statement needs a value", "no_value")
    start, end = claim.valid_from, claim.valid_until
    if start is not None and end is not None and end <= start:
        return _refuse(claim, "it would end before it begins", "empty_period")
    try:
        normal_key(claim.key if claim.key is not None else "any")
    except InvalidInputError as error:
        return _refuse(claim, str(error), "bad_key")
    return None


def _refuse(claim: Claim, reason: str, guard: str) -> ClaimRejection:
    return ClaimRejection(
        reason=reason,
        guard=guard,
        message_id=claim.evidence[0].message_id if claim.evidence else None,
        key=claim.key,
        value=claim.value,
    )


def _apply(draft: Draft, claim: Claim, verdicts: Verdicts) -> Done:
    key = None if claim.key is None else normal_key(claim.key)
    if claim.act is Act.STATE:
        return _state(draft, claim, str(key), verdicts)
    if claim.act is Act.CORRECT:
        return _correct(draft, claim, key, verdicts)
    if claim.act is Act.RETRACT:
        return _retract(draft, claim, key)
    if claim.act is Act.END:
        return _end(draft, claim, key, verdicts)
    return _deny(draft, claim, str(key), verdicts)


def _state(draft: Draft, claim: Claim, key: str, verdicts: Verdicts) -> Done:
    stated = _for_always(draft, claim, key)
    return state(draft, news_of(stated, key, str(claim.value), draft.now, verdicts))


def _for_always(draft: Draft, claim: Claim, key: str) -> Claim:
    """The claim without the mark of a change that all by hand has, where nothing can have changed.

    The first answer of a slot without time, and any of one that cannot change, holds for always.
    """
    slot = slot_of(key)
    by_hand = claim.actor in ("api", "import")
    if not by_hand or slot is None or not slot.timeless:
        return claim
    rows = draft.rows(claim.subject, key)
    if slot.cardinality is Cardinality.MANY:
        rows = [row for row in rows if normal_value(row.value) == normal_value(claim.value or "")]
    is_first = not rows
    return replace(claim, changed=False) if is_first or not slot.changes else claim


def _correct(draft: Draft, claim: Claim, key: str | None, verdicts: Verdicts) -> Done:
    old = _meant(draft, claim, key, claim.replaces, past=True)
    if old:
        row = old[-1]
        news = news_of(claim, row.key, str(claim.value), draft.now, verdicts)
        return correct(draft, news, row)
    if key is None:
        return "unchanged", None
    return state(draft, news_of(claim, key, str(claim.value), draft.now, verdicts))


def _retract(draft: Draft, claim: Claim, key: str | None) -> Done:
    value = claim.replaces or claim.value
    rows = _meant(draft, claim, key, value, past=True)
    for row in rows:
        retract(draft, draft.facts[row.id])
    return ("retracted", rows[-1].id) if rows else ("unchanged", None)


def _end(draft: Draft, claim: Claim, key: str | None, verdicts: Verdicts) -> Done:
    value = claim.replaces or claim.value
    rows = _meant(draft, claim, key, value, past=False)
    end = claim.valid_until or claim.said_at
    ended = [
        row
        for row in rows
        if not was_said_later(row, end, claim.said_at)
        and end_row(draft, draft.facts[row.id], end_within(row, end, claim.said_at))
    ]
    if ended:
        return "ended", ended[-1].id
    if rows or key is None or value is None:
        return "unchanged", rows[-1].id if rows else None
    known = named_rows(draft, subject=claim.subject, key=key, value=value, past=True)
    if known:
        return "unchanged", known[-1].id
    named = replace(claim, value=value, replaces=None)
    return end_unknown(draft, news_of(named, key, value, draft.now, verdicts))


def _deny(draft: Draft, claim: Claim, key: str, verdicts: Verdicts) -> Done:
    rows = _meant(draft, claim, key, claim.value, past=False)
    held = [r for r in rows if is_held(r, draft.now) and not r.scheduled]
    if not held:
        return "unchanged", None
    row = held[-1]
    if claim.changed:
        return _end(draft, claim, key, verdicts)
    deny(draft, news_of(claim, key, str(claim.value), draft.now, verdicts), row)
    return "disputed", row.id


def _meant(
    draft: Draft, claim: Claim, key: str | None, value: str | None, *, past: bool
) -> list[Fact]:
    return named_rows(draft, subject=claim.subject, key=key, value=value, past=past)
