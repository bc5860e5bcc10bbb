"""Processes that write facts until they are killed, and what must hold afterwards.

Two ways to die: at a random moment, and before the n-th statement that one call sends to the
database, for every n until the call lives through. A process tells its parent through a pipe what
was acknowledged; what lies in a pipe outlives its writer.
"""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from sqlalchemy import Engine, event

from backstory import AsyncMemory
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.settings import Settings
from bench.children import Child, must
from bench.fact_chains import KEY, check_chain, slot_of, town

OPERATIONS = ("add", "add again", "store")
_QUIET = Settings(background=False)
_PATIENCE_S = 60.0
_MOST_STATEMENTS = 200


def value_of(number: int) -> str:
    """The value that operation ``number`` states; the second of three repeats the first."""
    return town(number - number % 3 + (number % 3) // 2)


async def operate(memory: AsyncMemory, user: str, number: int) -> None:
    """State a value in a message, say it again in another one, or state another by hand."""
    value = value_of(number)
    if OPERATIONS[number % 3] == "store":
        await memory.facts.store(user_id=user, key=KEY, value=value)
        return
    text = f"I live in {value} now." if number % 3 == 0 else f"I live in {value}."
    message = {"role": "user", "content": text, "message_id": f"m{number}"}
    await memory.add(message, user_id=user, session_id="s")


@dataclass
class Victim(Child):
    """A process that writes facts until it is killed.

    Attributes:
        first: The number of its first operation; those before it were done already.
        fatal: It kills itself before this statement of its first operation, counted from 1, and
            else ends behind it; None = it writes until it is killed.
    """

    first: int = 0
    fatal: int | None = None

    def start(self) -> None:
        """Start it; it begins to write when it has opened the store."""
        self._start(_write, self.first, self.fatal)

    def wait(self) -> bool:
        """Wait until it ends by itself; whether it was killed."""
        self._process.join(_PATIENCE_S)
        code = self._process.exitcode
        self._finish()
        must(code in (0, -signal.SIGKILL), f"a writer ended with {code}")
        return code != 0


def _write(pipe: Connection, url: str, user: str, first: int, fatal: int | None) -> None:
    asyncio.run(_write_on(pipe, url, user, first, fatal))


async def _write_on(pipe: Connection, url: str, user: str, first: int, fatal: int | None) -> None:
    async with AsyncMemory(url, embedder=None, settings=_QUIET) as memory:
        number = first
        if fatal is not None:
            await memory.facts.get(user)
            _die_before(fatal)
        while True:
            await operate(memory, user, number)
            pipe.send(number)
            number += 1
            if fatal is not None:
                return


def _die_before(fatal: int) -> None:
    """Kill this process before the ``fatal``-th statement or commit from now on."""
    sent = 0

    def count(*_: object) -> None:
        nonlocal sent
        sent += 1
        if sent == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("before_cursor_execute", "commit"):
        event.listen(Engine, name, count)


async def check(memory: AsyncMemory, victim: Victim) -> Counter[str]:
    """Check what is stored after a kill, finish its work as another process, check again.

    Raises:
        AssertionError: A slot has two current rows or none, a chain is broken, a value is lost, or
            a message was read twice or never.
    """
    scope = Scope("default", victim.user)
    last = max(victim.acknowledged, default=victim.first - 1)
    store = (await memory._open()).store
    rows = await _rows(store, scope)
    waiting = await store.facts.count_unread(scope, scope.tenant_id)
    must(waiting <= 1, f"{waiting} messages were unread, though one was in hand")
    must(rows or last < 0, "the slot is empty")
    done = await memory.flush(victim.user)
    must((done.read, done.failed) == (waiting, 0), f"read {done.read} of {waiting}")
    must((await memory.flush(victim.user)).read == 0, "messages were read twice")
    messages = (await memory.get_all(user_id=victim.user)).total
    stored = _check_all(victim, last, await _rows(store, scope), messages)
    return Counter(kills=1, acknowledged=last + 1, stored=stored, unread_after_kill=waiting)


async def _rows(store: Store, scope: Scope) -> Sequence[Fact]:
    """The rows of the slot; their chain is whole."""
    history = await slot_of(store, scope)
    if history is None:
        return ()
    check_chain(history)
    return history.facts


def _check_all(victim: Victim, last: int, rows: Sequence[Fact], messages: int) -> int:
    """Count mentions: each operation up to the last one is there once, the next one at most."""
    mentions = Counter[str]()
    for row in rows:
        mentions[row.value] += row.mentions
    wanted = Counter(value_of(n) for n in range(last + 1))
    over = wanted + Counter({value_of(last + 1): 1})
    must(
        mentions in (wanted, over), f"{victim.user}: {mentions - wanted} over, {wanted - mentions}"
    )
    added = [n for n in range(last + 1) if n % 3 != 2]
    must(messages in (len(added), len(added) + 1), f"{messages} messages, not {len(added)}")
    quoted = Counter(e.message_id for row in rows for e in row.evidence)
    must(len(quoted) == messages, f"{len(quoted)} messages are quoted, of {messages}")
    must(max(quoted.values(), default=1) == 1, "a message is quoted twice")
    return mentions.total()


async def kill_at_random(url: str, count: int, seed: int) -> dict[str, int]:
    """Kill writers at random moments, one after the other, and check after each."""
    choose = random.Random(seed)  # noqa: S311
    total = Counter[str]()
    async with AsyncMemory(url, embedder=None, settings=_QUIET) as memory:
        for n in range(count):
            victim = Victim(url, f"random{seed}.{n}")
            victim.start()
            if choose.random() < 0.9:
                victim.wait_until(choose.randint(1, 4))
            await asyncio.sleep(choose.uniform(0, 0.1))
            victim.kill()
            total.update(await check(memory, victim))
    return dict(total)


async def kill_at_each_statement(url: str, seed: int, step: int = 1) -> dict[str, int]:
    """Let a writer die before each statement of each kind of call, and check after each.

    Args:
        url: The store; it must exist.
        seed: Makes the users' names.
        step: 1 for every statement, more to leave some out.
    """
    total = Counter[str]()
    async with AsyncMemory(url, embedder=None, settings=_QUIET) as memory:
        for place, name in enumerate(OPERATIONS):
            for fatal in range(1, _MOST_STATEMENTS, step):
                victim = Victim(url, f"{name}{seed}.{fatal}", 3 + place, fatal)
                for number in range(victim.first):
                    await operate(memory, victim.user, number)
                victim.start()
                if not victim.wait():
                    break
                must(not victim.acknowledged, "a call returned before its last statement")
                total.update(await check(memory, victim))
                total[f"statements of {name}"] = fatal
            else:
                must(False, "a call sends statements without end")
    return dict(total)
