"""What is held of users' facts: bounded, current, and also that there are none."""

import asyncio

from sqlalchemy import Engine, event

from backstory.core.location import Location
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.storage.factory import make_store
from backstory.storage.facts.store import SqlFacts
from backstory.testing.stores.base import NOW, VERA, add
from backstory.testing.stores.fact_base import fact, put

ANY = FactFilter()


async def statements(facts: SqlFacts, scope: Scope) -> list[str]:
    """What asking for the facts of a user runs."""
    seen: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        await facts.as_of(scope, NOW, None, ANY)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return seen


def test_a_user_without_facts_is_not_looked_through_again() -> None:
    async def run() -> None:
        store = make_store(Location("memory", ""))
        await store.open(may_upgrade=True)
        await add(store, "hello")
        assert any("facts.change_no" in one for one in await statements(store.facts, VERA))
        assert not any("facts.change_no" in one for one in await statements(store.facts, VERA))
        await put(store, fact("Lund"))
        found = await store.facts.as_of(VERA, NOW, None, ANY)
        assert [one.value for one in found] == ["Lund"]
        await store.close()

    asyncio.run(run())


def test_users_are_dropped_when_there_are_too_many() -> None:
    async def run() -> None:
        store = make_store(Location("memory", ""))
        await store.open(may_upgrade=True)
        await put(store, fact("Lund"), fact("tea", key="preference.like"))
        held = store.facts._remembered
        held._most_rows = 3
        for number in range(5):
            quiet = Scope("default", f"quiet {number}")
            await add(store, "hello", scope=quiet)
            await store.facts.as_of(quiet, NOW, None, ANY)
            await store.facts.as_of(VERA, NOW, None, ANY)
            await store.facts.as_of(Scope("default", "nobody"), NOW, None, ANY)
            assert held._rows == sum(entry.rows for entry in held._entries.values()) <= 3
        assert len(held._entries) == len(held._locks) == 2
        await store.facts.forget_cached(VERA)
        assert held._rows == len(held._entries) == 1
        await store.close()

    asyncio.run(run())
