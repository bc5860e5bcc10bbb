"""SQLite finds each row by an index: no statement of a running store looks through a table."""

import asyncio
import re
from pathlib import Path

from sqlalchemy import Connection, event

from backstory.core.facts.book import FactsWanted
from backstory.core.location import Location
from backstory.core.model.contradiction import ContradictionState
from backstory.ports.facts import FactFilter
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, add, embed, generation, into, said
from backstory.testing.stores.contradiction_base import collision, contradiction
from backstory.testing.stores.fact_base import ALL, DAY, HOME, fact, follow, look, put
from backstory.testing.stores.fact_search import embed_facts
from backstory.testing.stores.records import edit

# The lists of what a whole tenant has go through the index of the tenant; these read all of it.
# "anon_" is a list that was given.
ALLOWED = ("SCAN json_each", "SCAN embedding_generations", "SCAN given_")

# Of lists that must not look at every fact of a user: some words of the statement, and the index.
NEEDED = (
    ("facts.key_hash = ? AND", "facts_of_key"),
    ("facts.slot_hash IN", "facts_of_slot"),
    ("facts.value_hash IN", "facts_of_value"),
    ("facts.change_no > ?", "facts_changes"),
    ("facts.needs_vector IS 1", "facts_pending"),
    ("fact_revisions.fact_id IN", "sqlite_autoindex_fact_revisions_1"),
    ("fact_corrections.slot_hash IN", "fact_corrections_of_slot"),
    ("contradictions.state IN", "contradictions_in_state"),
    ("messages.needs_reading IS 1 ORDER BY", "messages_unread"),
)


async def use(store: SqlStore) -> None:
    """Call everything that reads or writes."""
    messages = (await add(store, said("one", "a"), "two")).messages
    await add(store, said("one", "a"), session=into(None))
    await embed(store, messages)
    await store.partitions.get(VERA, await generation(store))
    await add(store, "three")
    partition = await store.partitions.get(VERA, await generation(store))
    await store.partitions.metadata(VERA, partition)
    await store.partitions.session_keys(VERA, partition, ["talk"])
    await store.partitions.messages(VERA, partition, [0])
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
    await store.sessions.end_timed_out("default", NOW, frozenset())
    await store.sessions.users("default")
    await use_facts(store)
    await store.messages.delete(VERA, messages[0].id)
    await store.messages.delete_all(VERA, None)


async def use_facts(store: SqlStore) -> None:
    """Call everything about facts."""
    (group, *_) = await store.facts.unread(VERA, "default", 9)
    await store.facts.unread(None, "default", 9, after=group)
    await store.facts.unread(VERA, "default", 9, "talk")
    await store.facts.count_unread(VERA, "default")
    await store.facts.note_unreadable(VERA, [group.messages[0][0].id], "x")
    old, new = fact("a", said_in=group.messages[0][0]), fact("b", at=NOW + DAY)
    await follow(store, old)
    await follow(store, new)
    clash = contradiction(new, "c")
    await put(store, contradictions={clash.id: clash})
    some = FactsWanted(
        slots=frozenset({("user", HOME)}),
        values=frozenset({("user", "b")}),
        fact_ids=frozenset({old.id}),
        contradiction_ids=frozenset({clash.id}),
        message_ids=frozenset({group.messages[0][0].id}),
        unread=frozenset({(group.messages[0][0].id, 1)}),
    )
    await look(store, some, frozenset({("user", HOME, "b")}))
    await store.facts.find("default", new.id, None)
    await store.facts.many(VERA, [new.id])
    for chosen in (ALL, FactFilter(key=HOME, current_at=NOW), FactFilter(key="home.")):
        await store.facts.listed(VERA, chosen, 9)
        await store.facts.latest(VERA, chosen, 9)
        await store.facts.count(VERA, chosen)
        await store.facts.as_of(VERA, NOW, NOW, chosen)
        await store.facts.as_of(VERA, NOW, None, chosen)
    await store.facts.history(VERA, new.id)
    await store.facts.texts(VERA, await generation(store), 0)
    await store.facts.stamp(VERA)
    await store.facts.pending(VERA, "default", 9)
    await store.facts.pending(None, "default", 9)
    await embed_facts(store, [new])
    await store.contradictions.find("default", clash.id, "vera")
    await store.contradictions.listed(VERA, frozenset(ContradictionState), "talk", 9)
    await store.contradictions.counts(VERA)
    await store.contradictions.note_shown(VERA, [clash.id])
    for _ in range(2):
        await store.collisions.replace(VERA, lambda _, __: [collision("Gaia")], NOW)
    await store.collisions.listed(VERA, include_closed=True)
    await store.facts.erase(VERA, new.id, erase_source=True, now=NOW)


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
        if "messages.needs_vector IS 1" in sql and sql.startswith("SELECT")
    ]
    assert pending
    for plan in pending:
        assert "messages_pending" in " ".join(plan), plan
    for words, index in NEEDED:
        chosen = [plan for sql, plan in plans.items() if words in sql and "SELECT" in sql[:7]]
        assert chosen, words
        for plan in chosen:
            assert re.search(index, " ".join(plan)), (words, plan)
