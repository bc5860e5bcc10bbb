"""SQLite finds each row by an index: no statement of a running store looks through a table."""

import asyncio
from pathlib import Path

from sqlalchemy import Connection, event

from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, add, embed, generation, into, said
from backstory.testing.stores.records import edit

# The lists of what a whole tenant has go through the index of the tenant; these read all of it.
ALLOWED = ("SCAN json_each", "SCAN embedding_generations", "SCAN anon_1")


async def use(store: SqlStore) -> None:
    """Call everything that reads or writes."""
    messages = (await add(store, said("one", "a"), "two")).messages
    await add(store, said("one", "a"), session=into(None))
    await embed(store, messages)
    await store.partitions.get(VERA, await generation(store))
    await add(store, "three")
    partition = await store.partitions.get(VERA, await generation(store))
    await store.partitions.metadata(VERA, partition)
    await store.messages.find("default", messages[0].id, "vera")
    await store.messages.pending(VERA, "default", 9)
    await store.messages.pending(None, "default", 9)
    await store.messages.count_pending(VERA, "default")
    await store.messages.note_failures(VERA, [messages[0].id], "x")
    await store.messages.edit(VERA, messages[0].id, edit("new"), NOW)
    await store.messages.history(VERA, messages[0].id)
    await store.sessions.sessions(VERA)
    await store.sessions.newest_open(VERA, None)
    await store.sessions.tail(VERA, "talk", 3)
    await store.sessions.keys(VERA, ["talk"])
    await store.sessions.end_timed_out("default", NOW, frozenset())
    await store.sessions.users("default")
    await store.messages.delete(VERA, messages[0].id)
    await store.messages.delete_all(VERA, None)


def test_statements_use_indexes(tmp_path: Path) -> None:
    seen: dict[str, object] = {}

    def note(_c: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")):
            seen.setdefault(statement, parameters)

    def explain(connection: Connection) -> dict[str, list[str]]:
        plans = {}
        for statement, parameters in list(seen.items()):
            given = parameters[0] if isinstance(parameters, list) else parameters
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)  # type: ignore[arg-type]
            plans[statement] = [row[3] for row in rows]
        return plans

    async def run() -> dict[str, list[str]]:
        store = make_store(Location("sqlite", str(tmp_path / "memory.db")))
        await store.open(may_upgrade=True)
        event.listen(store.units._engine, "before_cursor_execute", note)  # type: ignore[attr-defined]
        await use(store)
        event.remove(store.units._engine, "before_cursor_execute", note)  # type: ignore[attr-defined]
        plans = await store.units.read(explain)
        await store.close()
        return plans

    plans = asyncio.run(run())
    assert len(plans) > 20
    for statement, plan in plans.items():
        scans = [step for step in plan if step.startswith("SCAN") and not step.startswith(ALLOWED)]
        assert not scans, (statement, plan)
    pending = [
        plan
        for sql, plan in plans.items()
        if "needs_vector IS 1" in sql and sql.startswith("SELECT")
    ]
    assert pending
    for plan in pending:
        assert "messages_pending" in " ".join(plan), plan
