"""What goes with messages that are deleted or have another text."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from backstory.core.derived.book import DerivedPlan
from backstory.core.model.derived import Derived


def without(
    record: Derived, message_ids: AbstractSet[str], session_ids: AbstractSet[str]
) -> Derived | None:
    """A record without some messages; None if nothing of it is left.

    A record of one piece (``WHOLE``) goes with any of its messages, or if it names none, with any
    of its session; one that covers a session goes with any message of that. Of others the
    evidence in the messages goes, and they go with the last of it. What never had evidence stays.

    Args:
        record: The record.
        message_ids: The messages.
        session_ids: The callers' ids of the sessions of these messages.
    """
    if not record.covers.isdisjoint(session_ids):
        return None
    kept = tuple(one for one in record.evidence if one.message_id not in message_ids)
    if record.WHOLE:
        is_named = bool(record.evidence or record.covers)
        is_of_session = not is_named and record.session_id in session_ids
        return None if is_of_session or len(kept) < len(record.evidence) else record
    if len(kept) == len(record.evidence):
        return record
    return replace(record, evidence=kept) if kept else None


def withdraw(
    records: Iterable[Derived], message_ids: AbstractSet[str], session_ids: AbstractSet[str]
) -> DerivedPlan:
    """Take back what was derived from messages that are about to go, or to have another text.

    Records of one piece and those that cover a session go with all their versions, since each
    may quote. Of others each version goes or loses its evidence for itself; if the current one
    goes and one before stands on other messages, that one is current again, unless another record
    has its slot by now.

    Args:
        records: All versions of all records of the user (a ``DerivedBook``).
        message_ids: The messages.
        session_ids: The callers' ids of their sessions.
    """
    versions: dict[str, list[Derived]] = {}
    slots: dict[tuple[type[Derived], str], str] = {}
    for record in records:
        versions.setdefault(record.id, []).append(record)
        if record.replaced_at is None and record.slot is not None:
            slots[type(record), record.slot] = record.id
    erased: list[str] = []
    amended: list[Derived] = []
    dropped: list[Derived] = []
    for name, some in versions.items():
        left = [(old, without(old, message_ids, session_ids)) for old in some]
        gone = [old for old, new in left if new is None]
        if len(gone) == len(some) or any(old.WHOLE or old.covers for old in gone):
            erased.append(name)
            continue
        dropped += gone
        kept = [(old, new) for old, new in left if new is not None]
        if any(old.replaced_at is None for old in gone):
            old, new = kept[-1]
            if _is_free(new, slots):
                kept[-1] = old, replace(new, replaced_at=None)
                if new.slot is not None:
                    slots[type(new), new.slot] = name
        amended += [new for old, new in kept if new != old]
    return DerivedPlan(
        erase=tuple(erased),
        amended=tuple(amended),
        dropped=tuple((old.id, old.recorded_at) for old in dropped),
    )


def _is_free(record: Derived, slots: Mapping[tuple[type[Derived], str], str]) -> bool:
    if record.slot is None:
        return True
    return slots.get((type(record), record.slot), record.id) == record.id


def sessions_of(plan: DerivedPlan) -> set[str]:
    """The callers' ids of the sessions that a plan digests, and of those its records rest on."""
    covered = (name for record in plan.put for name in record.covers)
    own = (r.session_id for r in plan.put if r.WHOLE and r.session_id is not None)
    return {*plan.episodes, *covered, *own}


def restrict(
    plan: DerivedPlan,
    sessions: Mapping[str, str],
    touched: Mapping[str, int],
    texts: Mapping[str, datetime | None],
) -> DerivedPlan:
    """A plan without what rests on what is gone, or on sessions that changed meanwhile.

    Args:
        plan: Made of an earlier state.
        sessions: For each message of its evidence that is there: the caller's id of its session.
        touched: For each session of ``sessions_of(plan)`` that is there: its number now.
        texts: For each message of ``plan.seen`` that is there: when it was last edited.

    Returns:
        What still holds. Of a plan that digests changed sessions alone nothing does.
    """
    stale = {name for name, seen in plan.episodes.items() if touched.get(name) != seen}
    if stale and len(stale) == len(plan.episodes):
        return DerivedPlan()
    named = {e.message_id for record in plan.put for e in record.evidence}
    changed = [m for m in plan.seen if m.id not in texts or texts[m.id] != m.updated_at]
    gone = {i for i in named if sessions.get(i) is None or sessions[i] in stale}
    gone |= {message.id for message in changed}
    lost = stale | {name for name in sessions_of(plan) if name not in touched}
    lost |= {message.session_id for message in changed}
    if not gone and not lost:
        return plan
    put = []
    for record in plan.put:
        left = None if record.session_id in stale else without(record, gone, lost)
        if left is not None:
            put.append(left)
    episodes = {name: seen for name, seen in plan.episodes.items() if name not in stale}
    return replace(plan, put=tuple(put), episodes=episodes)
