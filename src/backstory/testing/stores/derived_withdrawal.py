"""The store contract: what goes with messages that are deleted or changed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from backstory.core.model.derived import Event, Texture
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    ODD_IDS,
    VERA,
    MakeStore,
    StoreCase,
    add,
    into,
    run,
)
from backstory.testing.stores.derived_base import (
    HOUR,
    current,
    do,
    event,
    intention,
    keep,
    one_of_each,
    records,
    said_in,
    summary,
    talk,
    told,
)
from backstory.testing.stores.fact_base import fact, put
from backstory.testing.stores.records import edit

Removal = Callable[[Store, str], Awaitable[object]]


async def _delete(store: Store, message_id: str) -> object:
    return await store.messages.delete(VERA, message_id)


async def _edit(store: Store, message_id: str) -> object:
    return await store.messages.edit(VERA, message_id, edit("something else"), NOW + HOUR)


async def _erase_source(store: Store, message_id: str) -> object:
    (message,) = (await store.messages.many(VERA, [message_id])).values()
    row = fact("Lund", said_in=message)
    await put(store, row)
    return await store.facts.erase(VERA, row.id, erase_source=True, now=NOW)


WAYS: tuple[Removal, ...] = (_delete, _edit, _erase_source)


class DerivedWithdrawalContract(StoreCase):
    """No word of a deleted message stays in anything that was derived from it."""

    def test_what_rests_on_one_message_goes_with_it(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for way in WAYS:
                kept, gone = (await add(store, "one", "two")).messages
                given = one_of_each(gone)
                await keep(store, *given, event("of the other", kept, session_id="walk"))
                await way(store, gone.id)
                assert told(await records(store)) == ["of the other"]
                await store.messages.delete_all(VERA, None)
                assert await records(store) == []

        run(make_store, act)

    def test_what_rests_on_others_too_loses_the_words(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for way in WAYS:
                kept, gone = (await add(store, "one", "two")).messages
                both = event("of both", kept, gone)
                await keep(store, both)
                await way(store, gone.id)
                assert await records(store) == [replace(both, evidence=said_in(kept))]
                await store.messages.delete_all(VERA, None)
                assert await records(store) == []

        run(make_store, act)

    def test_what_is_of_one_piece_goes_whole(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            kept, gone = (await add(store, "one", "two")).messages
            (other,) = (await add(store, "three", session=into("walk"))).messages
            await keep(store, *one_of_each(kept, gone), *one_of_each(other, session="walk"))
            await keep(store, summary("of a day", sessions=("talk", "walk"), starts_on=NOW.date()))
            before = {type(r).__name__ for r in await records(store)}
            await store.messages.delete(VERA, gone.id)
            left = [r for r in await records(store) if r.session_id == "talk"]
            whole = {"Summary", "Observation", "Texture", "Quality"}
            assert {type(r).__name__ for r in left} == before - whole
            walk = [r for r in await records(store) if r.session_id == "walk"]
            assert len(walk) == len(one_of_each())

        run(make_store, act)

    def test_one_piece_that_names_no_message_goes_with_its_session(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            (gone,) = (await add(store, "one")).messages
            await add(store, "two", session=into("walk"))
            made = [r for r in one_of_each() if isinstance(r, Texture)]
            walk = replace(made[0], id="walk", mode="walk", session_id="walk")
            await keep(store, made[0], walk)
            await store.messages.delete(VERA, gone.id)
            assert [r.id for r in await records(store)] == ["walk"]

        run(make_store, act)

    def test_every_version_is_looked_at(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store, "walk")
            one, two = (await add(store, "one", "two")).messages
            changed = event("first", one)
            await keep(store, changed, summary("s1", "walk", evidence=said_in(one)))
            await keep(
                store,
                replace(changed, predicate="second", evidence=said_in(one, two)),
                summary("s2", "walk", evidence=said_in(two)),
                now=NOW + HOUR,
            )
            await store.messages.delete(VERA, one.id)
            # the first version rested on it alone; the second was known since it was written
            (left,) = await records(store)
            assert isinstance(left, Event)
            assert (left.predicate, left.evidence) == ("second", said_in(two))
            assert (left.recorded_at, left.replaced_at) == (NOW + HOUR, None)

        run(make_store, act)

    def test_the_version_before_is_current_again(self, make_store: MakeStore) -> None:
        async def act(one: Store, other: Store) -> None:
            first, second = (await add(one, "one", "two")).messages
            changed = event("first", first)
            await keep(one, changed)
            new = replace(changed, predicate="second", evidence=said_in(second))
            await keep(one, new, now=NOW + HOUR)
            assert told(await current(other)) == ["second"]
            await one.messages.delete(VERA, second.id)
            assert await current(other) == await current(one) == [changed]
            assert [p.text for p in await one.derived.pending(VERA, "default", 9)] == ["first"]

        run(make_store, act, stores=2)

    def test_what_was_saved_by_hand_stays(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one")
            given = (intention(session_id="talk"), event("by hand", session_id="talk"))
            await keep(store, *given)
            await store.messages.delete_all(VERA, None)
            assert await records(store) == list(given)

        run(make_store, act)

    def test_a_deleted_session_takes_what_is_of_it(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            (gone,) = (await add(store, "one")).messages
            (kept,) = (await add(store, "two", session=into("walk"))).messages
            bob = Scope("default", "bob")
            (others,) = (await add(store, "three", scope=bob)).messages
            await keep(store, *one_of_each(gone), *one_of_each(kept, session="walk", mark="w"))
            await keep(store, *one_of_each(others), scope=bob)
            await store.messages.delete_all(VERA, "talk")
            left = await records(store)
            assert len(left) == len(one_of_each())
            assert all("名" not in repr(record) for record in left)
            assert len(await records(store, bob)) == len(one_of_each())

        run(make_store, act)

    def test_a_withdrawn_record_goes_too(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            (gone,) = (await add(store, "one")).messages
            (kept,) = await keep(store, event("ran", gone))
            await do(store, withdraw=(kept.id,), now=NOW + HOUR)
            assert len(await records(store)) == 1
            await store.messages.delete(VERA, gone.id)
            assert await records(store) == []

        run(make_store, act)

    def test_odd_names_of_sessions_and_many_messages(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            said = [(await add(store, "hello", session=into(n))).messages[0] for n in ODD_IDS]
            made = [
                record
                for message in said
                for record in (event("ran", message), summary("s", message.session_id))
            ]
            await keep(store, *made)
            for message in said[::3]:
                await store.messages.delete(VERA, message.id)
            gone = {m.session_id for m in said[::3]}
            left = [e.message_id for r in await records(store) for e in r.evidence]
            assert left == [m.id for m in said if m.session_id not in gone]
            summaries = [name for r in await records(store) for name in r.covers]
            assert summaries == [name for name in ODD_IDS if name not in gone]
            many = (await add(store, *(f"text {n}" for n in range(50)))).messages
            await keep(store, *(event(message.text, message) for message in many))
            await store.messages.delete_all(VERA, "talk")
            assert len(await records(store)) == len(left) + len(summaries)

        run(make_store, act)
