"""What was derived from a deleted message is in no file of the database and in no table."""

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from backstory.core.location import Location
from backstory.core.model.derived import Derived
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, add, into, vector_of
from backstory.testing.stores.derived_base import (
    HOUR,
    do,
    embed_derived,
    event,
    keep,
    one_of_each,
    records,
    summary,
)
from backstory.testing.stores.records import edit
from tests.integration.test_erasure import MARK, files_of, left_in, opened, secret

OTHER = Scope("default", "other")


async def fill(store: SqlStore, count: int, seed: int = 0) -> list[Message]:
    """Records with secrets of many sizes, in versions, among those of another user.

    The messages themselves hold none.
    """
    choose = random.Random(seed)  # noqa: S311
    said = []
    for n in range(count):
        session = f"talk {n % 3}"
        (message,) = (await add(store, f"turn {n}", session=into(session))).messages
        said.append(message)
        mark = secret(n, choose.choice([0, 3, 30, 300]))
        made: list[Derived] = one_of_each(message, mark=mark, session=session)
        await keep(store, *made)
        later = event(f"{mark} later", message, id=made[0].id)
        await keep(store, later, summary(f"{mark} later", session), now=NOW + HOUR)
        await do(store, withdraw=(made[5].id,), now=NOW + HOUR)
        await add(store, f"public {n}", scope=OTHER)
        public = "public " + "word " * choose.randint(1, 300)
        await keep(store, event(public), event(public), scope=OTHER)
    await embed_derived(store)
    return said


@pytest.mark.parametrize("how", ["one by one", "session", "everything", "forget", "edit", "erase"])
def test_nothing_of_it_is_left_in_the_files(tmp_path: Path, how: str) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        said = await fill(store, 9)
        others = await records(store, OTHER)
        vectors = [vector_of(secret(n, 0)) for n in range(9)]
        assert left_in(tmp_path)
        if how == "one by one":
            for n, message in enumerate(said):
                await store.messages.delete(VERA, message.id)
                assert left_in(tmp_path, f"{MARK}-{n:05d}-") == []
        elif how == "session":
            for n in range(3):
                await store.messages.delete_all(VERA, f"talk {n}")
                assert left_in(tmp_path, f"{MARK}-{n:05d}-") == []
        elif how == "everything":
            await store.messages.delete_all(VERA, None)
        elif how == "forget":
            await store.erasure.forget(VERA)
        elif how == "edit":
            for message in said:
                await store.messages.edit(VERA, message.id, edit("something else"), NOW + HOUR)
            assert await records(store) == []
            # an edit keeps the old text as history; the file is emptied with the next deletion
            await store.messages.delete(VERA, said[0].id)
        else:
            await do(store, erase=tuple({r.id for r in await records(store)}))
        assert left_in(tmp_path) == []
        found = b"".join(files_of(tmp_path).values())
        assert not any(vector in found for vector in vectors)
        assert await records(store) == []
        assert await records(store, OTHER) == others
        await store.close()
        assert left_in(tmp_path) == []

    asyncio.run(run())


def test_the_words_of_one_of_two_messages_go(tmp_path: Path) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        one, two = (await add(store, "one", "two")).messages
        both = event("public", one, two)
        quotes = [replace(e, quote=secret(n)) for n, e in enumerate(both.evidence)]
        await keep(store, replace(both, evidence=tuple(quotes)))
        await store.messages.delete(VERA, two.id)
        assert left_in(tmp_path, f"{MARK}-00001") == []
        assert left_in(tmp_path, f"{MARK}-00000") != []
        assert len(await records(store)) == 1
        await store.close()

    asyncio.run(run())


def test_nothing_is_left_in_any_table_of_postgres(ready_postgres_url: str) -> None:
    def found(connection: Connection) -> list[str]:
        hits = []
        for table in inspect(connection).get_table_names():
            query = text(f"SELECT count(*) FROM {table} t WHERE t::text LIKE :secret")  # noqa: S608
            if connection.scalar(query, {"secret": f"%{MARK}%"}):
                hits.append(table)
        return hits

    async def run() -> None:
        store = make_store(Location("postgres", ready_postgres_url))
        await store.open(may_upgrade=True)
        said = await fill(store, 6)
        assert await store.units.read(found) == ["derived"]
        for message in said[:3]:
            await store.messages.delete(VERA, message.id)
        await store.messages.delete_all(VERA, None)
        assert await store.units.read(found) == []
        vectors = "SELECT count(*) FROM derived_vectors WHERE user_id = 'vera'"
        assert await store.units.read(lambda c: c.scalar(text(vectors))) == 0
        await store.close()

    asyncio.run(run())
