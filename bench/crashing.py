"""Processes that write to a store until they are killed, and what must hold afterwards.

A writer tells its parent through a pipe which messages were acknowledged; what lies in a pipe
outlives its writer. Batch number k of a writer goes to session ``s{k % 3}`` and holds messages
whose ids follow from k, so that a batch can be given again, and be seen to be whole.
"""

import asyncio
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from backstory import AsyncMemory
from backstory.core.location import parse_location
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.errors import StoreError
from backstory.settings import Settings
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing import HashEmbedder
from bench.children import Child, must

MOST = 8


def batch(user: str, number: int) -> list[dict[str, Any]]:
    """The messages of one batch: 1 to 8, the same each time."""
    size = random.Random(f"{user} {number}").randint(1, MOST)  # noqa: S311
    return [
        {"role": "user", "content": f"{user}: {number}, {n}", "message_id": f"m{number}.{n}"}
        for n in range(size)
    ]


def session_of(number: int) -> str:
    """The session of a batch."""
    return f"s{number % 3}"


@dataclass
class Writer(Child):
    """A process that adds batches one after the other until it is killed.

    Attributes:
        is_local: Whether it makes vectors in the call that adds, or in the background.
        patient: Whether it tries a batch again when the store failed.
        failures: Codes of the errors that it met, with their counts.
    """

    is_local: bool
    patient: bool = False
    failures: Counter[str] = field(default_factory=Counter)

    def start(self) -> None:
        """Start it; it begins to write when it has opened the store."""
        self._start(_write, self.is_local, self.patient)

    def _take(self, told: Any) -> None:
        if isinstance(told, int):
            self.acknowledged.append(told)
        else:
            self.failures[told] += 1

    def _why(self) -> object:
        return self.failures


def _write(pipe: Connection, url: str, user: str, is_local: bool, patient: bool) -> None:
    asyncio.run(_write_forever(pipe, url, user, is_local=is_local, patient=patient))


async def _write_forever(
    pipe: Connection, url: str, user: str, *, is_local: bool, patient: bool
) -> None:
    embedder = HashEmbedder(16, is_local=is_local)
    async with AsyncMemory(url, embedder=embedder, settings=Settings()) as memory:
        number = 0
        while True:
            try:
                await memory.add(batch(user, number), user_id=user, session_id=session_of(number))
            except StoreError as error:
                pipe.send(error.code)
                if not patient or not error.retryable:
                    raise
                await asyncio.sleep(0.02)
                continue
            pipe.send(number)
            number += 1


async def check(url: str, writer: Writer) -> dict[str, int]:
    """Check what is stored of a writer that was killed, finish its work, and give counts.

    Raises:
        AssertionError: A message is lost, double, or half of a batch is there.
    """
    user, scope = writer.user, Scope("default", writer.user)
    store = make_store(parse_location(url))
    await store.open(may_upgrade=True)
    found = await stored(store, scope)
    ids = Counter((message.session_id, message.message_id) for message in found)
    last = max(writer.acknowledged, default=-1)
    must(writer.acknowledged == list(range(last + 1)), "acknowledgements are out of order")
    expected = {
        (session_of(n), item["message_id"]) for n in range(last + 1) for item in batch(user, n)
    }
    inflight = {(session_of(last + 1), item["message_id"]) for item in batch(user, last + 1)}
    lost = expected - set(ids)
    doubles = [key for key, count in ids.items() if count > 1]
    must(not lost, f"acknowledged and lost: {len(lost)}, such as {list(lost)[:3]}")
    must(not doubles, f"stored twice: {doubles[:5]}")
    rest = set(ids) - expected
    must(rest in (set(), inflight), f"half of a batch is stored: {list(rest)[:9]}")
    waiting = await store.messages.pending(scope, "default", 100_000)
    await _check_sessions(store, scope, found)
    await store.close()
    await _finish(url, user, [item.text for item in waiting], last)
    return {
        "acknowledged": len(expected),
        "unanswered_but_stored": len(rest),
        "pending_after_kill": len(waiting),
        "lost": 0,
        "doubles": 0,
    }


async def stored(store: SqlStore, scope: Scope) -> list[Message]:
    """Every message of a user."""
    partition = await store.partitions.get(scope, None)
    found = await store.messages.many(scope, list(partition.message_ids))
    must(len(found) == len(partition), "a message of the partition cannot be read")
    return [found[name] for name in partition.message_ids]


async def _check_sessions(store: SqlStore, scope: Scope, found: Sequence[Message]) -> None:
    for session in await store.sessions.sessions(scope):
        times = [m.timestamp for m in found if m.session_id == session.id]
        begun, last = min(times), max(times)
        right = (session.messages, session.started_at) == (len(times), begun)
        right = right and session.ended_at in (None, last)
        must(right and session.last_received_at >= last, f"a wrong session: {session}")


async def _finish(url: str, user: str, waiting: Sequence[str], last: int) -> None:
    """A new process: what was pending is embedded once, what is given again is not new."""
    embedder = HashEmbedder(16)
    settings = Settings(background=False)
    async with AsyncMemory(url, embedder=embedder, settings=settings) as memory:
        done = await memory.flush(user)
        must(sorted(embedder.texts) == sorted(waiting), "pending work was not done once each")
        counts = (done.embedded, done.failed, done.pending)
        must(counts == (len(waiting), 0, 0), f"flush told {counts}")
        must((await memory.flush(user)).embedded == 0, "there was work left after a flush")
        for number in range(last + 2):
            added = await memory.add(
                batch(user, number), user_id=user, session_id=session_of(number)
            )
            if number <= last:
                again = any(message.created for message in added.messages)
                must(not again, f"batch {number} was stored again")
        page = await memory.get_all(user_id=user, limit=100_000)
        wanted = sum(len(batch(user, number)) for number in range(last + 2))
        must(page.total == len(page.items) == wanted, f"{page.total} messages, not {wanted}")
        must(len(set(embedder.texts)) == len(embedder.texts), "a text was embedded twice")


def kill_clients(url: str, count: int, seed: int) -> dict[str, int]:
    """Kill writers at random moments, one after the other, and check after each.

    Returns:
        Sums of what ``check`` counted, and how many kills there were.
    """
    choose = random.Random(seed)  # noqa: S311
    total: Counter[str] = Counter(kills=count)
    writers = []
    for n in range(count):
        writer = Writer(url, f"u{seed}.{n}", is_local=choose.random() < 0.5)
        writer.start()
        if choose.random() < 0.9:
            writer.wait_until(1)
        time.sleep(choose.uniform(0, 0.25))
        writer.kill()
        total.update(asyncio.run(check(url, writer)))
        writers.append(writer)
    asyncio.run(_check_again(url, writers))
    return dict(total)


async def _check_again(url: str, writers: Sequence[Writer]) -> None:
    """What was right after its own kill is still so after all of them."""
    store = make_store(parse_location(url))
    await store.open(may_upgrade=True)
    for writer in writers:
        last = max(writer.acknowledged, default=-1)
        wanted = sum(len(batch(writer.user, number)) for number in range(last + 2))
        found = len(await stored(store, Scope("default", writer.user)))
        must(found == wanted, f"{found} messages, not {wanted}, after later kills")
    await store.close()


def check_file(path: Path) -> None:
    """Let SQLite check a whole file."""
    connection = sqlite3.connect(path)
    try:
        whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        must(whole, "the file is damaged")
        dangling = connection.execute("PRAGMA foreign_key_check").fetchall()
        must(not dangling, f"dangling references: {dangling[:3]}")
    finally:
        connection.close()
