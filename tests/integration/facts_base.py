"""Plain plans to test the fact tables with: no rules about what a statement means."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.location import Location
from backstory.core.model.contradiction import Contradiction, GatePath
from backstory.core.model.fact import (
    Cardinality,
    Change,
    Evidence,
    Fact,
    FactCorrection,
    FactRevision,
    FactStatus,
)
from backstory.core.model.scope import Scope
from backstory.ports.facts import NewTexts
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, new_id, terms

EMPLOYER = ("user", "work.employer")
HOUR = timedelta(hours=1)


async def opened(place: Location, **options: Any) -> SqlStore:
    """An open store."""
    store = make_store(place, **options)
    await store.open(may_upgrade=True)
    return store


def place_of(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """A database with tables and no rows, of the kind that a fixture asks for."""
    if request.param == "sqlite":
        path = tmp_path / "memory.db"
        path.write_bytes(request.getfixturevalue("ready_sqlite"))
        return Location("sqlite", str(path))
    return Location("postgres", request.getfixturevalue("ready_postgres_url"))


def fact(value: str, *, scope: Scope = VERA, at: datetime = NOW, **given: Any) -> Fact:
    """A current row."""
    given.setdefault("key", EMPLOYER[1])
    given.setdefault("valid_from", at)
    return Fact(
        id=given.pop("id", None) or new_id(),
        user_id=scope.user_id,
        value=value,
        recorded_at=at,
        believed_at=at,
        last_mention_at=at,
        **given,
    )


def quote(*messages: tuple[str, str]) -> tuple[Evidence, ...]:
    """Evidence of (message id, words)."""
    return tuple(Evidence(message_id=message_id, quote=words) for message_id, words in messages)


def line(old: Fact, new: Fact | None, change: Change, at: datetime, **given: Any) -> FactCorrection:
    """A line of the log."""
    return FactCorrection(
        id=new_id(),
        user_id=old.user_id,
        fact_id=old.id,
        other_id=new.id if new else None,
        subject=old.subject,
        key=old.key,
        change=change,
        old_value=old.value,
        new_value=new.value if new else None,
        actor="rules",
        reason=given.pop("reason", "said anew"),
        at=at,
        **given,
    )


def dispute(stored: Fact, stated: str, **given: Any) -> Contradiction:
    """An open contradiction."""
    given.setdefault("opened_at", NOW)
    return Contradiction(
        id=given.pop("id", None) or new_id(),
        user_id=stored.user_id,
        subject=stored.subject,
        key=stored.key,
        stored_value=stored.value,
        stated_value=stated,
        stored_fact_id=stored.id,
        gate_path=GatePath.SAME_KEY,
        gate_reason="another answer",
        last_seen_at=given["opened_at"],
        **given,
    )


def changed(old: Fact, book: FactBook, at: datetime, **changes: Any) -> tuple[Fact, FactRevision]:
    """A row after a change, and the state that it had."""
    number = sum(revision.fact_id == old.id for revision in book.revisions) + 1
    state = FactRevision(
        fact_id=old.id,
        revision=number,
        value=old.value,
        status=old.status,
        valid_from=old.valid_from,
        valid_until=old.valid_until,
        believed_at=old.believed_at,
        replaced_at=at,
    )
    return replace(old, believed_at=at, **changes), state


def current(book: FactBook, slot: tuple[str, str]) -> Fact | None:
    """The active row of a slot."""
    rows = [row for row in book.slot(*slot) if row.status is FactStatus.ACTIVE]
    return rows[-1] if rows else None


def say(new: Fact) -> Callable[[FactBook], FactPlan]:
    """A plan that supersedes whatever the slot of a row holds, or mentions it again."""

    def plan(book: FactBook) -> FactPlan:
        old = current(book, (new.subject, new.key))
        if old is None or (new.cardinality is Cardinality.MANY and old.value != new.value):
            return FactPlan(facts={new.id: new})
        at = max(new.believed_at, old.believed_at)
        if old.value == new.value:
            again = replace(old, mentions=old.mentions + 1, evidence=old.evidence + new.evidence)
            return FactPlan(facts={old.id: again})
        closed, state = changed(
            old,
            book,
            at,
            status=FactStatus.SUPERSEDED,
            valid_until=new.valid_from,
            superseded_at=at,
            superseded_by=new.id,
        )
        entry = line(old, new, Change.SUPERSEDED, at, evidence=new.evidence)
        # the new row is named first: the store must write it last
        return FactPlan(
            facts={new.id: new, closed.id: closed}, revisions=(state,), corrections=(entry,)
        )

    return plan


def words(facts: Sequence[Fact]) -> NewTexts:
    """Terms of rows."""
    return NewTexts(terms={f.id: terms(f.value) for f in facts}, terms_version=1)


async def put(
    store: SqlStore,
    *facts: Fact,
    scope: Scope = VERA,
    unread: Sequence[tuple[str, int]] = (),
) -> list[FactPlan]:
    """Say facts one after the other."""
    return [
        await store.facts.change(
            scope,
            FactsWanted(slots=frozenset({(f.subject, f.key)}), unread=frozenset(unread)),
            frozenset(),
            say(f),
            words,
            f.believed_at,
        )
        for f in facts
    ]


async def apply(
    store: SqlStore,
    wanted: FactsWanted,
    plan: Callable[[FactBook], FactPlan],
    scope: Scope = VERA,
    announced: frozenset[tuple[str, str, str]] = frozenset(),
    now: datetime = NOW,
) -> FactPlan:
    """Apply any plan."""
    return await store.facts.change(scope, wanted, announced, plan, words, now)
