"""The store contract: versions and slots of derived records, and what was known when."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import Intention, Summary
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, add, run
from backstory.testing.stores.derived_base import (
    HOUR,
    do,
    event,
    intention,
    keep,
    records,
    summary,
    talk,
    told,
)

_MICRO = timedelta(microseconds=1)


class VersionContract(StoreCase):
    """A new version keeps the one before, with the time of that."""

    def test_a_version_replaces_the_one_before(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = event("ran")
            await keep(store, first)
            (second,) = await keep(store, replace(first, predicate="walked"), now=NOW + HOUR)
            third = replace(first, predicate="swam")
            (third_kept,) = await keep(store, third, now=NOW + 2 * HOUR)
            assert third_kept.recorded_at == NOW + 2 * HOUR
            found = await records(store)
            assert [r.replaced_at for r in found] == [NOW + HOUR, NOW + 2 * HOUR, None]
            assert found[1] == replace(second, replaced_at=NOW + 2 * HOUR)
            book = await store.derived.book(VERA)
            assert told(book) == ["swam"]
            assert told(book, NOW - _MICRO) == []
            assert told(book, NOW) == ["ran"]
            assert told(book, NOW + HOUR) == ["walked"]
            assert told(book, NOW + 3 * HOUR) == ["swam"]
            assert await store.derived.find("default", first.id, None) == third_kept

        run(make_store, act)

    def test_a_slot_holds_one_current_record(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store)
            (first,) = await keep(store, summary("one"))
            (second,) = await keep(store, summary("two"), now=NOW + HOUR)
            # all versions share an id: erasing it erases all of them
            assert second.id == first.id
            await keep(store, summary("other session", "walk"), now=NOW + HOUR)
            book = await store.derived.book(VERA)
            assert told(book) == ["two", "other session"]
            assert told(book, NOW) == ["one"]
            assert book.in_slot(Summary, "session:talk") == second

        run(make_store, act)

    def test_what_says_nothing_new_is_no_version(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store)
            (first, told_) = await keep(store, summary("one"), event("ran"))
            again = await keep(store, summary("one"), replace(told_, recorded_at=NOW + HOUR))
            assert again == (first, told_)
            assert await records(store) == [first, told_]

        run(make_store, act)

    def test_of_two_in_a_plan_the_last_counts(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store)
            twice = event("first")
            given = (summary("one"), twice, summary("two"), replace(twice, predicate="last"))
            await keep(store, *given)
            assert [r.replaced_at for r in await records(store)] == [None, None]
            assert told(await store.derived.book(VERA)) == ["last", "two"]

        run(make_store, act)

    def test_versions_at_one_moment_are_told_apart(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = event("ran")
            await keep(store, first)
            (second,) = await keep(store, replace(first, predicate="walked"))
            assert second.recorded_at == NOW + _MICRO
            book = await store.derived.book(VERA)
            assert [told(book, NOW), told(book, NOW + _MICRO)] == [["ran"], ["walked"]]

        run(make_store, act)

    def test_a_clock_that_is_behind_makes_no_gap(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = event("ran")
            await keep(store, first, now=NOW + timedelta(minutes=2))
            await keep(store, replace(first, predicate="walked"), now=NOW)
            old, new = await records(store)
            assert old.replaced_at == new.recorded_at == NOW + timedelta(minutes=2) + _MICRO

        run(make_store, act)

    def test_what_was_imported_was_known_when_it_was_said(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store)
            then = [NOW - 9 * HOUR, NOW - 5 * HOUR]
            await keep(store, summary("one", known_from=then[0]), now=NOW)
            await keep(store, summary("two", known_from=then[1]), now=NOW + HOUR)
            book = await store.derived.book(VERA)
            assert told(book, then[0] - _MICRO) == []
            assert told(book, then[0]) == told(book, then[1] - _MICRO) == ["one"]
            assert told(book, then[1]) == told(book) == ["two"]
            # news of an earlier time than what is known: at no time two of them were known
            await keep(store, summary("three", known_from=then[0] - HOUR), now=NOW + 2 * HOUR)
            book = await store.derived.book(VERA)
            times = [then[0] - HOUR, then[0], then[1], NOW, NOW + HOUR, NOW + 2 * HOUR]
            assert all(len(told(book, at)) == 1 for at in times)
            assert told(book) == ["three"]

        run(make_store, act)

    def test_what_is_withdrawn_stays_for_the_past(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store)
            (kept, other) = await keep(store, event("ran"), summary("one"))
            await do(store, withdraw=(kept.id, "unknown"), now=NOW + HOUR)
            book = await store.derived.book(VERA)
            assert (told(book), told(book, NOW)) == (["one"], ["ran", "one"])
            assert await store.derived.find("default", kept.id, None) is None
            # and may come back
            await do(store, withdraw=(other.id,), put=(event("ran", id=kept.id),), now=NOW + HOUR)
            book = await store.derived.book(VERA)
            assert told(book) == ["ran"]

        run(make_store, act)

    def test_what_is_erased_goes_with_all_versions(self, make_store: MakeStore) -> None:
        async def act(one: Store, other: Store) -> None:
            await talk(one)
            first = event("ran")
            _, kept = await keep(one, first, summary("one"))
            await keep(one, replace(first, predicate="walked"), now=NOW + HOUR)
            assert len(await records(other)) == 3
            await do(one, erase=(first.id,), now=NOW + 2 * HOUR)
            assert await records(other) == await records(one) == [kept]
            await do(one, erase=(kept.id,), put=(summary("anew", id=kept.id),))
            assert told(await records(other)) == ["anew"]

        run(make_store, act, stores=2)

    def test_every_store_sees_every_write(self, make_store: MakeStore) -> None:
        async def act(one: Store, other: Store) -> None:
            kept = intention("call Sam")
            for n in range(4):
                writer, reader = (one, other) if n % 2 else (other, one)
                await keep(writer, replace(kept, deferrals=n), now=NOW + n * HOUR)
                await add(writer, f"beside it {n}")
                for store in (reader, writer):
                    book = await store.derived.book(VERA)
                    assert [r.deferrals for r in book.of(Intention)] == [n]
                    assert len(book.records) == n + 1

        run(make_store, act, stores=2)

    def test_writers_at_once_lose_nothing(self, make_store: MakeStore) -> None:
        async def act(*stores: Store) -> None:
            await talk(stores[0])
            kept = intention("call Sam")
            await keep(stores[0], kept)

            def defer(book: DerivedBook) -> DerivedPlan:
                known = book.get(Intention, kept.id)
                assert known is not None
                return DerivedPlan(put=(replace(known, deferrals=known.deferrals + 1),))

            async def write(n: int) -> None:
                await stores[n % 3].derived.change(VERA, defer, NOW + HOUR)
                await keep(stores[n % 3], summary(f"text {n}"), now=NOW + HOUR)

            await asyncio.gather(*(write(n) for n in range(12)))
            for store in stores:
                book = await store.derived.book(VERA)
                (last,) = book.of(Intention)
                assert last.deferrals == 12
                assert len(book.of(Summary)) == 1
                assert len(book.records) == 13 + 12

        run(make_store, act, stores=3)
