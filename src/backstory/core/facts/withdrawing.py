"""What goes with a message: facts that it alone said, and what it did to others."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.disputing import decided, doubt_again
from backstory.core.facts.draft import By, Draft
from backstory.core.facts.restoring import mend, take_back_lines
from backstory.core.facts.retracting import take_back
from backstory.core.facts.undoing import mark_undone
from backstory.core.model.contradiction import ContradictionState, Decision
from backstory.core.model.fact import Change, Evidence, FactCorrection


def withdraw(
    book: FactBook,
    message_ids: AbstractSet[str],
    now: datetime,
    *,
    new_ids: Sequence[str] = (),
) -> FactPlan:
    """Take back what was read of messages that were edited or deleted.

    A fact whose whole evidence lies in them is removed, and what it superseded, ended, retracted or
    disputed comes back as it was. A fact with other evidence keeps that. A contradiction that
    rests on them alone is over; one about a removed row goes with the row.

    Args:
        book: The slots of all rows with evidence in these messages, in full.
        message_ids: The messages.
        now: The time of the commit.
        new_ids: Ids for the log; without any they are made of the messages and the time.
    """
    if not book.facts:
        return FactPlan()
    user_id = next(iter(book.facts.values())).user_id
    ids = new_ids or (_derived_id(sorted(message_ids), now),)
    draft = Draft(book, user_id=user_id, now=now, new_ids=ids)
    draft.start(By(actor="withdrawal", reason="its message was withdrawn", at=now))
    touched = {f.id for f in book.facts.values() if _rests_on(f.evidence, message_ids)}
    gone = {i for i in touched if _all_in(book.facts[i].evidence, message_ids)}
    lines = _lines_of(draft, message_ids, gone)
    slots = {(book.facts[i].subject, book.facts[i].key) for i in touched}
    slots |= {(line.subject, line.key) for line in lines}
    draft.removed |= gone
    mark_undone(draft, lines)
    last = [line for line in lines if not _changed_since(draft, line)]
    made = take_back_lines(draft, last, Change.RESTORED, skip=frozenset(gone))
    for fact_id in sorted(made - gone):
        take_back(draft, draft.facts[fact_id], Change.RETRACTED)
    _drop_quotes(draft, touched - draft.removed, message_ids)
    _drop_contradictions(draft, message_ids)
    for subject, key in sorted(slots):
        doubt_again(draft, subject, key)
        mend(draft, subject, key)
    return draft.plan()


def _lines_of(
    draft: Draft, message_ids: AbstractSet[str], gone: AbstractSet[str]
) -> list[FactCorrection]:
    """What the messages did to rows: lines that rest on them alone, or brought a removed row."""
    return [
        line
        for line in draft.lines
        if not line.undone
        and line.change is not Change.UNDONE
        and line.fact_id in draft.facts
        and (_all_in(line.evidence, message_ids) or line.other_id in gone)
    ]


def _changed_since(draft: Draft, line: FactCorrection) -> bool:
    """Whether something else that still stands was done to the row after a line."""
    own = [x for x in draft.lines if x.fact_id == line.fact_id]
    place = [x.id for x in own].index(line.id)
    return any(not x.undone and x.change is not Change.UNDONE for x in own[place + 1 :])


def _drop_quotes(draft: Draft, fact_ids: AbstractSet[str], message_ids: AbstractSet[str]) -> None:
    for fact_id in sorted(fact_ids):
        row = draft.facts[fact_id]
        kept = tuple(e for e in row.evidence if e.message_id not in message_ids)
        lost = len(row.evidence) - len(kept)
        draft.touch(fact_id, evidence=kept, mentions=max(1, row.mentions - lost))


def _drop_contradictions(draft: Draft, message_ids: AbstractSet[str]) -> None:
    for known in list(draft.contradictions.values()):
        if known.state is ContradictionState.RESOLVED:
            continue
        if {known.stored_fact_id, known.stated_fact_id} & draft.removed:
            draft.removed.add(known.id)
        elif _all_in(known.evidence, message_ids):
            over = decided(known, Decision.STORED, "its message was withdrawn", draft.now)
            draft.contradictions[known.id] = replace(over, evidence=())


def _rests_on(evidence: Sequence[Evidence], message_ids: AbstractSet[str]) -> bool:
    return any(e.message_id in message_ids for e in evidence)


def _all_in(evidence: Sequence[Evidence], message_ids: AbstractSet[str]) -> bool:
    return bool(evidence) and all(e.message_id in message_ids for e in evidence)


def _derived_id(message_ids: Sequence[str], now: datetime) -> str:
    text = "\0".join([now.isoformat(), *message_ids])
    return blake2b(text.encode(), digest_size=16).hexdigest()
