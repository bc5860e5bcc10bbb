"""What goes with a message in memory."""

from dataclasses import replace
from datetime import UTC, datetime

from backstory.core.facts.book import FactsWanted
from backstory.core.facts.draft import By, Draft
from backstory.core.facts.restoring import mend
from backstory.core.facts.withdrawing import withdraw
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.testing.fake_store.books import apply_plan, load_book
from backstory.testing.fake_store.derived import withdraw_derived
from backstory.testing.fake_store.state import UserState

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def delete_messages(state: UserState, scope: Scope, ids: frozenset[str], now: datetime) -> None:
    """Remove messages, and what they alone said."""
    present = ids & state.messages.keys()
    withdraw_messages(state, scope, present, now)
    for name in present:
        del state.messages[name]
    if present:
        state.epoch += 1


def withdraw_messages(state: UserState, scope: Scope, ids: frozenset[str], now: datetime) -> None:
    """Take back what was read of messages, and their words wherever they are quoted."""
    withdraw_derived(state, scope, ids, now)
    book = load_book(state, FactsWanted(message_ids=ids), frozenset())
    if book.facts:
        apply_plan(state, withdraw(book, ids, now))
    for name, line in state.corrections.items():
        kept = tuple(e for e in line.evidence if e.message_id not in ids)
        state.corrections[name] = replace(line, evidence=kept)
    for name, contradiction in state.contradictions.items():
        kept = tuple(e for e in contradiction.evidence if e.message_id not in ids)
        state.contradictions[name] = replace(contradiction, evidence=kept)


def erase_fact(state: UserState, fact: Fact, now: datetime) -> set[tuple[str, str, str]]:
    """Remove a row with what it said anywhere; its neighbours close up.

    Returns:
        The (subject, key, normal value) triples that it held, earlier ones too.
    """
    book = load_book(state, FactsWanted(fact_ids=frozenset({fact.id})), frozenset())
    held = [fact.value, *(r.value for r in book.revisions if r.fact_id == fact.id)]
    values = {normal_value(value) for value in held}
    draft = Draft(book, user_id=fact.user_id, now=now, new_ids=[f"{fact.id}-erased"])
    draft.start(By(actor="api", reason="another fact was erased", at=now))
    draft.removed.add(fact.id)
    for name, known in book.contradictions.items():
        if fact.id in (known.stored_fact_id, known.stated_fact_id):
            draft.removed.add(name)
            del draft.contradictions[name]
    mend(draft, fact.subject, fact.key)
    apply_plan(state, draft.plan())
    for name, known in list(state.contradictions.items()):
        told = (known.stored_value, known.stated_value, known.held_value or "")
        if (known.subject, known.key) == (fact.subject, fact.key) and not values.isdisjoint(
            normal_value(value) for value in told
        ):
            del state.contradictions[name]
    return {(fact.subject, fact.key, value) for value in values}


def latest(state: UserState) -> datetime:
    """The latest time that is known of a user's rows."""
    times = [row.message.updated_at or row.message.recorded_at for row in state.messages.values()]
    return max([*times, *(row.fact.believed_at for row in state.facts.values())], default=_NEVER)
