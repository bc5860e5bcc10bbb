"""The store contract: derived records, alone and written with messages and readings."""

import asyncio
from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.facts.book import FactPlan, FactsWanted
from backstory.core.model.derived import Event, GraphEntity, Observation
from backstory.core.model.derived.graph import Relation
from backstory.core.model.fact import Evidence
from backstory.core.model.scope import Scope
from backstory.core.model.sentiment import Sentiment
from backstory.errors import InvalidInputError
from backstory.ports.facts import NewTexts
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    VERA,
    MakeStore,
    StoreCase,
    add,
    generation,
    run,
    said,
    vector_of,
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
    summary,
    talk,
    told,
)
from backstory.testing.stores.fact_base import ODD_VALUES
from backstory.testing.stores.records import STRANGERS, edit

_MICRO = timedelta(microseconds=1)


class DerivedContract(StoreCase):
    """What is written is in the book at once, as it was, and in nobody else's."""

    def test_keeps_every_field_of_every_kind(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "hello")).messages[0]
            given = one_of_each(message)
            assert list(await keep(store, *given)) == given
            assert await records(store) == given

        async def read(store: Store) -> None:
            found = await records(store)
            assert len(found) == 10
            assert {type(r) for r in found} == {type(r) for r in one_of_each()}
            for record in found:
                assert await store.derived.find("default", record.id, None) == record
                assert await store.derived.find("default", record.id, "vera") == record
                assert await store.derived.find("other", record.id, None) is None
                assert await store.derived.find("default", record.id, "bob") is None

        run(make_store, act, read)

    def test_keeps_any_text_or_what_comes_back_of_it(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            given = [event(text, subject=text, expression=text) for text in ODD_VALUES]
            pattern = next(r for r in one_of_each() if isinstance(r, Observation))
            slots = [
                replace(pattern, id=f"slot {n}", pattern=text, session_id=None)
                for n, text in enumerate(ODD_VALUES)
            ]
            await keep(store, *given, *slots)
            assert await records(store) == [*given, *slots]
            again = [replace(one, id="other", text="again") for one in slots]
            assert [r.id for r in await keep(store, *again[:1])] == ["slot 0"]
            (bad,) = await keep(store, event("a\0b\ud800c"))
            assert isinstance(bad, Event)
            assert bad.predicate == "a\ufffdb\ufffdc"
            assert await store.derived.find("default", bad.id, None) == bad

        run(make_store, act)

    def test_refuses_what_it_could_not_give_back(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            entity = one_of_each()[7]
            assert isinstance(entity, GraphEntity)
            relation = Relation(
                id="r",
                user_id="vera",
                at=NOW,
                recorded_at=NOW,
                type="knows",
                subject_id="a",
                object_id="b",
            )
            for wrong in (
                event(id=""),
                event(id="x" * 65),
                event(at=NOW.replace(tzinfo=None)),
                replace(relation, valid_from=NOW.replace(tzinfo=None)),
                replace(relation, confidence=float("nan")),
            ):
                with pytest.raises(InvalidInputError):
                    await keep(store, event("beside it"), wrong)
            assert await records(store) == []

        run(make_store, act)

    def test_times_of_any_zone_are_instants(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            zone = timezone(timedelta(hours=5, minutes=45))
            (kept,) = await keep(store, event(at=NOW.astimezone(zone)), now=NOW.astimezone(zone))
            assert kept.at.utcoffset() == timedelta(0)
            assert (kept.at, kept.recorded_at) == (NOW, NOW)
            assert await records(store) == [kept]

        run(make_store, act)

    def test_nobody_else_sees_or_changes_them(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            (kept,) = await keep(store, event("mine", user_id="somebody else"))
            assert kept.user_id == "vera"
            for other in STRANGERS:
                assert await records(store, other) == []
                assert told(await store.derived.book(other)) == []
                await do(store, other, withdraw=(kept.id,), erase=(kept.id,))
                (own,) = await keep(store, event("own", id=kept.id), scope=other)
                assert own.user_id == other.user_id
                assert [r.id for r in await records(store, other)] == [kept.id]
            assert await records(store) == [kept]

        run(make_store, act)

    def test_an_unknown_user_is_made_by_what_is_written(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            other = Scope("default", "new")
            await do(store, other, withdraw=("x",), erase=("y",))
            assert (await store.derived.book(other)).records == ()
            seen: list[int] = []

            def plan(book: DerivedBook) -> DerivedPlan:
                seen.append(len(book.records))
                return DerivedPlan(put=(intention(),))

            await store.derived.change(other, plan, NOW)
            assert set(seen) == {0}
            assert [user.user_id for user in await store.sessions.users("default")] == ["new"]
            assert len(await records(store, other)) == 1

        run(make_store, act)

    def test_many_at_once(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            given = [event(f"event {n}", at=NOW + n * HOUR) for n in range(600)]
            await keep(store, *given)
            assert await records(store) == given
            await do(store, withdraw=tuple(r.id for r in given[:300]), now=NOW + HOUR)
            assert len(await current(store)) == 300

        run(make_store, act)

    def test_a_write_beside_forgetting_is_forgotten_or_begins_anew(
        self, make_store: MakeStore
    ) -> None:
        async def act(*stores: Store) -> None:
            await talk(stores[0])
            await keep(stores[0], event("old"), summary("old"))
            for store in stores:
                assert len(await records(store)) == 2

            async def write(n: int) -> None:
                store = stores[n % 3]
                new = said(f"turn {n}")
                await add(store, replace(new, derived=(event(f"new {n}", id=f"new {n}"),)))
                await keep(store, event(f"new {n}"), summary(f"new {n}"))
                pending = await store.derived.pending(VERA, "default", 99)
                made = {item.id: (item.recorded_at, vector_of(item.text)) for item in pending}
                await store.derived.save_vectors(VERA, await generation(store), made)

            writes = [write(n) for n in range(8)]
            await asyncio.gather(*writes[::2], stores[1].erasure.forget(VERA), *writes[1::2])
            found = await records(stores[0])
            assert all("old" not in repr(record) for record in found)
            for store in stores:
                assert await records(store) == found
            await stores[2].erasure.forget(VERA)
            for store in stores:
                assert await records(store) == []

        run(make_store, act, stores=3)


class DerivedWithOthersContract(StoreCase):
    """Records that are written together with messages and readings."""

    def test_a_message_brings_its_sentiment_and_records(self, make_store: MakeStore) -> None:
        feeling = Sentiment(valence=-0.5, arousal=0.25)

        async def act(store: Store) -> None:
            new = said("I am sad", "m1")
            quote = Evidence(message_id=new.id, quote="sad")
            moment = replace(one_of_each()[2], evidence=(quote,), session_id=None)
            given = replace(new, sentiment=feeling, derived=(moment,))
            (message,) = (await add(store, given)).messages
            assert message.sentiment == feeling
            (kept,) = await records(store)
            assert (kept.id, kept.evidence, kept.session_id) == (moment.id, (quote,), "talk")
            # the same again is the message that is there
            double = replace(said("I am sad", "m1"), derived=(replace(moment, id="double"),))
            await add(store, double, "ok")
            assert await records(store) == [kept]

        async def read(store: Store) -> None:
            sad, plain = await store.sessions.tail(VERA, "talk", 9)
            assert (sad.sentiment, plain.sentiment) == (feeling, None)
            assert (await store.messages.many(VERA, [sad.id]))[sad.id].sentiment == feeling

        run(make_store, act, read)

    def test_an_edit_withdraws_and_brings_anew(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            feeling = Sentiment(valence=0.75, arousal=0.5, dominance=-0.25)
            (message,) = (await add(store, replace(said("sad"), sentiment=feeling))).messages
            await keep(store, event("was sad", message))
            new = replace(edit("glad"), sentiment=None, derived=(event("was glad", message),))
            edited = await store.messages.edit(VERA, message.id, new, NOW + HOUR)
            assert edited is not None
            assert edited.message.sentiment is None
            assert told(await records(store)) == ["was glad"]
            # only the metadata: what was read stays, and nothing comes beside it
            same = replace(edit("glad", note=1), sentiment=feeling, derived=(event("no", message),))
            await store.messages.edit(VERA, message.id, same, NOW + HOUR)
            assert told(await records(store)) == ["was glad"]
            (found,) = (await store.messages.many(VERA, [message.id])).values()
            assert found.sentiment is None

        run(make_store, act)

    def test_a_reading_writes_both_at_once(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            (message,) = (await add(store, "I ran on Sunday")).messages
            await keep(store, event("walked", message))
            books: list[list[str]] = []

            def derived(book: DerivedBook) -> DerivedPlan:
                books.append(told(book))
                return DerivedPlan(put=(event("ran", message),))

            wanted = FactsWanted(unread=frozenset({(message.id, 1)}))
            plan = FactPlan(derived=derived)
            nothing = frozenset[tuple[str, str, str]]()
            await store.facts.change(
                VERA, wanted, nothing, lambda _: plan, lambda _: NewTexts(), NOW
            )
            assert books[-1] == ["walked"]
            assert told(await records(store)) == ["walked", "ran"]
            assert await store.facts.count_unread(VERA, "default") == 0

            def wrong(_: DerivedBook) -> DerivedPlan:
                return DerivedPlan(put=(event(id=""),))

            (other,) = (await add(store, "and swam")).messages
            wanted = FactsWanted(unread=frozenset({(other.id, 1)}))
            failing = FactPlan(derived=wrong)
            with pytest.raises(InvalidInputError):
                await store.facts.change(
                    VERA, wanted, nothing, lambda _: failing, lambda _: NewTexts(), NOW
                )
            assert await store.facts.count_unread(VERA, "default") == 1

        run(make_store, act)
