"""The store contract: the move to the vectors of another embedder."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError, StoreBusyError
from backstory.ports.reindexing import Place
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
from backstory.testing.stores.fact_base import fact, put
from backstory.testing.stores.fact_search import embed_facts
from backstory.testing.stores.records import edit

BOB = Scope("default", "bob")
STRANGER = Scope("other", "vera")
NEW = EmbedderIdentity(provider="test", model="four", version="1", dimensions=4)
MINE, OTHER = "here:1:mine", "there:2:other"
LEASE = NOW + timedelta(minutes=1)


def nobody(_: str) -> bool:
    """No piece of work is known to be over."""
    return False


async def begin(
    store: Store,
    holder: str = MINE,
    *,
    identity: EmbedderIdentity = NEW,
    now: datetime = NOW,
    is_over: Callable[[str], bool] = nobody,
) -> Generation:
    """Begin a reindex."""
    lease = now + timedelta(minutes=1)
    return await store.reindexing.begin(identity, holder, now, lease, is_over)


def small(text: str) -> bytes:
    """A vector of four dimensions that names a text."""
    return vector_of(text)[:16]


async def fill(store: Store, target: Generation, limit: int = 100) -> list[str]:
    """Store the vectors that are missing, those of messages and of facts. Gives the texts."""
    made: list[str] = []
    place: Place | None = None
    while True:
        page = await store.reindexing.missing_messages(target, limit, place)
        for item in page.items:
            vector = MadeVector(message_id=item.id, revision=item.revision, vector=small(item.text))
            assert await store.reindexing.save_messages(item.scope, target, [vector]) == 1
            made.append(item.text)
        place = page.end
        if place is None:
            break
    while True:
        facts = await store.reindexing.missing_facts(target, limit, place)
        for row in facts.items:
            vectors = {row.id: (row.believed_at, small(row.text))}
            assert await store.reindexing.save_facts(row.scope, target, vectors) == 1
            made.append(row.text)
        place = facts.end
        if place is None:
            return made


async def switched(store: Store, target: Generation, *, keep_old: bool = True) -> int | None:
    """Switch, as the holder ``MINE``."""
    return await store.reindexing.switch(target, MINE, NOW, keep_old=keep_old)


async def waiting(store: Store, scope: Scope | None = VERA) -> list[str]:
    """Texts of messages of the default tenant that need a vector."""
    found: list[Pending] = await store.messages.pending(scope, "default", 100)
    return [item.text for item in found]


class ReindexContract(StoreCase):
    """Old and new never mix, and nothing is lost between them."""

    def test_the_old_generation_is_used_until_the_switch(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            await embed(store, (await add(store, "one", "two")).messages)
            old = await generation(store)
            before = content(await other.partitions.get(VERA, old))
            target = await begin(store)
            assert target.id != old.id
            assert await fill(store, target) == ["one", "two"]
            assert await other.generations.active() == old
            assert content(await other.partitions.get(VERA, old)) == before
            assert await waiting(store) == []
            assert await switched(store, target) == 0
            assert await other.generations.active() == target
            found = content(await other.partitions.get(VERA, target))
            assert found["vectors"] == [small("one"), small("two")]
            assert found | {"vectors": before["vectors"]} == before
            # who has not heard of it finds what was there
            assert content(await other.partitions.get(VERA, old)) == before

        run(make_store, act, stores=2)

    def test_goes_over_all_users_in_pages(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            texts = []
            for scope in (VERA, BOB, STRANGER):
                await add(store, *(f"{scope.user_id} {n}" for n in range(3)), scope=scope)
                row = fact(f"of {scope.user_id}")
                await put(store, row, scope=scope)
                texts += [f"{scope.user_id} {n}" for n in range(3)]
            target = await begin(store)
            assert await store.reindexing.count(target) == (0, 12)
            made = await fill(store, target, limit=2)
            assert sorted(made[:9]) == sorted(texts)
            assert len(made) == 12
            assert await store.reindexing.count(target) == (12, 12)
            assert await fill(store, target, limit=5) == []
            assert await switched(store, target) == 0

        run(make_store, act)

    def test_what_came_too_late_is_pending(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            await embed(store, (await add(store, "one", "two")).messages)
            old = await generation(store)
            target = await begin(store)
            await fill(store, target)
            late = (await add(other, "three")).messages
            assert await embed(other, late) == 1
            oslo = fact("Oslo")
            await put(other, oslo)
            await embed_facts(other, list((await other.facts.many(VERA, [oslo.id])).values()))
            assert await switched(store, target) == 2
            assert await waiting(store) == ["three"]
            assert [p.id for p in await store.facts.pending(VERA, "default", 9)] == [oslo.id]
            made = MadeVector(message_id=late[0].id, revision=1, vector=vector_of("three"))
            assert await other.messages.save_vectors(VERA, old, [made]) is None
            assert await other.facts.save_vectors(VERA, old, {oslo.id: (NOW, made.vector)}) is None
            assert await waiting(store) == ["three"]
            right = replace(made, vector=small("three"))
            assert await other.messages.save_vectors(VERA, target, [right]) == 1
            assert await waiting(store) == []

        run(make_store, act, stores=2)

    def test_a_text_that_changed_is_made_anew(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two")).messages
            await embed(store, messages)
            target = await begin(store)
            stale = MadeVector(message_id=messages[0].id, revision=1, vector=small("one"))
            await store.messages.edit(VERA, messages[0].id, edit("changed"), NOW)
            assert await store.reindexing.save_messages(VERA, target, [stale]) == 0
            assert await fill(store, target) == ["changed", "two"]
            await store.messages.edit(VERA, messages[1].id, edit("changed too"), NOW)
            assert await switched(store, target) == 1
            assert await waiting(store) == ["changed too"]

        run(make_store, act)

    def test_a_pending_message_is_not_pending_after_the_switch(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two")).messages
            await embed(store, messages[:1])
            target = await begin(store)
            await fill(store, target)
            assert await waiting(store) == ["two"]
            assert await switched(store, target) == 0
            assert await waiting(store) == []

        run(make_store, act)

    def test_a_vector_of_another_size_ends_no_move(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one")).messages
            target = await begin(store)
            wrong = MadeVector(message_id=messages[0].id, revision=1, vector=vector_of("one"))
            with pytest.raises(EmbeddingDimensionError, match="4"):
                await store.reindexing.save_messages(VERA, target, [wrong])
            with pytest.raises(EmbeddingDimensionError, match="4"):
                await store.reindexing.save_facts(VERA, target, {"x": (NOW, vector_of("one"))})
            other = replace(NEW, dimensions=5)
            with pytest.raises(EmbeddingDimensionError, match="another version"):
                await begin(store, identity=other, is_over=lambda _: True)
            assert await store.reindexing.count(target) == (0, 1)

        run(make_store, act)

    def test_back_again(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            await embed(store, (await add(store, "one")).messages)
            old = await generation(store)
            before = content(await other.partitions.get(VERA, old))
            target = await begin(store)
            await fill(store, target)
            await switched(store, target)
            states = {s.generation.id: s for s in await store.reindexing.states()}
            assert states[old.id].retired_at == NOW
            assert states[target.id].active
            assert not any(s.is_unused for s in states.values())
            late = (await add(store, "two")).messages
            made = MadeVector(message_id=late[0].id, revision=1, vector=small("two"))
            await store.messages.save_vectors(VERA, target, [made])
            await other.partitions.get(VERA, old)
            assert await begin(store, identity=MODEL) == old
            assert await switched(store, old) == 1
            assert await waiting(store) == ["two"]
            assert await other.generations.active() == old
            after = content(await other.partitions.get(VERA, old))
            assert after["vectors"] == [*before["vectors"], None]
            await embed(store, late)
            after = content(await other.partitions.get(VERA, old))
            assert after["vectors"] == [*before["vectors"], vector_of("two")]

        run(make_store, act, stores=2)

    def test_caches_see_what_was_made_before_the_switch(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            messages = (await add(store, "one", "two")).messages
            await embed(store, messages[:1])
            old = await generation(store)
            target = await begin(store)
            await fill(store, target)
            await switched(store, target)
            # a process that has not heard of the switch looks at the old vectors
            cached = content(await other.partitions.get(VERA, old))
            assert cached["vectors"] == [vector_of("one"), None]
            stamp = await other.facts.stamp(VERA)
            await begin(store, identity=MODEL)
            made = MadeVector(message_id=messages[1].id, revision=1, vector=vector_of("two"))
            assert await store.reindexing.save_messages(VERA, old, [made]) == 1
            assert await switched(store, old) == 0
            found = content(await other.partitions.get(VERA, old))
            assert found["vectors"] == [vector_of("one"), vector_of("two")]
            assert await other.facts.stamp(VERA) != stamp

        run(make_store, act, stores=2)


class ReindexLeaseContract(StoreCase):
    """One piece of work at a time, and what is dropped is gone."""

    def test_a_second_one_is_refused(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            await add(store, "one")
            target = await begin(store)
            for identity in (NEW, MODEL):
                with pytest.raises(StoreBusyError, match="four"):
                    await begin(other, OTHER, identity=identity)
            with pytest.raises(StoreBusyError, match="four"):
                await other.reindexing.release(NOW, nobody)
            assert await other.reindexing.switch(target, OTHER, NOW, keep_old=True) is None
            assert await store.generations.active() is None
            told = await store.reindexing.note(target, MINE, lease_until=LEASE, done=1, total=9)
            assert told
            (state,) = [s for s in await other.reindexing.states() if s.build]
            assert state.build is not None
            assert (state.build.done, state.build.total, state.build.holder) == (1, 9, MINE)
            assert state.build.is_held(NOW, nobody)
            assert not state.build.is_held(LEASE, nobody)

        run(make_store, act, stores=2)

    @pytest.mark.parametrize("how", ["over", "silent", "stopped"])
    def test_what_was_left_is_taken_over(self, make_store: MakeStore, how: str) -> None:
        async def act(store: Store, other: Store) -> None:
            await add(store, "one", "two")
            target = await begin(store)
            page = await store.reindexing.missing_messages(target, 1)
            made = MadeVector(message_id=page.items[0].id, revision=1, vector=small("one"))
            await store.reindexing.save_messages(VERA, target, [made])
            if how == "stopped":
                await store.reindexing.note(
                    target, MINE, lease_until=None, done=1, total=2, problem="the plug"
                )
                (state,) = [s for s in await other.reindexing.states() if s.build]
                assert state.build is not None
                assert (state.build.problem, state.build.holder) == ("the plug", None)
            now = LEASE if how == "silent" else NOW
            is_over = MINE.__eq__ if how == "over" else nobody
            again = await begin(other, OTHER, now=now, is_over=is_over)
            assert again == target
            states = [s.build for s in await other.reindexing.states() if s.build]
            assert [(b.since, b.problem) for b in states] == [(NOW, None)]
            assert not await store.reindexing.note(target, MINE, lease_until=now, done=0, total=0)
            assert await store.reindexing.switch(target, MINE, NOW, keep_old=True) is None
            assert await fill(other, target) == ["two"]
            assert await other.reindexing.switch(target, OTHER, NOW, keep_old=True) == 0

        run(make_store, act, stores=2)

    def test_two_that_begin_at_once(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            await add(store, "one")
            await asyncio.gather(*(one.generations.active() for one in [store, other] * 3))
            tries = await asyncio.gather(
                *(begin(one, f"h:{n}:x") for n, one in enumerate([store, other] * 3)),
                return_exceptions=True,
            )
            assert sum(isinstance(one, StoreBusyError) for one in tries) == 5
            assert sum(isinstance(one, Generation) for one in tries) == 1

        run(make_store, act, stores=2)

    def test_what_is_not_kept_is_dropped(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for scope in (VERA, BOB, STRANGER):
                await embed(store, (await add(store, "one", scope=scope)).messages, scope)
            oslo = fact("Oslo")
            await put(store, oslo)
            await embed_facts(store, list((await store.facts.many(VERA, [oslo.id])).values()))
            old = await generation(store)
            target = await begin(store)
            await fill(store, target)
            assert await store.reindexing.drop_unused() == 0
            assert await switched(store, target, keep_old=False) == 0
            assert await store.reindexing.drop_unused() == 4
            assert [s.generation for s in await store.reindexing.states()] == [target]
            assert (await store.partitions.get(VERA, old)).dimensions is None
            assert (await store.partitions.get(VERA, target)).dimensions == 4
            assert await store.reindexing.drop_unused() == 0

        run(make_store, act)

    def test_giving_up(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await embed(store, (await add(store, "one")).messages)
            old = await generation(store)
            target = await begin(store)
            await fill(store, target)
            await store.reindexing.note(target, MINE, lease_until=None, done=1, total=1)
            assert await store.reindexing.release(NOW, nobody) == 1
            assert await store.reindexing.drop_unused() == 1
            assert await store.generations.active() == old
            target = await begin(store)
            await fill(store, target)
            await switched(store, target)
            assert await store.reindexing.release(NOW, nobody) == 0
            assert await store.reindexing.release(NOW, nobody, retired=True) == 1
            assert await store.reindexing.drop_unused() == 1

        run(make_store, act)

    def test_another_model_gives_up_the_unfinished_one(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await embed(store, (await add(store, "one")).messages)
            target = await begin(store)
            await fill(store, target)
            third = replace(NEW, model="third")
            again = await begin(store, identity=third, is_over=MINE.__eq__)
            unused = [s.generation for s in await store.reindexing.states() if s.is_unused]
            assert unused == [target]
            assert await store.reindexing.drop_unused() == 1
            assert await switched(store, again) == 1

        run(make_store, act)

    def test_forgetting_removes_all_vectors(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await embed(store, (await add(store, "one")).messages)
            target = await begin(store)
            await fill(store, target)
            assert await store.reindexing.count(target) == (1, 1)
            receipt = await store.erasure.forget(VERA)
            assert receipt.rows["message_vectors"] == 2
            assert await store.reindexing.count(target) == (0, 0)

        run(make_store, act)
