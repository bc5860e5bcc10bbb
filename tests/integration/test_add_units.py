"""A message that is read by the rules costs one unit of work, whatever was known before."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backstory import AsyncMemory
from backstory.errors import StoreBusyError
from backstory.reading.rules.reader import RuleReader
from backstory.settings import Settings
from backstory.storage.facts.store import SqlFacts
from backstory.storage.store import SqlStore
from backstory.testing import HashEmbedder

SAID = ("Good morning.", "I live in Lund.", "I moved to Kiel.", "What a day!", "I have a dog.")


class Counting:
    """Counts the units of work of a store from now on."""

    def __init__(self, store: SqlStore, patch: pytest.MonkeyPatch) -> None:
        self.done: list[str] = []
        units = store.units
        for name in ("read", "peek", "write"):
            patch.setattr(units, name, self._counted(name, getattr(units, name)))

    def _counted(self, name: str, run: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(work: Callable[..., Any]) -> Any:
            self.done.append(name)
            return await run(work)

        return counted


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    if request.param == "postgres":
        found: str = request.getfixturevalue("ready_postgres_url")
        return found
    path: Path = request.getfixturevalue("tmp_path") / "memory.db"
    path.write_bytes(request.getfixturevalue("ready_sqlite"))
    return str(path)


def _memory(url: str) -> AsyncMemory:
    return AsyncMemory(url, embedder=None, settings=Settings(background=False))


async def _store(memory: AsyncMemory) -> SqlStore:
    store = (await memory._open()).store
    assert isinstance(store, SqlStore)
    return store


def test_a_message_is_stored_and_read_in_one_unit(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use() -> None:
        async with _memory(url) as memory:
            await memory.add("Hello there.", user_id="vera")
            counting = Counting(await _store(memory), monkeypatch)
            for number, text in enumerate(SAID):
                result = await memory.add(text, user_id="vera")
                assert counting.done == ["write"] * (number + 1), text
                assert bool(result.facts) == text.startswith("I "), text
            many = await memory.add([*SAID, "I work at Volvo."], user_id="vera")
            assert counting.done == ["write"] * (len(SAID) + 1)
            assert {fact.value for fact in many.facts} >= {"Volvo"}
            assert await (await _store(memory)).facts.count_unread(None, "default") == 0

    asyncio.run(use())


def test_what_others_wrote_meanwhile_is_known(url: str) -> None:
    """A word that only names what is held is read with facts that another process stored."""

    async def use() -> None:
        async with _memory(url) as memory, _memory(url) as other:
            await memory.add("Hello there.", user_id="vera")
            await other.add("I have a dog called Bolt.", user_id="vera")
            told = await memory.add("Bolt died last week.", user_id="vera")
            pets = [fact for fact in told.facts if fact.value == "Bolt"]
            assert [fact.valid_until is not None for fact in pets] == [True]

    asyncio.run(use())


def test_a_reader_that_fails_keeps_the_message(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError("too deep")

    async def use() -> None:
        async with _memory(url) as memory:
            await memory.add("Hello there.", user_id="vera")
            with monkeypatch.context() as broken:
                broken.setattr(RuleReader, "read_now", fail)
                broken.setattr(RuleReader, "read", fail)
                result = await memory.add("I live in Lund.", user_id="vera")
            assert result.degraded is not None
            assert "RecursionError" in result.degraded
            assert (result.facts, len(result.messages)) == ((), 1)
            again = await memory.add("I work at Volvo.", user_id="vera")
            assert {fact.value for fact in again.facts} == {"Lund", "Volvo"}
            assert len((await memory.get_all(user_id="vera")).items) == 3

    asyncio.run(use())


def test_what_fails_after_the_commit_costs_no_message_and_no_fact(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> Any:
        raise StoreBusyError("somebody else is at it")

    async def use() -> None:
        settings = Settings(background=False)
        async with AsyncMemory(url, embedder=HashEmbedder(), settings=settings) as memory:
            await memory.add("Hello there.", user_id="vera")
            with monkeypatch.context() as broken:
                broken.setattr(SqlFacts, "pending", fail)
                result = await memory.add("I live in Lund.", user_id="vera")
            assert result.degraded is not None
            assert "somebody else is at it" in result.degraded
            assert [fact.value for fact in result.facts] == ["Lund"]
            known = await memory.facts.get(user_id="vera")
            assert [fact.value for fact in known] == ["Lund"]

    asyncio.run(use())
