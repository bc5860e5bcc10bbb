"""What a store looked like at each released schema: its statements and some rows, as JSON.

``python -m tests.integration.schema_snapshots`` writes the snapshot of the newest schema, once,
when it is released. Tests restore each one and upgrade it.
"""

import asyncio
import json
import sys
import tempfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event, inspect

from backstory.core.location import Location
from backstory.core.model.document import Draft
from backstory.core.model.message import Message, Role
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.core.model.sentiment import Sentiment
from backstory.core.model.session import SessionLabel
from backstory.ports.runs import RunClaim
from backstory.storage.factory import make_store
from backstory.storage.migrate import upgrade
from backstory.storage.schema import HEAD
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import (
    NOW,
    VERA,
    add,
    embed,
    generation,
    into,
    said,
    vector_of,
)
from backstory.testing.stores.contradiction_base import collision, contradiction
from backstory.testing.stores.derived_base import embed_derived, keep, one_of_each, summary
from backstory.testing.stores.document_base import NOVEL, rewrite, write
from backstory.testing.stores.fact_base import DAY, fact, follow, put
from backstory.testing.stores.fact_search import embed_facts
from backstory.testing.stores.records import edit
from tools.local_postgres import LocalPostgres

FOLDER = Path(__file__).parent.parent / "data" / "schemas"
TABLES = (
    "alembic_version",
    "tenants",
    "users",
    "sessions",
    "messages",
    "message_revisions",
    "embedding_generations",
    "message_vectors",
    "large_parts",
    "facts",
    "fact_evidence",
    "fact_revisions",
    "fact_corrections",
    "fact_vectors",
    "contradictions",
    "collisions",
    "erased_claims",
    "derived",
    "derived_vectors",
    "consolidation_runs",
    "documents",
    "document_chapters",
    "document_revisions",
    "document_passages",
    "document_vectors",
    "document_entities",
    "document_sightings",
    "document_states",
    "document_knowers",
    "document_threads",
    "document_thread_events",
    "document_drafts",
)
BOB = Scope("default", "bob")


async def fill(store: SqlStore) -> None:
    """Put something into every table."""
    label = SessionLabel(agent_id="guide", mode="voice", metadata={"topic": "moving"})
    first = said("I moved to Gothenburg.", "a", speaker="Vera", metadata={"turn": "D1:3", "n": 1})
    answer = said("Nice! 名", role=Role.ASSISTANT, notes=["image skipped"])
    answer = replace(answer, sentiment=Sentiment(valence=0.5, arousal=0.25))
    messages = (await add(store, first, answer, session=into("talk", label=label))).messages
    await embed(store, messages)
    await store.messages.edit(VERA, messages[0].id, edit("I moved to Lund.", turn="D1:3"), NOW)
    await _fill_facts(store, messages[0])
    await _fill_derived(store, messages[1])
    await store.sessions.end(VERA, "talk")
    await add(store, "Hello", scope=BOB)
    await _fill_documents(store)


async def _fill_documents(store: SqlStore) -> None:
    documents, active = store.documents, await generation(store)
    await write(store, 1, "Ann|Annie\nAnn.eyes=green@Bob\n+Who is Annie? 名")
    await write(store, 2, "Ann")
    await rewrite(store, 2, "Ann\n~1")
    (passage, *_) = await documents.pending(NOVEL, active, 1)
    await documents.put_vectors(NOVEL, active, [(passage, vector_of("Ann"))])
    draft = Draft(number=3, title="Later", text="nothing yet", recorded_at=NOW)
    await documents.put_draft(NOVEL, draft)


async def _fill_derived(store: SqlStore, message: Message) -> None:
    await keep(store, *one_of_each(message))
    await keep(store, summary("Vera moved."), now=NOW + DAY)
    await embed_derived(store)
    lease = NOW + DAY
    claim = RunClaim(scope=VERA, kind=RunKind.DAILY, period="day", holder="here", lease_until=lease)
    run = await store.runs.begin(claim, NOW, lambda _: True)
    if run is not None:
        await store.runs.finish(VERA, run, NOW, None, {"summaries": 1})


async def _fill_facts(store: SqlStore, said_in: Message) -> None:
    lund, oslo = fact("Lund", said_in=said_in), fact("Oslo", at=NOW + DAY)
    await follow(store, lund)
    await follow(store, oslo)
    await embed_facts(store, list((await store.facts.many(VERA, [oslo.id])).values()))
    clash = contradiction(oslo, "Rome")
    await put(store, contradictions={clash.id: clash})
    await store.collisions.replace(VERA, lambda _, __: [collision("Gaia", oslo)], NOW)
    gone = fact("tea", "drink")
    await put(store, gone)
    await store.facts.erase(VERA, gone.id, erase_source=False, now=NOW)


async def statements_of(store: SqlStore) -> list[str]:
    """Let the migrations make the tables of an empty store, and give their statements."""
    made: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.strip().startswith(("CREATE", "ALTER", "DROP")):
            made.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        await store.units.migrate(lambda connection: upgrade(connection, "", None))
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return made


def rows_of(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Every row, as the driver gives it, in JSON."""
    found = {}
    for table in TABLES:
        result = connection.exec_driver_sql(f"SELECT * FROM {table}")  # noqa: S608
        found[table] = [{k: _plain(v) for k, v in row._mapping.items()} for row in result]
    return found


def restore(connection: Connection, snapshot: dict[str, Any]) -> None:
    """Make the tables and rows of a snapshot, for this database."""
    on_postgres = connection.dialect.name == "postgresql"
    for statement in snapshot["statements"]:
        connection.exec_driver_sql(statement)
    for table, rows in snapshot["rows"].items():
        columns = {column["name"]: column for column in inspect(connection).get_columns(table)}
        for row in rows:
            marks = [_mark(str(columns[name]["type"]), on_postgres=on_postgres) for name in row]
            sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(marks)})"  # noqa: S608
            values = [_driver(value, on_postgres=on_postgres) for value in row.values()]
            connection.exec_driver_sql(sql, tuple(values))


def _mark(kind: str, *, on_postgres: bool) -> str:
    if not on_postgres:
        return "?"
    return "%s::json" if kind == "JSON" else "%s"


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, datetime):
        return {"instant": value.isoformat()}
    return {"json": value} if isinstance(value, (dict, list)) else value


def _driver(value: Any, *, on_postgres: bool) -> Any:
    if not isinstance(value, dict):
        return value
    if "bytes" in value:
        return bytes.fromhex(value["bytes"])
    if "instant" in value:
        return datetime.fromisoformat(value["instant"])
    return json.dumps(value["json"])


async def take(location: Location) -> dict[str, Any]:
    """The snapshot of a new store at a place."""
    store = make_store(location)
    statements = await statements_of(store)
    await store.open(may_upgrade=False)
    await fill(store)
    rows = await store.units.read(rows_of)
    await store.close()
    return {"statements": statements, "rows": rows}


def read(revision: str) -> dict[str, Any]:
    """The stored snapshots of a revision, by database."""
    found: dict[str, Any] = json.loads((FOLDER / f"{revision}.json").read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Write the snapshot of the newest schema."""
    target = FOLDER / f"{HEAD}.json"
    if target.exists():
        sys.stderr.write(f"{target} is there; a released schema does not change\n")
        return 1
    with tempfile.TemporaryDirectory() as folder, LocalPostgres() as server:
        places = {
            "sqlite": Location("sqlite", f"{folder}/memory.db"),
            "postgresql": Location("postgres", server.take_database()),
        }
        snapshot = {name: asyncio.run(take(place)) for name, place in places.items()}
    FOLDER.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(snapshot, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
