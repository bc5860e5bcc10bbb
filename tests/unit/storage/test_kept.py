"""Messages kept beside partitions: bounded, dropped when they change, forgotten with their user."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from backstory.core.location import Location
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.storage.factory import make_store
from backstory.storage.kept import Kept, size_of
from backstory.storage.partitions import PartitionCache
from backstory.testing.stores.base import NOW, VERA, add
from backstory.testing.stores.records import edit

T = TypeVar("T")


def total(cache: PartitionCache) -> int:
    return sum(entry.kept.nbytes for entry in cache._entries.values())


def test_messages_keep_their_part_of_the_bound(tmp_path: Path) -> None:
    users = [Scope("default", f"u{n}") for n in range(6)]
    choose = random.Random(7)  # noqa: S311

    async def run() -> None:
        place = Location("sqlite", str(tmp_path / "memory.db"))
        store = make_store(place, cache_bytes=200_000)
        await store.open(may_upgrade=True)
        for user in users:
            await add(store, *(f"text {n}" for n in range(20)), scope=user)
        cache, most = store.partitions, 0
        for _ in range(300):
            user = choose.choice(users)
            partition = await cache.get(user, None)
            rows = choose.sample(range(len(partition)), 15)
            assert len(await cache.messages(user, partition, rows)) == 15
            if choose.random() < 0.2:
                await store.messages.edit(user, partition.message_ids[0], edit("new"), NOW)
            elif choose.random() < 0.1:
                await cache.forget(user)
            assert cache.message_bytes == total(cache) <= 50_000
            assert cache.nbytes + cache.message_bytes <= 200_000
            most = max(most, cache.message_bytes)
        assert most > 40_000
        for user in users:
            await cache.forget(user)
        assert cache.message_bytes == cache.nbytes == 0
        assert not cache._last
        await store.close()

    asyncio.run(run())


def test_a_message_is_read_once(tmp_path: Path) -> None:
    async def run() -> None:
        store = make_store(Location("sqlite", str(tmp_path / "memory.db")))
        await store.open(may_upgrade=True)
        await add(store, "one", "two", "three")
        cache, peek, count = store.partitions, store.units.peek, [0]

        async def counted(work: Callable[[Connection], T]) -> T:
            count[0] += 1
            return await peek(work)

        store.units.peek = counted  # type: ignore[method-assign]
        partition = await cache.get(VERA, None)
        first = await cache.messages(VERA, partition, [0, 1])
        before = count[0]
        again = await cache.messages(VERA, partition, [1, 0])
        assert count[0] == before
        assert all(again[message_id] is message for message_id, message in first.items())
        tail = await store.sessions.tail(VERA, None, 2)
        assert [message.text for message in tail] == ["two", "three"]
        assert tail[0] is first[tail[0].id]
        await store.close()

    asyncio.run(run())


def message(number: int) -> Message:
    return Message(
        id=str(number),
        user_id="vera",
        session_id="s",
        role="user",  # type: ignore[arg-type]
        text="x" * number,
        timestamp=NOW,
        recorded_at=NOW,
    )


def test_the_least_recently_used_message_goes_first() -> None:
    kept = Kept()
    kept.put({str(n): message(n) for n in range(5)}, kept.state)
    kept.get(["0", "3"])
    kept.shrink(kept.nbytes - size_of(message(1)) - 1)
    assert set(kept.get([str(n) for n in range(5)])) == {"0", "3", "4"}
    kept.shrink(-1)
    assert kept.nbytes == 0


def test_what_was_read_before_a_change_is_refused() -> None:
    kept = Kept()
    state = kept.state
    kept.changed(["1"])
    kept.put({"1": message(1)}, state)
    assert not kept.get(["1"])
    kept.put({"1": message(1)}, kept.state)
    assert kept.get(["1"])
