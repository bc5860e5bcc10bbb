"""The store contract: vectors, what still needs one, and generations."""

import asyncio
from dataclasses import replace

import pytest

from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError
from backstory.ports.store import MadeVector, Pending, Store
from backstory.testing.stores.base import (
    MODEL,
    NOW,
    VERA,
    MakeStore,
    StoreCase,
    add,
    content,
    embed,
    generation,
    run,
    vector_of,
)
from backstory.testing.stores.records import edit

BOB = Scope("default", "bob")


async def pending(store: Store, scope: Scope | None = VERA, limit: int = 100) -> list[Pending]:
    """What needs a vector in the default tenant."""
    return await store.messages.pending(scope, "default", limit)


class VectorContract(StoreCase):
    """What is left to embed follows from what is stored."""

    def test_new_messages_are_pending_until_embedded(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two", "three")).messages
            assert [(p.id, p.text, p.revision, p.scope) for p in await pending(store)] == [
                (m.id, m.text, 1, VERA) for m in messages
            ]
            assert await embed(store, messages[:2]) == 2
            assert [p.text for p in await pending(store)] == ["three"]
            assert await store.messages.count_pending(VERA, "default") == 1
            partition = content(await store.partitions.get(VERA, await generation(store)))
            assert partition["vectors"] == [vector_of("one"), vector_of("two"), None]

        run(make_store, act)

    def test_pending_goes_through_a_tenant_in_pages(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for scope in (VERA, BOB, Scope("other", "vera"), Scope("default", "%")):
                await add(store, *(f"{scope.user_id} {n}" for n in range(5)), scope=scope)
            seen: list[Pending] = []
            last = None
            while page := await store.messages.pending(None, "default", 4, last):
                assert len(page) <= 4
                seen += page
                last = page[-1]
            assert len({p.id for p in seen}) == len(seen) == 15
            assert {p.scope for p in seen} == {VERA, BOB, Scope("default", "%")}
            own = [p.text for p in seen if p.scope == VERA]
            assert own == [f"vera {n}" for n in range(5)]
            assert await store.messages.count_pending(None, "default") == 15
            assert await store.messages.count_pending(BOB, "default") == 5

        run(make_store, act)

    def test_a_vector_of_an_old_text_is_dropped(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two")).messages
            await store.messages.edit(VERA, messages[0].id, edit("changed"), NOW)
            assert await embed(store, messages) == 1
            assert [(p.text, p.revision) for p in await pending(store)] == [("changed", 2)]
            made = MadeVector(message_id=messages[0].id, revision=2, vector=vector_of("changed"))
            active = await generation(store)
            assert await store.messages.save_vectors(VERA, active, [made]) == 1
            assert await pending(store) == []
            unknown = replace(made, message_id="unknown")
            assert await store.messages.save_vectors(VERA, active, [unknown]) == 0

        run(make_store, act)

    def test_saving_twice_leaves_one_vector(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            messages = (await add(store, *(f"text {n}" for n in range(50)))).messages
            both = await asyncio.gather(embed(store, messages), embed(other, messages))
            assert list(both) == [50, 50]
            twice = MadeVector(message_id=messages[0].id, revision=1, vector=vector_of("text 0"))
            active = await generation(store)
            assert await store.messages.save_vectors(VERA, active, [twice, twice]) == 1
            for one in (store, other):
                found = content(await one.partitions.get(VERA, active))
                assert found["vectors"] == [vector_of(f"text {n}") for n in range(50)]

        run(make_store, act, stores=2)

    def test_a_wrong_size_stores_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two")).messages
            good = MadeVector(message_id=messages[0].id, revision=1, vector=vector_of("one"))
            short = MadeVector(message_id=messages[1].id, revision=1, vector=b"\0" * 28)
            with pytest.raises(EmbeddingDimensionError, match="8"):
                await store.messages.save_vectors(VERA, await generation(store), [good, short])
            assert len(await pending(store)) == 2

        run(make_store, act)

    def test_failures_stay_pending(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two")).messages
            await store.messages.note_failures(VERA, [messages[0].id, "unknown"], "refused")
            assert [p.text for p in await pending(store)] == ["one", "two"]
            await embed(store, messages)
            assert await pending(store) == []
            await store.messages.note_failures(VERA, [messages[0].id], "too late")
            assert await pending(store) == []

        run(make_store, act)


class GenerationContract(StoreCase):
    """Vectors of different models never mix."""

    def test_the_first_generation_stays(self, make_store: MakeStore) -> None:
        other = EmbedderIdentity(provider="test", model="other", version="1", dimensions=4)

        async def act(store: Store, second: Store) -> None:
            assert await store.generations.active() is None
            first = await store.generations.activate_first(MODEL, NOW)
            assert first.identity == MODEL
            assert await second.generations.activate_first(other, NOW) == first
            assert await store.generations.activate_first(MODEL, NOW) == first
            assert await second.generations.active() == first

        run(make_store, act, stores=2)

    def test_two_processes_make_one_first_generation(self, make_store: MakeStore) -> None:
        models = [replace(MODEL, model=f"m{n}") for n in range(8)]

        async def act(store: Store, other: Store) -> None:
            # with connections that are open already, all of them come at the same time
            await asyncio.gather(*(one.generations.active() for one in [store, other] * 4))
            pairs = zip([store, other] * 4, models, strict=True)
            made = await asyncio.gather(
                *(one.generations.activate_first(model, NOW) for one, model in pairs)
            )
            assert len(set(made)) == 1
            assert await store.generations.active() == made[0]

        run(make_store, act, stores=2)

    def test_a_calibration_is_kept(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            made = await generation(store)
            assert made.calibration is None
            assert await store.generations.calibrate(made.id, '{"low": 0.2}')
            expected = replace(made, calibration='{"low": 0.2}')
            assert await other.generations.active() == expected
            assert not await other.generations.calibrate(made.id + 1, "{}")
            assert await store.generations.activate_first(MODEL, NOW) == expected
            assert await other.generations.calibrate(made.id, None)
            assert await store.generations.active() == made

        run(make_store, act, stores=2)

    def test_a_partition_holds_the_vectors_of_its_generation(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await embed(store, (await add(store, "one")).messages)
            active = await generation(store)
            assert (await store.partitions.get(VERA, active)).dimensions == 8
            assert (await store.partitions.get(VERA, None)).dimensions is None
            other = replace(active, id=active.id + 1)
            assert (await store.partitions.get(VERA, other)).dimensions is None

        run(make_store, act)
