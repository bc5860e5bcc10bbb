"""Very large users on PostgreSQL: the index finds what comparing all finds, and nothing else."""

import asyncio
import random
from typing import Any

import numpy as np
import psycopg
import pytest
from numpy.typing import NDArray
from psycopg import sql

from backstory import AsyncMemory
from backstory.core.location import Location
from backstory.core.ranking import distant as ranking
from backstory.core.terms import QueryTerms
from backstory.ports.store import MadeVector
from backstory.services.recalling import distant
from backstory.settings import Settings
from backstory.storage import large_building
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.embedders import HashEmbedder
from backstory.testing.stores.base import DIMENSIONS, NOW, VERA, add, embed, generation, into
from backstory.testing.stores.partitions import STEP_WEIGHTS
from backstory.testing.stores.records import edit

SMALL = 40
COPIES = (
    "SELECT count(*) FROM message_vectors v FULL JOIN large_vectors c USING"
    " (tenant_id, user_id, message_id, generation_id) WHERE v.vector IS NULL OR c.vector IS NULL"
)


async def opened(url: str, large_from: int = SMALL) -> SqlStore:
    """A store for which a user of few messages is very large."""
    store = make_store(Location("postgres", url), large_from=large_from)
    await store.open(may_upgrade=True)
    return store


