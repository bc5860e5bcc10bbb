"""Two processes of many writers each on one slot of one user, through ``store`` and ``add``."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Any

from backstory import AsyncMemory
from backstory.core.model.scope import Scope
from backstory.errors import BackstoryError
from backstory.settings import Settings
from bench.children import must, spawning
from bench.fact_chains import KEY, check_chain, check_values, opened, slot_of, town

PROCESSES = 2
MODES = ("store, same value", "store, other values", "add, same value", "add, other values")


def race(url: str, mode: str, *, writers: int, each: int) -> dict[str, Any]:
    """Let two processes state values of one slot at the same time, and check what is stored.

    Args:
        url: The store; it must exist.
        mode: One of ``MODES``.
        writers: Writers in each process, all at once.
        each: Statements of each writer, one after the other.

    Returns:
        Counts, the longest wait of a writer in seconds, and errors (none are allowed).

    Raises:
        AssertionError: A call failed, a value was lost, or the slot's chain is not whole.
    """
    reports, processes = [], []
    for process in range(PROCESSES):
        ours, theirs = spawning.Pipe(duplex=False)
        arguments = (theirs, url, mode, process, writers, each)
        child = spawning.Process(target=_write, args=arguments, daemon=True)
        child.start()
        theirs.close()
        reports.append(ours)
        processes.append(child)
    told = [report.recv() for report in reports]
    for child in processes:
        child.join()
    errors = Counter(error for one in told for error in one["errors"])
    must(not errors, f"{mode}: calls failed: {errors}")
    values = [town(_number(p, w, n, writers, each)) for p, w, n in _all(writers, each)]
    rows = asyncio.run(_check(url, mode, values))
    return {
        "processes": PROCESSES,
        "writers_each": writers,
        "statements": len(values),
        "rows": rows,
        "longest_wait_s": round(max(one["longest"] for one in told), 3),
        "seconds": round(max(one["seconds"] for one in told), 3),
        "errors": 0,
    }


def _all(writers: int, each: int) -> list[tuple[int, int, int]]:
    return [(p, w, n) for p in range(PROCESSES) for w in range(writers) for n in range(each)]


def _number(process: int, writer: int, turn: int, writers: int, each: int) -> int:
    return (process * writers + writer) * each + turn


def _write(pipe: Connection, url: str, mode: str, process: int, writers: int, each: int) -> None:
    pipe.send(asyncio.run(_write_all(url, mode, process, writers, each)))


async def _write_all(url: str, mode: str, process: int, writers: int, each: int) -> dict[str, Any]:
    told: dict[str, Any] = {"errors": [], "longest": 0.0}
    settings = Settings(background=False)
    async with AsyncMemory(url, embedder=None, settings=settings) as memory:
        state = _statement(memory, mode)

        async def write(writer: int) -> None:
            for n in range(each):
                begun = time.perf_counter()
                try:
                    await state(_number(process, writer, n, writers, each))
                except BackstoryError as error:
                    told["errors"].append(f"{error.code}: {error}"[:200])
                told["longest"] = max(told["longest"], time.perf_counter() - begun)

        begun = time.perf_counter()
        await asyncio.gather(*(write(n) for n in range(writers)))
        told["seconds"] = time.perf_counter() - begun
    return told


def _statement(memory: AsyncMemory, mode: str) -> Callable[[int], Awaitable[None]]:
    is_same = "same" in mode

    async def store(number: int) -> None:
        value = town(0 if is_same else number)
        fact = await memory.facts.store(user_id=mode, key=KEY, value=value)
        must(fact.value == value, f"{value} was told as {fact.value}")

    async def add(number: int) -> None:
        value = town(0 if is_same else number)
        text = f"I live in {value}." if is_same else f"I live in {value} now."
        message = {"role": "user", "content": text, "message_id": str(number)}
        added = await memory.add(message, user_id=mode, session_id=f"s{number}")
        must(added.degraded is None, f"{added.degraded}")
        must([fact.value for fact in added.facts] == [value], f"{value}: read {added.facts}")

    return store if mode.startswith("store") else add


async def _check(url: str, mode: str, values: list[str]) -> int:
    async with opened(url) as store:
        scope = Scope("default", mode)
        history = await slot_of(store, scope)
        unread = await store.facts.count_unread(scope, scope.tenant_id)
    must(unread == 0, f"{unread} messages were not read")
    must(history is not None, "nothing is stored")
    if history is None:
        return 0
    last = check_chain(history)
    if "same" in mode:
        check_values(history, [town(0)])
        must(last.mentions == len(values), f"{last.mentions} mentions of {len(values)}")
    else:
        check_values(history, values)
    if mode == "add, other values":
        quoted = Counter(e.message_id for row in history.facts for e in row.evidence)
        must(len(quoted) == len(values), f"{len(quoted)} messages are quoted, of {len(values)}")
        must(set(quoted.values()) == {1}, "a message is quoted twice")
    return len(history.facts)
