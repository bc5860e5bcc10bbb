"""Two processes of many writers each on one store, with readers beside them."""

import asyncio
import time
from collections import Counter
from multiprocessing.connection import Connection
from typing import Any

from backstory import AsyncMemory
from backstory.core.location import parse_location
from backstory.core.model.scope import Scope
from backstory.errors import BackstoryError
from backstory.settings import Settings
from backstory.storage.factory import make_store
from bench.children import must, spawning
from bench.crashing import stored

PROCESSES = 2
READERS = 8
SHARED = "everyone"


def race(url: str, *, writers: int, each: int) -> dict[str, Any]:
    """Let two processes write and a third one search, and check what is stored.

    Args:
        url: The store; it must exist.
        writers: Writers in each process.
        each: Messages of each writer. One more of each has an id that all writers give.

    Returns:
        Counts, the longest wait of a writer and of a reader in seconds, and errors.
    """
    reports, processes = [], []
    arguments: list[tuple[Any, tuple[Any, ...]]] = [
        (_write, (url, f"p{n}", writers, each)) for n in range(PROCESSES)
    ]
    stop, stopped = spawning.Pipe()
    arguments.append((_search, (url, stopped)))
    for target, given in arguments:
        ours, theirs = spawning.Pipe(duplex=False)
        process = spawning.Process(target=target, args=(theirs, *given), daemon=True)
        process.start()
        theirs.close()
        reports.append(ours)
        processes.append(process)
    written = [report.recv() for report in reports[:PROCESSES]]
    stop.send("stop")
    read = reports[-1].recv()
    for process in processes:
        process.join()
    errors = Counter(code for told in (*written, read) for code in told["errors"])
    asyncio.run(_check(url, writers, each))
    return {
        "processes": PROCESSES,
        "writers_each": writers,
        "messages": PROCESSES * writers * each,
        "same_id_created": sum(told["same_created"] for told in written),
        "longest_wait_s": max(told["longest"] for told in written),
        "seconds": max(told["seconds"] for told in written),
        "searches": read["searches"],
        "longest_search_s": read["longest"],
        "errors": dict(errors),
    }


def _write(pipe: Connection, url: str, name: str, writers: int, each: int) -> None:
    pipe.send(asyncio.run(_write_all(url, name, writers, each)))


async def _write_all(url: str, name: str, writers: int, each: int) -> dict[str, Any]:
    told: dict[str, Any] = {"errors": [], "longest": 0.0, "same_created": 0}
    async with AsyncMemory(url, embedder=None, settings=Settings()) as memory:

        async def add(user: str, text: str, message_id: str) -> bool:
            message = {"role": "user", "content": text, "message_id": message_id}
            begun = time.perf_counter()
            try:
                added = await memory.add(message, user_id=user, session_id="race")
            except BackstoryError as error:
                told["errors"].append(f"{error.code}: {error}"[:200])
                return False
            told["longest"] = max(told["longest"], time.perf_counter() - begun)
            return added.messages[0].created

        async def write(writer: int) -> None:
            # half of the writers meet at one user's row, the others only at the database
            user = SHARED if writer % 2 else f"{name}.{writer}"
            for n in range(each):
                await add(user, f"{name} {writer} {n}", f"{name}.{writer}.{n}")
                if n == each // 2:
                    created = await add(SHARED, "the same", "same")
                    told["same_created"] += created

        begun = time.perf_counter()
        await asyncio.gather(*(write(n) for n in range(writers)))
        told["seconds"] = time.perf_counter() - begun
    return told


def _search(pipe: Connection, url: str, stopped: Connection) -> None:
    pipe.send(asyncio.run(_search_all(url, stopped)))


async def _search_all(url: str, stopped: Connection) -> dict[str, Any]:
    told: dict[str, Any] = {"errors": [], "longest": 0.0, "searches": 0}
    async with AsyncMemory(url, embedder=None, settings=Settings()) as memory:

        async def search() -> None:
            while not stopped.poll():
                begun = time.perf_counter()
                try:
                    await memory.search("the same p0 1", user_id=SHARED, top_k=5)
                except BackstoryError as error:
                    told["errors"].append(f"{error.code}: {error}"[:200])
                told["longest"] = max(told["longest"], time.perf_counter() - begun)
                told["searches"] += 1
                await asyncio.sleep(0.01)

        await asyncio.gather(*(search() for _ in range(READERS)))
    return told


async def _check(url: str, writers: int, each: int) -> None:
    store = make_store(parse_location(url))
    await store.open(may_upgrade=True)
    seen: Counter[str | None] = Counter()
    users = [user.user_id for user in await store.sessions.users("default")]
    for user in users:
        seen.update(m.message_id for m in await stored(store, Scope("default", user)))
    await store.close()
    wanted = {
        f"p{process}.{writer}.{n}"
        for process in range(PROCESSES)
        for writer in range(writers)
        for n in range(each)
    }
    must(set(seen) == wanted | {"same"}, "a message of a writer is missing")
    must(max(seen.values()) == 1, "a message is stored twice")
