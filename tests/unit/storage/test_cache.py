"""The memory bound of cached partitions."""

import asyncio
import random
from pathlib import Path

from backstory.core.location import Location
from backstory.core.model.scope import Scope
from backstory.storage.factory import make_store
from backstory.testing.stores.base import add, said


def test_the_cache_keeps_its_bound_and_the_one_in_use(tmp_path: Path) -> None:
    users = [Scope("default", f"u{n}") for n in range(6)]

    async def run() -> None:
        path = str(tmp_path / "memory.db")
        store = make_store(Location("sqlite", path), cache_bytes=80_000)
        await store.open(may_upgrade=True)
        for user in users:
            await add(store, *(f"text {n}" for n in range(100)), scope=user)
        cache = store.partitions
        for user in users * 2:
            partition = await cache.get(user, None)
            assert len(partition) == 100
            assert cache.nbytes <= 80_000
        assert 1 < len(cache._entries) < len(users)
        recent = next(reversed(cache._entries))
        assert recent[0] == users[-1]
        big = Scope("default", "big")
        given = [said(f"text {n}", metadata={"n": n}) for n in range(1000)]
        await add(store, *given, scope=big)
        partition = await cache.get(big, None)
        assert await cache.get(big, None) is partition
        assert list(cache._entries) == [(big, 0)]
        before = cache.nbytes
        await cache.metadata(big, partition)
        assert cache.nbytes > before
        assert len(cache._locks) <= len(cache._entries)
        await cache.get(Scope("default", "nobody"), None)
        assert len(cache._locks) <= len(cache._entries)
        # who was too large for the bound goes with the next one
        await cache.get(users[0], None)
        assert list(cache._entries) == [(users[0], 0)]
        assert cache.nbytes == cache._entries[(users[0], 0)].nbytes <= 80_000
        await cache.forget(users[0])
        assert cache.nbytes == 0
        await store.close()

    asyncio.run(run())


def test_the_bound_counts_what_is_there_in_any_order(tmp_path: Path) -> None:
    users = [Scope("default", f"u{n}") for n in range(30)]
    choose = random.Random(4)  # noqa: S311

    async def run() -> None:
        place = Location("sqlite", str(tmp_path / "memory.db"))
        store = make_store(place, cache_bytes=120_000)
        await store.open(may_upgrade=True)
        for user in users:
            await add(store, "first", scope=user)
        cache = store.partitions
        for _ in range(200):
            user = choose.choice(users)
            if choose.random() < 0.3:
                await add(store, *("more" for _ in range(choose.randint(1, 40))), scope=user)
            elif choose.random() < 0.1:
                await store.messages.delete_all(user, None)
            elif choose.random() < 0.1:
                await cache.forget(user)
            await cache.metadata(user, await cache.get(user, None))
            assert cache.nbytes == sum(entry.nbytes for entry in cache._entries.values())
            assert cache.nbytes <= 120_000 or len(cache._entries) == 1
        await store.close()

    asyncio.run(run())
