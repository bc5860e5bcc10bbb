"""Reading messages while they are stored, in memory."""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from backstory.core.facts.book import FactPlan
from backstory.core.model.scope import Scope
from backstory.ports.at_once import AtOnce, FactChange, NewerFacts, ReadDone, Stamp
from backstory.testing.fake_store.books import apply_plan, load_book
from backstory.testing.fake_store.facts import texts_of
from backstory.testing.fake_store.reading import unread_of
from backstory.testing.fake_store.state import MemoryDatabase, UserState


def read_at_once(
    database: MemoryDatabase,
    scope: Scope,
    state: UserState,
    session_id: str,
    fresh: AbstractSet[str],
    before: Stamp,
    at_once: AtOnce,
) -> ReadDone | None:
    """Read the new messages of a session, and write what was read.

    Args:
        database: For what was erased.
        scope: The user.
        state: With the messages.
        session_id: Their session.
        fresh: Their ids.
        before: The user's stamp as it was before.
        at_once: What reads.
    """
    parts = unread_of(scope, state, len(state.messages), session_id, None)
    ids = frozenset(message.id for part in parts for message, _ in part.messages)
    if len(parts) != 1 or not ids <= fresh:
        return None
    newer = _newer(state, before, at_once)
    read = at_once.read(parts[0], newer)
    plan = FactPlan()
    if read.change is not None:
        plan = _applied(database, scope, state, read.change)
    for name in ids:
        state.messages[name] = replace(state.messages[name], needs_reading=False)
    wrote = bool(plan.facts or plan.removed or plan.corrections or plan.contradictions)
    stamp = None if wrote else (state.next_seq, state.epoch)
    return ReadDone(made=read.made, plan=plan, newer=newer, stamp=stamp)


def _newer(state: UserState, stamp: Stamp, at_once: AtOnce) -> NewerFacts | None:
    if at_once.stamp == stamp:
        return None
    is_whole = at_once.stamp[1] != stamp[1]
    texts = texts_of(state, None, -1 if is_whole else at_once.seen)
    return NewerFacts(stamp=stamp, texts=texts, is_whole=is_whole)


def _applied(
    database: MemoryDatabase, scope: Scope, state: UserState, change: FactChange
) -> FactPlan:
    hashed = {claim: database.hash_claim(scope, claim) for claim in change.announced}
    erased = frozenset(claim for claim, name in hashed.items() if name in state.erased)
    plan = change.plan(load_book(state, change.wanted, erased))
    apply_plan(state, plan, change.texts(list(plan.facts.values())))
    return plan
