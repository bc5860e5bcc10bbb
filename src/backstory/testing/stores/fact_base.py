"""Short ways to write facts and to look at them, for the parts of the contract about facts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.model.contradiction import ContradictionState
from backstory.core.model.fact import (
    USER,
    Change,
    Evidence,
    Fact,
    FactCorrection,
    FactRevision,
    FactStatus,
)
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter, NewTexts, Planner
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, add, new_id, terms

HOME = "home.place"
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
LATER = NOW + DAY
ALL = FactFilter()
NO_BOOK = FactBook()
NOTHING = FactsWanted()
EVERYTHING = FactsWanted(everything=True)
# What a person may say: a store keeps it as it is, whatever its script, length and signs.
ODD_VALUES = (
    "100 %",
    "snake_case_",
    "%",
    'O\'Brien "Bob" \\ ; DROP TABLE facts; --',
    "$1 :name {x} %s ?",
    "שלום עולם \u202eabc\u202c",
    "مرحبا، كيف الحال؟",
    "東京都渋谷区",
    "👩‍👩‍👧 🏳️‍🌈",
    "e\u0301mile",
    "line one\nline two\ttab",
    " blanks around ",
    "null",
    "x" * 512,
    "名" * 512,
    "long " * 20_000,
)


def fact(
    value: str = "Lund",
    key: str = HOME,
    *,
    scope: Scope = VERA,
    at: datetime = NOW,
    said_in: Message | None = None,
    **more: Any,
) -> Fact:
    """A current fact that was stored at ``at`` and holds since then.

    Args:
        value: Its value.
        key: Its slot.
        scope: Whose it is.
        at: Its times, where ``more`` gives no others.
        said_in: The message that it was said in.
        more: Other fields of the row.
    """
    given: dict[str, Any] = {
        "id": new_id(),
        "user_id": scope.user_id,
        "key": key,
        "value": value,
        "recorded_at": at,
        "believed_at": at,
        "valid_from": at,
        "evidence": () if said_in is None else (quote(said_in),),
    }
    return Fact(**{**given, **more})


def quote(message: Message) -> Evidence:
    """All words of a message as evidence."""
    return Evidence(message_id=message.id, quote=message.text)


def plan_of(*rows: Fact, **more: Any) -> FactPlan:
    """A plan that writes these rows; ``more`` are its other parts."""
    return FactPlan(facts={row.id: row for row in rows}, **more)


def words(facts: Sequence[Fact]) -> NewTexts:
    """The words of facts; what they are does not matter to a store."""
    return NewTexts(terms={row.id: terms(row.value) for row in facts}, terms_version=1)


async def change(
    store: Store,
    plan: Planner,
    *,
    wanted: FactsWanted = NOTHING,
    announced: frozenset[tuple[str, str, str]] = frozenset(),
    scope: Scope = VERA,
    now: datetime = NOW,
) -> FactPlan:
    """Load, decide, write."""
    return await store.facts.change(scope, wanted, announced, plan, words, now)


async def put(
    store: Store,
    *rows: Fact,
    scope: Scope = VERA,
    now: datetime = NOW,
    wanted: FactsWanted = EVERYTHING,
    **more: Any,
) -> None:
    """Write rows, and what else a plan holds, having looked at all there is."""
    given = plan_of(*rows, **more)
    await change(store, lambda _: given, wanted=wanted, scope=scope, now=now)


async def look(
    store: Store,
    wanted: FactsWanted = EVERYTHING,
    announced: frozenset[tuple[str, str, str]] = frozenset(),
    scope: Scope = VERA,
) -> FactBook:
    """What a planner would be given. Messages that are wanted as unread become read by it."""
    seen: list[FactBook] = []

    def plan(book: FactBook) -> FactPlan:
        seen.append(book)
        return FactPlan()

    await change(store, plan, wanted=wanted, announced=announced, scope=scope)
    return seen[-1]


async def facts_of(store: Store, scope: Scope = VERA, chosen: FactFilter = ALL) -> list[Fact]:
    """All facts that pass, in order of recording."""
    return [row for _, row in await store.facts.listed(scope, chosen, None)]


async def values(store: Store, scope: Scope = VERA, chosen: FactFilter = ALL) -> list[str]:
    """Their values."""
    return [row.value for row in await facts_of(store, scope, chosen)]


def revision(book: FactBook, old: Fact, now: datetime) -> FactRevision:
    """The state that a row had until now."""
    return FactRevision(
        fact_id=old.id,
        revision=1 + sum(state.fact_id == old.id for state in book.revisions),
        value=old.value,
        status=old.status,
        valid_from=old.valid_from,
        valid_until=old.valid_until,
        believed_at=old.believed_at,
        replaced_at=now,
    )


def correction(old: Fact, what: Change, now: datetime, **more: Any) -> FactCorrection:
    """A line of the log about a row."""
    given: dict[str, Any] = {
        "id": new_id(),
        "user_id": old.user_id,
        "fact_id": old.id,
        "subject": old.subject,
        "key": old.key,
        "change": what,
        "old_value": old.value,
        "new_value": None,
        "actor": "rules",
        "reason": "said so",
        "at": now,
    }
    return FactCorrection(**{**given, **more})


def next_value(new: Fact) -> Planner:
    """A planner that puts a row in the place of its slot's current one.

    The time is one second after all that the slot knows, so that writers who come together make
    one chain, whichever of them is first.
    """

    def plan(book: FactBook) -> FactPlan:
        rows = book.slot(new.subject, new.key)
        now = max([row.believed_at + SECOND for row in rows], default=new.believed_at)
        current = [row for row in rows if row.status is FactStatus.ACTIVE]
        taking = replace(new, recorded_at=now, believed_at=now, valid_from=now)
        closed = [supersede(row, taking, now) for row in current]
        return plan_of(
            *closed,
            taking,
            revisions=tuple(revision(book, row, now) for row in current),
            corrections=tuple(
                correction(
                    row,
                    Change.SUPERSEDED,
                    now,
                    new_value=new.value,
                    other_id=new.id,
                    evidence=new.evidence,
                )
                for row in current
            ),
        )

    return plan


def supersede(old: Fact, new: Fact, now: datetime) -> Fact:
    """A row as it is after another has followed it."""
    return replace(
        old,
        status=FactStatus.SUPERSEDED,
        valid_until=new.valid_from,
        superseded_at=now,
        superseded_by=new.id,
        believed_at=now,
    )


async def follow(store: Store, new: Fact, *, scope: Scope = VERA, now: datetime = NOW) -> FactPlan:
    """Put a row in the place of its slot's current one."""
    wanted = FactsWanted(slots=frozenset({(new.subject, new.key)}))
    return await change(store, next_value(new), wanted=wanted, scope=scope, now=now)


def slot(key: str = HOME, subject: str = USER) -> FactsWanted:
    """All rows of one slot."""
    return FactsWanted(slots=frozenset({(subject, key)}))


async def said_to(store: Store, *lines: str) -> tuple[Message, ...]:
    """Record messages."""
    return (await add(store, *lines)).messages


async def shown(store: Store, scope: Scope = VERA) -> str:
    """All that a store gives of a user's facts, as one text."""
    rows = await facts_of(store, scope)
    every = frozenset(ContradictionState)
    parts: list[object] = [
        rows,
        [await store.facts.history(scope, row.id) for row in rows],
        await store.facts.as_of(scope, LATER, None, ALL),
        await store.facts.as_of(scope, NOW, NOW, ALL),
        await store.facts.texts(scope, None, -1),
        await store.facts.pending(scope, scope.tenant_id, 99),
        await store.contradictions.listed(scope, every),
        await look(store, scope=scope),
    ]
    return repr(parts)
