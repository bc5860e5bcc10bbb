"""The numbers of a user's row: one statement for all who ask at once, never an old answer."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection

from backstory.core.location import Location
from backstory.core.model.scope import Scope
from backstory.errors import StoreBusyError
from backstory.storage.factory import make_store
from backstory.storage.numbers import Numbers
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import VERA, add

T = TypeVar("T")
WALT = Scope("default", "walt")


async def opened(folder: Path) -> SqlStore:
    store = make_store(Location("sqlite", str(folder / "memory.db")))
    await store.open(may_upgrade=True)
    return store


def counted(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with each statement that reads; each takes a moment."""
    peek, done = store.units.peek, list[int]()

    async def slowly(work: Callable[[Connection], T]) -> T:
        done.append(1)
        found = await peek(work)
        await asyncio.sleep(0.01)
        return found

    monkeypatch.setattr(store.units, "peek", slowly)
    return done


def test_who_asks_at_once_shares_a_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        await add(store, "one")
        await add(store, "two", scope=WALT)
        done = counted(store, monkeypatch)
        numbers = store._numbers
        some = await asyncio.gather(*(numbers.get(scope) for scope in (VERA, WALT, VERA, VERA)))
        assert len(done) == 2
        assert some[0] == some[2] == some[3] != some[1]
        await numbers.get(VERA)
        assert len(done) == 3
        assert not numbers._asked
        await store.close()

    asyncio.run(run())


def test_who_asks_after_a_write_does_not_get_what_was_read_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        await add(store, "one")
        counted(store, monkeypatch)
        early = asyncio.create_task(store._numbers.get(VERA))
        await asyncio.sleep(0.005)  # its statement has run, its answer is not there
        await add(store, "two")
        late = await store._numbers.get(VERA)
        before = await early
        assert before is not None
        assert late is not None
        assert late.next_seq > before.next_seq
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("wait", [0.0, 0.005])
def test_who_gives_up_takes_nothing_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wait: float
) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        await add(store, "one")
        done = counted(store, monkeypatch)
        first, second = (asyncio.create_task(store._numbers.get(VERA)) for _ in range(2))
        await asyncio.sleep(wait)
        first.cancel()
        assert isinstance(await second, Numbers)
        third = asyncio.create_task(store._numbers.get(VERA))
        await asyncio.sleep(wait)
        third.cancel()
        await asyncio.gather(third, return_exceptions=True)
        # what nobody waits for is not joined
        assert isinstance(await store._numbers.get(VERA), Numbers)
        assert len(done) <= 3
        assert not store._numbers._asked
        await store.close()

    asyncio.run(run())


def test_a_user_that_is_not_known_has_none(tmp_path: Path) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        assert await store._numbers.get(VERA) is None
        await store.close()

    asyncio.run(run())


def test_within_one_look_all_are_told_what_the_first_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        await add(store, "one")
        await add(store, "two", scope=WALT)
        done = counted(store, monkeypatch)
        numbers = store._numbers
        later = asyncio.Event()

        async def after() -> Numbers | None:
            await later.wait()
            return await numbers.get(VERA)

        with store.one_look(VERA):
            outliving = asyncio.create_task(after())
            first = await numbers.get(VERA)
            others = await asyncio.gather(*(numbers.get(VERA) for _ in range(3)))
            assert others == [first] * 3
            assert await numbers.get(WALT) != first
            assert len(done) == 2
            await add(store, "three")
            assert await numbers.get(VERA) == first
        fresh = await numbers.get(VERA)
        assert fresh is not None
        assert first is not None
        assert fresh.next_seq > first.next_seq
        # what was begun within the look is told nothing old after it
        later.set()
        assert await outliving == fresh
        await store.close()

    asyncio.run(run())


def test_who_looks_after_a_write_is_told_of_it(tmp_path: Path) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        seen = []
        for text in ("one", "two", "three"):
            await add(store, text)
            with store.one_look(VERA):
                numbers = await store._numbers.get(VERA)
                assert numbers is not None
                seen.append(numbers.next_seq)
        assert seen == sorted(set(seen))
        await store.close()

    asyncio.run(run())


def test_within_one_look_a_failure_and_a_giving_up_are_not_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        await add(store, "one")
        with store.one_look(VERA):
            peek = store.units.peek

            async def failing(work: Callable[[Connection], T]) -> T:
                raise StoreBusyError("somebody else writes")

            monkeypatch.setattr(store.units, "peek", failing)
            with pytest.raises(StoreBusyError):
                await store._numbers.get(VERA)
            monkeypatch.setattr(store.units, "peek", peek)
            counted(store, monkeypatch)
            impatient = asyncio.create_task(store._numbers.get(VERA))
            await asyncio.sleep(0.005)
            impatient.cancel()
            assert isinstance(await store._numbers.get(VERA), Numbers)
        await store.close()

    asyncio.run(run())
