"""The store contract: partitions are current, whoever wrote."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    VERA,
    MakeStore,
    StoreCase,
    add,
    content,
    embed,
    generation,
    into,
    run,
    said,
)
from backstory.testing.stores.records import edit

STEPS = 30


class PartitionContract(StoreCase):
    """A partition shows every write that was acknowledged, also those of another process."""

    def test_read_your_writes(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            for n in range(5):
                await add(store, f"text {n}")
                assert len(await store.partitions.get(VERA, None)) == n + 1
                assert len(await other.partitions.get(VERA, None)) == n + 1
            unknown = await store.partitions.get(Scope("default", "nobody"), None)
            assert len(unknown) == 0

        run(make_store, act, stores=2)

    def test_an_unchanged_partition_is_the_same_object(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one")
            first = await store.partitions.get(VERA, None)
            await add(store, "of someone else", scope=Scope("default", "bob"))
            assert await store.partitions.get(VERA, None) is first

        run(make_store, act)

    def test_concurrent_readers_get_the_same(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, *(f"text {n}" for n in range(50)))
            found = await asyncio.gather(*(store.partitions.get(VERA, None) for _ in range(20)))
            assert {id(partition) for partition in found} == {id(found[0])}

        run(make_store, act)

    @pytest.mark.parametrize("seed", range(4))
    def test_changes_read_one_by_one_equal_a_full_load(
        self, make_store: MakeStore, seed: int
    ) -> None:
        async def act(store: Store, other: Store) -> None:
            choose = random.Random(seed)  # noqa: S311
            active = await generation(store)
            for _ in range(STEPS):
                await _random_step(choose, choose.choice([store, other]))
                if choose.random() < 0.3:
                    await _check(choose.choice([store, other]), make_store)
            for one in (store, other):
                await one.partitions.get(VERA, active)
                await _check(one, make_store)

        run(make_store, act, stores=2)

    def test_gives_the_metadata_of_each_row(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            given = [said(str(n), metadata={"n": n}) for n in range(4)]
            messages = (await add(store, *given)).messages

            async def shown() -> list[object]:
                partition = await store.partitions.get(VERA, None)
                found = await store.partitions.metadata(VERA, partition)
                assert len(found) == len(partition)
                return [data.get("n") for data in found]

            assert await shown() == [0, 1, 2, 3]
            await other.messages.edit(VERA, messages[1].id, edit("1", n="new"), NOW)
            assert await shown() == [0, "new", 2, 3]
            await other.messages.delete(VERA, messages[0].id)
            await add(other, said("4", metadata={"n": 4}), "without")
            assert await shown() == ["new", 2, 3, 4, None]

        run(make_store, act, stores=2)

    def test_metadata_of_an_older_partition_has_its_length(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, said("1", metadata={"n": 1}))
            old = await store.partitions.get(VERA, None)
            await add(store, said("2", metadata={"n": 2}))
            await store.partitions.get(VERA, None)
            assert [m["n"] for m in await store.partitions.metadata(VERA, old)] == [1]

        run(make_store, act)

    def test_gives_the_messages_of_rows_as_they_are_now(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            messages = (await add(store, *(f"text {n}" for n in range(4)))).messages

            async def shown(*rows: int) -> list[str]:
                partition = await store.partitions.get(VERA, None)
                found = await store.partitions.messages(VERA, partition, rows)
                ids = [partition.message_ids[row] for row in rows]
                assert set(found) == set(ids)
                return [found[message_id].text for message_id in ids]

            for _ in range(2):
                assert await shown(2, 0) == ["text 2", "text 0"]
            await other.messages.edit(VERA, messages[2].id, edit("new"), NOW)
            assert await shown(0, 1, 2) == ["text 0", "text 1", "new"]
            await other.messages.delete(VERA, messages[0].id)
            assert await shown(0, 1, 2) == ["text 1", "new", "text 3"]
            await other.messages.delete_all(VERA, None)
            await add(other, "again")
            assert await shown(0) == ["again"]

        run(make_store, act, stores=2)

    def test_what_was_read_before_a_change_is_not_kept(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            (message,) = (await add(store, "old")).messages
            partition = await store.partitions.get(VERA, None)
            reading = asyncio.create_task(store.partitions.messages(VERA, partition, [0]))
            await other.messages.edit(VERA, message.id, edit("new"), NOW)
            changed = await store.partitions.get(VERA, None)
            assert (await reading)[message.id].text in {"old", "new"}
            found = await store.partitions.messages(VERA, changed, [0])
            assert found[message.id].text == "new"

        run(make_store, act, stores=2)


Step = Callable[[random.Random, Store], Awaitable[None]]


async def _add(choose: random.Random, store: Store) -> None:
    count = choose.choice([1, 1, 2, 40])
    speaker = choose.choice([None, "A"])
    messages = [said(f"text {choose.random()}", speaker=speaker) for _ in range(count)]
    await add(store, *messages, session=into(choose.choice("ab")))


async def _embed(choose: random.Random, store: Store) -> None:
    waiting = await store.messages.pending(VERA, "default", choose.randint(1, 50))
    found = await store.messages.many(VERA, [item.id for item in waiting if item.revision == 1])
    if found:
        await embed(store, list(found.values()))


async def _edit(choose: random.Random, store: Store) -> None:
    message = await _any(choose, store)
    if message is not None:
        await store.messages.edit(VERA, message, edit(f"edit {choose.random()}"), NOW)


async def _delete(choose: random.Random, store: Store) -> None:
    message = await _any(choose, store)
    if message is not None:
        await store.messages.delete(VERA, message)


async def _forget(choose: random.Random, store: Store) -> None:
    await store.messages.delete_all(VERA, choose.choice(["a", "b", None]))


async def _any(choose: random.Random, store: Store) -> str | None:
    ids = (await store.partitions.get(VERA, None)).message_ids
    return choose.choice(ids) if ids else None


STEP_WEIGHTS: dict[Step, int] = {_add: 8, _embed: 4, _edit: 4, _delete: 2, _forget: 1}


async def _random_step(choose: random.Random, store: Store) -> None:
    step = choose.choices(list(STEP_WEIGHTS), list(STEP_WEIGHTS.values()))[0]
    await step(choose, store)


async def _check(store: Store, make_store: MakeStore) -> None:
    active = await generation(store)
    partition = await store.partitions.get(VERA, active)
    last = store.partitions.last(VERA, active)
    assert last is partition or (last is None and not len(partition))
    rows = range(len(partition))
    for _ in range(2):  # the second time perhaps from memory
        messages = await store.partitions.messages(VERA, partition, rows)
        assert messages == await store.messages.many(VERA, partition.message_ids)
    names = ["a", "b", "c"]
    keys = await store.partitions.session_keys(VERA, partition, names)
    fresh = make_store()
    try:
        await fresh.open(may_upgrade=True)
        for name in (None, *names):
            tail = await store.sessions.tail(VERA, name, 5)
            assert tail == await fresh.sessions.tail(VERA, name, 5)
        other = await fresh.partitions.get(VERA, active)
        assert content(partition) == content(other)
        assert keys == await fresh.partitions.session_keys(VERA, other, names)
    finally:
        await fresh.close()
