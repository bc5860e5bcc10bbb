"""A process that is killed while it writes chapters: each is whole or not there."""

import asyncio
import random
import time
from pathlib import Path

import pytest

from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.testing.stores.base import NOW
from backstory.testing.stores.document_base import NOVEL, derived, rebuild, write
from tools import forked

WRITE = """
import asyncio, sys
from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.testing.stores.base import NOW
from backstory.testing.stores.document_base import NOVEL, rewrite, write

LINES = ("Ann|Annie", "Bob", "Ann.home=Oslo {n}", "Bob.eyes=grey@Ann", "+who {n}?", "~1", "and ")
TEXT = "\\n".join(LINES) + "x" * 999

async def run(kind, target):
    store = make_store(Location(kind, target))
    await store.open(may_upgrade=True)
    await write(store, 1, "+first")
    for n in range(2, 10_000):
        await write(store, n, TEXT.format(n=n))
        print(n, flush=True)
        if n % 3 == 0:
            await rewrite(store, n - 1, TEXT.format(n=-n))
        if n % 4 == 0:
            await store.documents.remove(NOVEL, n - 2, NOW)

asyncio.run(run(*sys.argv[1:]))
"""


@pytest.mark.parametrize(("kind", "seed"), [("sqlite", 1), ("sqlite", 2), ("postgres", 3)])
def test_chapters_are_whole_or_not_there(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str, seed: int
) -> None:
    if kind == "sqlite":
        (tmp_path / "memory.db").write_bytes(request.getfixturevalue("ready_sqlite"))
        place = Location("sqlite", str(tmp_path / "memory.db"))
    else:
        place = Location("postgres", request.getfixturevalue("ready_postgres_url"))
    writing = forked.start(WRITE, place.kind, place.target)
    told = 0
    for line in writing.stdout:
        told = int(line)
        if told >= 9 + seed:
            break
    time.sleep(random.Random(seed).uniform(0, 0.01))  # noqa: S311
    writing.kill()
    told = max([told, *map(int, writing.finish().stdout.split())])

    async def run() -> None:
        store = make_store(place)
        await store.open(may_upgrade=True)
        found = await store.documents.info(NOVEL)
        chapters = await store.documents.page(NOVEL, 1000)
        assert found is not None
        assert found.chapters == len(chapters)
        assert chapters[-1].number in (told, told + 1), "what was told is stored"
        before = await derived(store)
        await rebuild(store)
        assert await derived(store) == before, "what is derived fits the chapters"
        for known in chapters:
            texts = [v.text for v in await store.documents.history(NOVEL, known.number)]
            assert texts[-1] == known.text
            assert len(texts) == known.revised + 1
        await write(store, told + 2, "Ann\n+after")
        assert await store.documents.remove(NOVEL, told + 2, NOW)
        assert await derived(store) == before
        await store.close()

    asyncio.run(run())
