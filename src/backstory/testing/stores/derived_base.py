"""Short ways to write derived records and to look at them, for the contract about them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import (
    Derived,
    EmotionalMoment,
    Event,
    GraphEntity,
    Intention,
    Observation,
    Quality,
    Relation,
    Summary,
    SummaryKind,
    Texture,
)
from backstory.core.model.fact import Evidence
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.ports.derived import DueSession
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, add, generation, into, new_id, vector_of

HOUR = timedelta(hours=1)
MARCH = date(2026, 3, 1)


def said_in(*messages: Message, quote: str = "") -> tuple[Evidence, ...]:
    """Evidence in messages, with their words or a quote."""
    return tuple(Evidence(message_id=m.id, quote=quote or m.text) for m in messages)


def _common(given: dict[str, Any]) -> dict[str, Any]:
    return {"id": new_id(), "user_id": VERA.user_id, "at": NOW, "recorded_at": NOW, **given}


def event(predicate: str = "ran a race", *messages: Message, **more: Any) -> Event:
    """An event that was told in messages."""
    given = {"occurred_on": MARCH, "evidence": said_in(*messages), **more}
    return Event(predicate=predicate, **_common(given))


def summary(text: str = "Vera ran.", session: str = "talk", **more: Any) -> Summary:
    """The summary of a session."""
    given = {
        "kind": SummaryKind.SESSION,
        "session_id": session,
        "starts_on": MARCH,
        "ends_on": MARCH,
        "messages": 1,
        "sessions": (session,),
        **more,
    }
    return Summary(text=text, **_common(given))


def intention(what: str = "call Sam", **more: Any) -> Intention:
    """Something that was saved deliberately."""
    return Intention(what=what, **_common(more))


def one_of_each(*messages: Message, mark: str = "名", session: str = "talk") -> list[Derived]:
    """A record of every kind, each with a text that holds ``mark``."""
    said = {"evidence": said_in(*messages), "session_id": session}
    person = GraphEntity(kind="person", label=mark, aliases=(f"{mark} B",), **_common(said))
    place = GraphEntity(kind="place", label=f"{mark} place", **_common(said))
    return [
        event(mark, *messages, session_id=session, expression=f"{mark} then"),
        summary(f"{mark} summary", session),
        EmotionalMoment(valence=-0.5, intensity=0.75, tags=(mark,), quote=mark, **_common(said)),
        Observation(
            pattern=f"topic:{mark}",
            text=f"{mark} often",
            confidence=0.5,
            first_seen=NOW - HOUR,
            last_seen=NOW,
            sessions=(session,),
            **_common(said),
        ),
        Texture(mode=mark, throughline=f"{mark} line", register="calm", **_common(said)),
        Intention(what=mark, when_hint=f"{mark} soon", surfaced_on=MARCH, **_common(said)),
        Quality(
            message_id=messages[0].id if messages else "m",
            output_integrity=0.25,
            integrity_parts={mark: 1.0},
            **_common(said),
        ),
        person,
        place,
        Relation(
            type="lives_in",
            subject_id=person.id,
            object_id=place.id,
            valid_from=NOW,
            **_common(said),
        ),
    ]


async def talk(store: Store, *names: str, scope: Scope = VERA) -> None:
    """Let there be sessions."""
    for name in names or ("talk", "walk"):
        await add(store, "hello", scope=scope, session=into(name))


async def keep(
    store: Store, *records: Derived, scope: Scope = VERA, now: datetime = NOW, **more: Any
) -> tuple[Derived, ...]:
    """Write records; gives them as they are stored."""
    plan = DerivedPlan(put=records, **more)
    return (await store.derived.change(scope, lambda _: plan, now)).put


async def do(store: Store, scope: Scope = VERA, now: datetime = NOW, **plan: Any) -> DerivedPlan:
    """Write a plan."""
    return await store.derived.change(scope, lambda _: DerivedPlan(**plan), now)


async def records(store: Store, scope: Scope = VERA) -> list[Derived]:
    """All versions of all records, in order of recording."""
    return list(await store.derived.book(scope))


async def current(store: Store, scope: Scope = VERA) -> list[Derived]:
    """The current ones."""
    return [record for record in await records(store, scope) if record.replaced_at is None]


def told(book: DerivedBook | Sequence[Derived], known_at: datetime | None = None) -> list[str]:
    """What the events and summaries that were known at a time say."""
    whole = book if isinstance(book, DerivedBook) else DerivedBook(tuple(book))
    events = [record.predicate for record in whole.of(Event, known_at)]
    return events + [record.text for record in whole.of(Summary, known_at)]


async def due(store: Store, scope: Scope | None = VERA, **more: Any) -> list[DueSession]:
    """The sessions that must be digested."""
    return await store.derived.due(scope, "default", more.pop("limit", 99), **more)


async def embed_derived(store: Store, scope: Scope = VERA) -> Mapping[str, bytes]:
    """Give every record that needs one a vector; gives them by id."""
    pending = await store.derived.pending(scope, scope.tenant_id, 999)
    made = {item.id: (item.recorded_at, vector_of(item.text)) for item in pending}
    saved = await store.derived.save_vectors(scope, await generation(store), made)
    assert saved == len(made)
    return {name: vector for name, (_, vector) in made.items()}
