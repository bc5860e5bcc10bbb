"""The memory bound of cached partitions."""

import asyncio
from pathlib import Path

from backstory.core.location import Location
from backstory.core.model.scope import Scope
from backstory.storage.factory import make_store
from backstory.testing.stores.base import add, said


def test_the_cache_keeps_its_bound_and_the_one_in_use(tmp_path: Path) -> None:
    users = [Scope("default", f"u{n}") for n in range(6)]

    async def run() -> None:
        path = str(tmp_path / "memory.db")
        store = make_store(Location("sqlite", path), cache_bytes=60_000)
        await store.open(may_upgrade=True)
        for user in users:
            await add(store, *(f"text {n}" for n in range(100)), scope=user)
        cache = store.partitions
        for user in users * 2:
            partition = await cache.get(user, None)
            assert len(partition) == 100
            assert cache.nbytes <= 60_000
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
        await store.close()

    asyncio.run(run())
