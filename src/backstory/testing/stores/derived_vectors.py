"""The store contract: vectors of derived records."""

from dataclasses import replace
from datetime import timedelta

import pytest

from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    VERA,
    MakeStore,
    StoreCase,
    generation,
    run,
    vector_of,
)
from backstory.testing.stores.derived_base import (
    HOUR,
    do,
    embed_derived,
    event,
    intention,
    keep,
    records,
    summary,
    talk,
)
from backstory.testing.stores.reindexing import begin, small, switched


class DerivedVectorContract(StoreCase):
    """Current records with a text have vectors of the active generation, or are pending."""

    def test_what_has_a_text_is_pending_until_it_has_a_vector(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            bob = Scope("default", "bob")
            await talk(store)
            first, second = event("ran"), summary("one")
            await keep(store, first, intention(), second)
            await keep(store, event("swam"), scope=bob)
            everyone = await store.derived.pending(None, "default", 9)
            assert [(p.scope, p.text) for p in everyone] == [
                (bob, "swam"),
                (VERA, "ran"),
                (VERA, "one"),
            ]
            assert await store.derived.pending(None, "default", 1) == everyone[:1]
            assert await store.derived.pending(VERA, "default", 9) == everyone[1:]
            assert await store.derived.pending(None, "other", 9) == []
            vectors = await embed_derived(store)
            assert await store.derived.pending(VERA, "default", 9) == []
            found = await store.derived.vectors(VERA, await generation(store))
            assert found == {
                (first.id, NOW): vectors[first.id],
                (second.id, NOW): vectors[second.id],
            }
            assert await store.derived.vectors(bob, await generation(store)) == {}

        run(make_store, act)

    def test_every_store_sees_new_vectors(self, make_store: MakeStore) -> None:
        async def act(one: Store, other: Store) -> None:
            await keep(one, event("ran"))
            active = await generation(one)
            assert await other.derived.vectors(VERA, active) == {}
            assert len((await other.derived.book(VERA)).records) == 1
            await embed_derived(one)
            assert len(await other.derived.vectors(VERA, active)) == 1
            (kept,) = await keep(one, event("swam"), now=NOW + HOUR)
            assert len(await other.derived.vectors(VERA, active)) == 1
            await embed_derived(one)
            assert len(await other.derived.vectors(VERA, active)) == 2
            await do(one, erase=(kept.id,))
            assert len(await other.derived.vectors(VERA, active)) == 1

        run(make_store, act, stores=2)

    def test_a_vector_of_an_old_text_is_dropped(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = event("ran")
            await keep(store, first)
            await keep(store, replace(first, predicate="walked"))
            made = {
                first.id: (NOW, vector_of("ran")),
                "unknown": (NOW, vector_of("x")),
            }
            assert await store.derived.save_vectors(VERA, await generation(store), made) == 0
            (item,) = await store.derived.pending(VERA, "default", 9)
            assert (item.text, item.recorded_at) == ("walked", NOW + timedelta(microseconds=1))

        run(make_store, act)

    def test_no_text_is_embedded_twice(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store)
            first, second = event("ran"), summary("one")
            await keep(store, first, second)
            vectors = await embed_derived(store)
            later = NOW + HOUR
            changed = replace(first, expression="on Sunday"), summary("two", id=second.id)
            await keep(store, *changed, now=later)
            assert [p.text for p in await store.derived.pending(VERA, "default", 9)] == ["two"]
            found = await store.derived.vectors(VERA, await generation(store))
            assert found[first.id, later] == found[first.id, NOW] == vectors[first.id]
            # one that is no longer current is not waited for
            await do(store, withdraw=(second.id,), now=later + HOUR)
            assert await store.derived.pending(VERA, "default", 9) == []

        run(make_store, act)

    def test_refuses_vectors_of_another_size(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            (kept,) = await keep(store, event("ran"))
            made = {kept.id: (NOW, b"\0" * 12)}
            with pytest.raises(EmbeddingDimensionError):
                await store.derived.save_vectors(VERA, await generation(store), made)

        run(make_store, act)

    def test_another_generation_is_filled_beside_and_switched_to(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            old = await generation(store)
            given = [event(f"event {n}") for n in range(5)]
            await keep(store, *given, intention())
            await embed_derived(store)
            new = await begin(store)
            assert await store.reindexing.count(new) == (0, 5)
            first = await store.reindexing.missing_derived(new, 3)
            rest = await store.reindexing.missing_derived(new, 99, first.end)
            texts = [item.text for item in (*first.items, *rest.items)]
            assert texts == [e.predicate for e in given]
            made = {item.id: (item.recorded_at, small(item.text)) for item in rest.items[:2]}
            assert await store.reindexing.save_derived(VERA, new, made) == 2
            assert await store.reindexing.count(new) == (2, 5)
            assert await store.derived.save_vectors(VERA, new, made) is None
            assert len(await store.derived.vectors(VERA, old)) == 5
            assert await switched(store, new) == 3
            late = {given[0].id: (NOW, vector_of("late"))}
            assert await store.derived.save_vectors(VERA, old, late) is None
            assert len(await store.derived.pending(VERA, "default", 9)) == 3
            assert len(await store.derived.vectors(VERA, new)) == 2
            pending = await store.derived.pending(VERA, "default", 9)
            left = {item.id: (item.recorded_at, small(item.text)) for item in pending}
            assert await store.derived.save_vectors(VERA, new, left) == 3
            assert len(await store.derived.vectors(VERA, new)) == 5
            await store.reindexing.release(NOW, lambda _: True, retired=True)
            assert await store.reindexing.drop_unused() == 5
            assert await store.derived.vectors(VERA, old) == {}
            assert len(await records(store)) == 6

        run(make_store, act)
