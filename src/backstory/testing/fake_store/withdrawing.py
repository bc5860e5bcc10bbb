"""What goes with a message in memory."""

from dataclasses import replace
from datetime import UTC, datetime

from backstory.core.facts.book import FactsWanted
from backstory.core.facts.withdrawing import withdraw
from backstory.testing.fake_store.books import apply_plan, load_book
from backstory.testing.fake_store.state import UserState

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def delete_messages(state: UserState, ids: frozenset[str], now: datetime) -> None:
    """Remove messages, and what they alone said."""
    present = ids & state.messages.keys()
    withdraw_messages(state, present, now)
    for name in present:
        del state.messages[name]
    if present:
        state.epoch += 1


def withdraw_messages(state: UserState, ids: frozenset[str], now: datetime) -> None:
    """Take back what was read of messages, and their words wherever they are quoted."""
    book = load_book(state, FactsWanted(message_ids=ids), frozenset())
    if book.facts:
        apply_plan(state, withdraw(book, ids, now))
    for name, line in state.corrections.items():
        kept = tuple(e for e in line.evidence if e.message_id not in ids)
        state.corrections[name] = replace(line, evidence=kept)
    for name, contradiction in state.contradictions.items():
        kept = tuple(e for e in contradiction.evidence if e.message_id not in ids)
        state.contradictions[name] = replace(contradiction, evidence=kept)


def latest(state: UserState) -> datetime:
    """The latest time that is known of a user's rows."""
    times = [row.message.updated_at or row.message.recorded_at for row in state.messages.values()]
    return max([*times, *(row.fact.believed_at for row in state.facts.values())], default=_NEVER)
