"""The store contract: what search reads of facts, and which facts still need a vector."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from backstory.core.model.embedding import Generation
from backstory.core.model.fact import Change, Fact
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError
from backstory.ports.facts import FactPending, FactText
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    VERA,
    MakeStore,
    StoreCase,
    add,
    generation,
    run,
    terms,
    vector_of,
)
from backstory.testing.stores.fact_base import ALL, DAY, correction, fact, follow, put
from backstory.testing.stores.records import STRANGERS

BOB = Scope("default", "bob")
UNKNOWN = Scope("default", "unknown")


async def pending(store: Store, scope: Scope | None = VERA, limit: int = 99) -> list[FactPending]:
    """Facts of the default tenant that need a vector."""
    return await store.facts.pending(scope, "default", limit)


async def embed_facts(store: Store, rows: Sequence[Fact], scope: Scope = VERA) -> int:
    """Store the vectors of facts."""
    made = {row.id: (row.believed_at, vector_of(row.value)) for row in rows}
    saved = await store.facts.save_vectors(scope, await generation(store), made)
    assert saved is not None
    return saved


async def read(
    store: Store, made_by: Generation | None = None, after: int = -1, scope: Scope = VERA
) -> dict[str, FactText]:
    """What search reads, by value."""
    found = await store.facts.texts(scope, made_by, after)
    assert len({text.fact.id for text in found}) == len(found)
    return {text.fact.value: text for text in found}


def latest(found: dict[str, FactText]) -> int:
    """The highest change number."""
    return max(text.change_no for text in found.values())


class FactTextContract(StoreCase):
    """A reader that asks for what changed since it looked misses nothing."""

    def test_gives_rows_with_their_words(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await follow(store, fact("old Lund"))
            await follow(store, fact("Oslo, too"))
            await put(store, fact("nurse", "work.role"))
            found = await read(store)
            assert list(found) == ["old Lund", "Oslo, too", "nurse"]
            assert all(text.terms == terms(value) for value, text in found.items())
            assert all(text.vector is None for text in found.values())
            rows = await store.facts.many(VERA, [text.fact.id for text in found.values()])
            assert [text.fact for text in found.values()] == list(rows.values())
            assert await read(store, scope=UNKNOWN) == {}

        run(make_store, act)

    def test_gives_only_what_changed_behind_a_number(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            lund, role = fact("Lund"), fact("nurse", "work.role")
            await put(store, lund, role)
            seen = latest(await read(store))
            assert await read(store, after=seen) == {}
            await put(other, replace(role, mentions=2))
            changed = await read(store, after=seen)
            assert list(changed) == ["nurse"]
            assert changed["nurse"].fact.mentions == 2
            assert changed["nurse"].change_no > seen
            seen = latest(changed)
            await follow(other, fact("Oslo"))
            assert set(await read(store, after=seen)) == {"Lund", "Oslo"}
            await embed_facts(other, [role])
            active = await generation(store)
            seen = latest(await read(store, active))
            await embed_facts(other, await _rows(store, "Oslo"))
            vectors = {v: text.vector for v, text in (await read(store, active, seen)).items()}
            assert vectors == {"Oslo": vector_of("Oslo")}

        run(make_store, act, stores=2)

    def test_new_words_replace_the_old(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            await put(store, replace(row, value="Oslo", believed_at=NOW + DAY))
            found = await read(store)
            assert {value: text.terms for value, text in found.items()} == {"Oslo": terms("Oslo")}

        run(make_store, act)

    def test_the_stamp_changes_with_every_write_and_removal(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            message = (await add(store, "I live in Lund.")).messages[0]
            stamps = [await store.facts.stamp(UNKNOWN), await store.facts.stamp(VERA)]

            async def moved() -> bool:
                now = await store.facts.stamp(VERA)
                assert await other.facts.stamp(VERA) == now
                stamps.append(now)
                return now not in stamps[1:-1]

            lund, role = fact("Lund", said_in=message), fact("nurse", "work.role")
            await put(other, lund, role)
            assert await moved()
            await put(other, replace(role, mentions=2))
            assert await moved()
            assert await embed_facts(other, [role]) == 1
            assert await moved()
            assert await other.facts.erase(VERA, role.id, erase_source=False, now=NOW)
            assert await moved()
            assert await other.messages.delete(VERA, message.id)
            assert await moved()
            assert await read(store) == {}
            await put(other, fact("Oslo", scope=BOB), scope=BOB)
            await store.facts.listed(VERA, ALL, None)
            assert not await moved()
            assert await store.facts.stamp(UNKNOWN) == stamps[0]

        run(make_store, act, stores=2)

    def test_a_removal_changes_the_epoch(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first, second = (await add(store, "I live in Lund.", "I am a nurse.")).messages
            rows = [fact("Lund", said_in=first), fact("nurse", "work.role", said_in=second)]
            await put(store, *rows, fact("tea", "drink"))
            epochs = [(await store.facts.stamp(VERA))[1]]
            await store.facts.erase(VERA, rows[0].id, erase_source=False, now=NOW)
            epochs.append((await store.facts.stamp(VERA))[1])
            await store.messages.delete(VERA, second.id)
            epochs.append((await store.facts.stamp(VERA))[1])
            tea = (await _rows(store, "tea"))[0]
            await put(store, removed=frozenset({tea.id}))
            epochs.append((await store.facts.stamp(VERA))[1])
            assert len(set(epochs)) == 4

        run(make_store, act)


async def _rows(store: Store, value: str) -> list[Fact]:
    return [text.fact for v, text in (await read(store)).items() if v == value]


class FactVectorContract(StoreCase):
    """What is left to embed follows from what is stored."""

    def test_new_facts_are_pending_until_embedded(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            rows = [fact("Lund"), fact("nurse", "work.role"), fact("tea", "drink")]
            await put(store, *rows)
            waiting = {item.id: item for item in await pending(store)}
            assert set(waiting) == {row.id for row in rows}
            for row in rows:
                item = waiting[row.id]
                assert (item.scope, item.believed_at) == (VERA, row.believed_at)
                assert row.value in item.text
            assert len(await pending(store, limit=2)) == 2
            assert await embed_facts(store, rows[:2]) == 2
            assert [item.id for item in await pending(store)] == [rows[2].id]
            active = await generation(store)
            found = await read(store, active)
            assert {value: text.vector for value, text in found.items()} == {
                "Lund": vector_of("Lund"),
                "nurse": vector_of("nurse"),
                "tea": None,
            }
            for other in (None, replace(active, id=active.id + 1)):
                found = await read(store, other)
                assert [text.vector for text in found.values()] == [None] * 3

        run(make_store, act)

    def test_another_value_needs_another_vector(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            changed = replace(row, value="Oslo", believed_at=NOW + DAY)
            await put(store, changed)
            assert await embed_facts(store, [row]) == 0
            assert [item.believed_at for item in await pending(store)] == [NOW + DAY]
            assert await embed_facts(store, [changed]) == 1
            assert await pending(store) == []
            again = replace(changed, value="Narvik", believed_at=NOW + 2 * DAY)
            await put(store, again)
            assert [item.id for item in await pending(store)] == [row.id]
            found = await read(store, await generation(store))
            assert {value: text.vector for value, text in found.items()} == {"Narvik": None}
            moment = timedelta(microseconds=1)
            near = replace(again, believed_at=again.believed_at + moment)
            assert await embed_facts(store, [near, fact("unknown")]) == 0

        run(make_store, act)

    def test_a_mention_keeps_the_vector(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            await embed_facts(store, [row])
            again = replace(row, mentions=2, last_mention_at=NOW + DAY)
            line = correction(row, Change.UPDATED, NOW)
            await put(store, again, corrections=(line,))
            assert await pending(store) == []
            found = await read(store, await generation(store))
            assert found["Lund"].vector == vector_of("Lund")

        run(make_store, act)

    def test_pending_facts_of_a_tenant(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            scopes = [VERA, BOB, Scope("other", "vera"), Scope("default", "%")]
            for scope in scopes:
                rows = [fact(f"{n}", f"slot.n{n}", scope=scope) for n in range(5)]
                await put(store, *rows, scope=scope)
            assert len(await pending(store, BOB)) == 5
            done = 0
            while waiting := await pending(store, None, 4):
                assert len(waiting) <= 4
                for scope in {item.scope for item in waiting}:
                    found = await store.facts.many(scope, [item.id for item in waiting])
                    done += await embed_facts(store, list(found.values()), scope)
            assert done == 15
            assert len(await store.facts.pending(None, "other", 99)) == 5

        run(make_store, act)

    def test_saving_twice_leaves_one_vector_of_a_fact(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            rows = [fact(f"{n}", f"slot.n{n}") for n in range(50)]
            await put(store, *rows)
            await generation(store)
            both = await asyncio.gather(embed_facts(store, rows), embed_facts(other, rows))
            assert list(both) == [50, 50]
            active = await generation(store)
            for one in (store, other):
                found = await read(one, active)
                assert {v: t.vector for v, t in found.items()} == {
                    row.value: vector_of(row.value) for row in rows
                }
            assert await pending(store) == []

        run(make_store, act, stores=2)

    def test_a_wrong_size_stores_no_vector_of_a_fact(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            rows = [fact("Lund"), fact("nurse", "work.role")]
            await put(store, *rows)
            active = await generation(store)
            made = {rows[0].id: (NOW, vector_of("Lund")), rows[1].id: (NOW, b"\0" * 28)}
            with pytest.raises(EmbeddingDimensionError, match="8"):
                await store.facts.save_vectors(VERA, active, made)
            assert len(await pending(store)) == 2

        run(make_store, act)

    def test_vectors_stay_within_the_walls(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            for other in STRANGERS:
                await put(store, fact("own", scope=other), scope=other)
                assert await embed_facts(store, [row], other) == 0
                assert len(await store.facts.pending(other, other.tenant_id, 9)) == 1
                assert list(await read(store, scope=other)) == ["own"]
            assert [item.id for item in await pending(store)] == [row.id]

        run(make_store, act)
