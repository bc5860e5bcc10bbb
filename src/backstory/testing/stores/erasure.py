"""The store contract: a user who was forgotten is nowhere any more."""

import asyncio

from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, add, content, run, texts
from backstory.testing.stores.fact_base import HOME, fact, look, put, values
from backstory.testing.stores.moving_base import MARK, fill, taken_out
from backstory.testing.stores.records import STRANGERS

NOTHING_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
_WRITERS = 8


class ErasureContract(StoreCase):
    """Forgetting takes everything of one user, and nothing of anybody else."""

    def test_nothing_of_a_forgotten_user_is_left(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            rows = await fill(store)
            assert (await store.partitions.get(VERA, None)).message_ids
            forgotten = await store.erasure.forget(VERA)
            # only a very large user has a part
            assert all(n for table, n in forgotten.rows.items() if table != "large_parts")
            assert forgotten.ids_hash != NOTHING_HASH
            assert (await taken_out(store))[1] == []
            assert await values(store) == []
            assert await texts(store, session=f"talk {MARK}") == []
            assert await store.facts.find("default", rows[0].id, None) is None
            assert await store.sessions.users("default") == []
            assert not (await store.partitions.get(VERA, None)).message_ids

        run(make_store, act)

    def test_an_unknown_user_has_nothing_to_forget(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            known = await store.erasure.forget(VERA)
            await fill(store)
            await store.erasure.forget(VERA)
            again = await store.erasure.forget(VERA)
            assert again == known
            assert set(again.rows.values()) == {0}
            assert again.ids_hash == NOTHING_HASH

        run(make_store, act)

    def test_others_keep_everything(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            for other in STRANGERS:
                await fill(store, other, "own")
            before = [await taken_out(store, other) for other in STRANGERS]
            await store.erasure.forget(VERA)
            assert [await taken_out(store, other) for other in STRANGERS] == before

        run(make_store, act)

    def test_the_next_user_of_this_name_begins_anew(self, make_store: MakeStore) -> None:
        async def act(one: Store, other: Store) -> None:
            await add(one, "old one", "old two")
            assert len(await other.partitions.get(VERA, None)) == 2
            assert len(await one.partitions.get(VERA, None)) == 2
            before = await other.facts.stamp(VERA)
            await one.erasure.forget(VERA)
            # the counters come to where they were
            await add(one, "new")
            await add(one, "newer")
            after = await other.facts.stamp(VERA)
            assert before[0] == after[0]
            assert before[1] != after[1]
            fresh = content(await other.partitions.get(VERA, None))
            assert fresh == content(await one.partitions.get(VERA, None))
            assert await texts(other) == ["new", "newer"]
            assert len(fresh["ids"]) == 2

        run(make_store, act, stores=2)

    def test_what_was_erased_may_be_said_again(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            await store.facts.erase(VERA, row.id, erase_source=False, now=NOW)
            await store.erasure.forget(VERA)
            await add(store, "somebody")
            book = await look(store, announced=frozenset({("user", HOME, "lund")}))
            assert book.erased == frozenset()

        run(make_store, act)

    def test_a_write_beside_it_is_forgotten_or_begins_anew(self, make_store: MakeStore) -> None:
        async def act(*stores: Store) -> None:
            await fill(stores[0])
            scope = Scope("default", "vera")

            async def write(store: Store, number: int) -> None:
                await add(store, f"beside {number}")
                await put(store, fact(f"value {number}", f"slot.n{number}"))

            writes = [write(stores[1 + n % 2], n) for n in range(2 * _WRITERS)]
            await asyncio.gather(*writes[::2], stores[0].erasure.forget(scope), *writes[1::2])
            head, items = await taken_out(stores[0])
            assert sum(head.records.values()) == len(items)
            for store in stores:
                kept = await texts(store)
                assert all(text.startswith("beside") for text in kept)
                assert all(value.startswith("value") for value in await values(store))
                assert len(await store.partitions.get(VERA, None)) == len(kept)

        run(make_store, act, stores=3)