def directions(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Unit vectors."""
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSIONS), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


async def told(store: SqlStore, vectors: NDArray[np.float32], session: str = "talk") -> list[Any]:
    """Messages with the given vectors."""
    named = [f"{session} {number}" for number in range(len(vectors))]
    messages = (await add(store, *named, session=into(session))).messages
    made = [
        MadeVector(message_id=message.id, revision=1, vector=row.astype("<f4").tobytes())
        for message, row in zip(messages, vectors, strict=True)
    ]
    await store.messages.save_vectors(VERA, await generation(store), made)
    return list(messages)


async def index(store: SqlStore) -> None:
    """Have the user's index made, as the background does."""
    await store.partitions.get(VERA, await generation(store))
    await store.tend()
    await store.large.finish()


def one(url: str, query: str) -> Any:
    """The first value that a query gives."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(sql.SQL(query)).fetchall()
    return rows[0][0]


def test_the_index_finds_what_comparing_all_finds(postgres_url: str) -> None:
    vectors, query = directions(300), directions(1, seed=5)[0]

    async def run() -> None:
        store = await opened(postgres_url)
        await told(store, vectors)
        active = await generation(store)
        before = await store.partitions.get(VERA, active)
        assert before.dimensions == DIMENSIONS
        await index(store)
        after = await store.partitions.get(VERA, active)
        assert after.is_distant
        assert after.nbytes < before.nbytes
        assert after.has_vector.all()
        best = np.argsort(-(vectors @ query))[:20]
        near = await store.partitions.nearest(VERA, active, query, 20, None)
        assert not near.exact
        assert set(after.rows_of(np.sort(near.seqs)).tolist()) == set(best.tolist())
        some = await store.partitions.cosines(VERA, active, query, after.seqs[:7])
        order = np.argsort(some.seqs)
        assert some.cosines[order] == pytest.approx(vectors[:7] @ query, abs=2e-3)
        await store.close()

    asyncio.run(run())


def test_a_filter_far_from_the_query_gets_all_it_can(postgres_url: str) -> None:
    """BUG-091: the index walks where the query is, and the filter leaves nothing of that."""
    query = directions(1, seed=5)[0]
    near_by = query + 0.1 * directions(600, seed=1)
    near_by /= np.linalg.norm(near_by, axis=1, keepdims=True)

    async def run() -> None:
        store = await opened(postgres_url)
        await told(store, near_by, "near")
        far = await told(store, -directions(5, seed=2) * np.sign(directions(5, 2) @ query)[:, None])
        await index(store)
        active = await generation(store)
        partition = await store.partitions.get(VERA, active)
        wanted = {message.id for message in far}
        mask = np.array([i in wanted for i in partition.message_ids])
        found = await store.partitions.nearest(VERA, active, query, 5, partition.seqs[mask])
        rows = partition.rows_of(np.sort(found.seqs))
        assert {partition.message_ids[row] for row in rows} == wanted
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("seed", range(2))
def test_copies_are_those_of_the_vectors_whatever_is_written(postgres_url: str, seed: int) -> None:
    async def run() -> None:
        choose = random.Random(seed)  # noqa: S311
        one_store, other = await opened(postgres_url), await opened(postgres_url)
        await told(one_store, directions(SMALL))
        await index(one_store)
        active = await generation(one_store)
        for _ in range(20):
            step = choose.choices(list(STEP_WEIGHTS), list(STEP_WEIGHTS.values()))[0]
            await step(choose, choose.choice([one_store, other]))
            assert one(postgres_url, COPIES) == 0
            partition = await choose.choice([one_store, other]).partitions.get(VERA, active)
            vectors = one(postgres_url, "SELECT count(*) FROM message_vectors")
            assert partition.has_vector.sum() == vectors
            assert partition.dimensions is None
        await one_store.close()
        await other.close()

    asyncio.run(run())


def test_what_is_written_while_the_index_is_made_is_in_it(postgres_url: str) -> None:
    async def run() -> None:
        store, other = await opened(postgres_url), await opened(postgres_url)
        messages = await told(store, directions(1200))
        building = asyncio.create_task(index(store))
        for number, message in enumerate(messages[700:730]):
            if number % 3 == 0:
                await other.messages.delete(VERA, message.id)
            elif number % 3 == 1:
                await other.messages.edit(VERA, message.id, edit("changed"), NOW)
            else:
                added = (await add(other, f"new {number}")).messages
                await embed(other, added)
        await building
        await other.messages.delete(VERA, messages[0].id)
        await embed(other, (await add(other, "after")).messages)
        assert one(postgres_url, COPIES) == 0
        assert one(postgres_url, "SELECT ready FROM large_parts") is True
        await store.close()
        await other.close()

    asyncio.run(run())


def test_an_index_that_was_left_unfinished_is_made_by_the_next(postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(postgres_url)
        await told(store, directions(60))
        await index(store)
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("UPDATE large_parts SET ready = false")
            connection.execute(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'large_1_hnsw'::regclass"
            )
            connection.execute("DELETE FROM large_vectors WHERE seq < 20")
            connection.execute("UPDATE users SET epoch = epoch + 1")
        active = await generation(store)
        assert (await store.partitions.get(VERA, active)).dimensions == DIMENSIONS
        await index(store)
        assert (await store.partitions.get(VERA, active)).is_distant
        assert one(postgres_url, COPIES) == 0
        valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'large_1_hnsw'::regclass"
        assert one(postgres_url, valid) is True
        await store.close()

    asyncio.run(run())


def test_nothing_is_left_of_a_forgotten_user(postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(postgres_url)
        await told(store, directions(60))
        await index(store)
        forgotten = await store.erasure.forget(VERA)
        assert forgotten.rows["large_parts"] == 1
        for table in ("large_parts", "large_vectors"):
            assert one(postgres_url, f"SELECT count(*) FROM {table}") == 0  # noqa: S608
        await told(store, directions(60, seed=9))
        await index(store)
        assert (await store.partitions.get(VERA, await generation(store))).is_distant
        assert one(postgres_url, COPIES) == 0
        await store.close()

    asyncio.run(run())


def test_without_the_extension_all_stays_in_memory(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE ROLE plain_user LOGIN")
        connection.execute("GRANT ALL ON SCHEMA public TO plain_user")
    plain = postgres_url.replace("postgres@", "plain_user@", 1)

    async def run() -> None:
        store = await opened(plain)
        await told(store, directions(60))
        await index(store)
        found = await store.partitions.get(VERA, await generation(store))
        assert found.dimensions == DIMENSIONS
        assert one(postgres_url, "SELECT to_regclass('large_vectors')") is None
        await store.close()

    try:
        asyncio.run(run())
    finally:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("DROP OWNED BY plain_user")
            connection.execute("DROP ROLE plain_user")


def test_a_small_user_costs_no_table(postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(postgres_url)
        await told(store, directions(SMALL - 1))
        await index(store)
        assert one(postgres_url, "SELECT to_regclass('large_vectors')") is None
        await store.close()

    asyncio.run(run())


def test_the_farthest_message_is_compared_as_the_scale_begins_there(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distant, "FEW", 10)
    monkeypatch.setattr(ranking, "NEAREST", 20)
    monkeypatch.setattr(ranking, "SAMPLE", 10)
    monkeypatch.setattr(ranking, "FIRST", 5)
    vectors = directions(300)

    async def run() -> None:
        store = await opened(postgres_url)
        for start in range(0, 300, 10):
            await told(store, vectors[start : start + 10], f"talk {start}")
        await index(store)
        active = await generation(store)
        arm = distant.DistantArm(store, VERA, active, await store.partitions.get(VERA, active))
        for query in directions(4, seed=5):
            compared, how = await arm.compare(query, QueryTerms(), None, 1)
            assert how == distant.BY_INDEX
            exact = vectors @ query
            known = compared.known
            assert known[exact.argmin()]
            assert known[np.argsort(-exact)[:20]].all()
            assert not known.all()
            assert compared.cosines[known] == pytest.approx(exact[known], abs=2e-3)
        few = np.arange(300) % 40 == 0
        compared, how = await arm.compare(query, QueryTerms(), few, 1)
        assert how == distant.IN_DATABASE
        assert compared.known.tolist() == few.tolist()
        assert compared.cosines[few] == pytest.approx(exact[few], abs=2e-3)
        await store.close()

    asyncio.run(run())


TOPICS = ("the garden", "a violin", "our boat", "the oven", "chess", "a map of Rome")


def test_a_search_by_index_gives_the_hits_of_one_in_memory(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_building, "LARGE_FROM", SMALL)
    monkeypatch.setattr(distant, "FEW", 10)
    monkeypatch.setattr(ranking, "NEAREST", 60)
    quiet = Settings(background=False, reading="none")

    async def asked(memory: AsyncMemory) -> list[Any]:
        found = []
        for topic in TOPICS:
            for filters in (None, {"role": "user"}):
                hits = await memory.search(
                    f"What about {topic}?", user_id="vera", filters=filters, explain=True, top_k=5
                )
                found.append(([hit.id for hit in hits], hits.explanation))
        return found

    async def run() -> None:
        memory = AsyncMemory(postgres_url, embedder=HashEmbedder(), settings=quiet)
        choose = random.Random(3)  # noqa: S311
        roles = ("user", "assistant")
        turns = [
            {"role": roles[n % 2], "content": f"{choose.choice(TOPICS)} again, number {n}"}
            for n in range(400)
        ]
        await memory.add(turns, user_id="vera")
        exact = await asked(memory)
        assert {how["search"] for _, how in exact} == {distant.EXACT}
        services = await memory._open()
        assert isinstance(services.store, SqlStore)
        await services.store.tend()
        await services.store.large.finish()
        found = await asked(memory)
        assert {how["search"] for _, how in found[::2]} == {distant.BY_INDEX}
        # a filter may leave the index too little, which it cannot know
        assert {how["search"] for _, how in found[1::2]} <= {distant.BY_INDEX, distant.IN_DATABASE}
        same = [set(a) & set(b) for (a, _), (b, _) in zip(exact, found, strict=True)]
        assert sum(map(len, same)) >= 0.95 * 5 * len(exact)
        await memory.close()

    asyncio.run(run())
