"""The store contract: a change of facts is one step, whole or not at all."""

import asyncio
from dataclasses import replace

import pytest

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.model.fact import Cardinality, Change, Fact, FactKind, FactStatus
from backstory.core.model.scope import Scope
from backstory.errors import InvalidInputError, StoreError
from backstory.ports.facts import NewTexts
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, add, run
from backstory.testing.stores.contradiction_base import contradiction
from backstory.testing.stores.fact_base import (
    DAY,
    EVERYTHING,
    HOME,
    change,
    correction,
    fact,
    facts_of,
    follow,
    look,
    plan_of,
    put,
    revision,
    slot,
    values,
    words,
)

WRITERS = 50
BOB = Scope("default", "bob")


class FactChangeContract(StoreCase):
    """What a plan holds is written together, and what a planner sees is what it asked for."""

    def test_gives_back_the_plan_that_was_written(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            given = plan_of(fact("Lund"))
            assert await change(store, lambda _: given) == given
            assert await facts_of(store) == list(given.facts.values())
            nothing = FactPlan()
            assert await change(store, lambda _: nothing) == nothing
            assert await values(store) == ["Lund"]

        run(make_store, act)

    def test_the_words_are_those_of_new_and_changed_rows(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first, second = fact("Lund"), fact("nurse", "work.role")
            asked: list[list[str]] = []

            def note(rows: object) -> NewTexts:
                assert isinstance(rows, (list, tuple))
                asked.append(sorted(row.value for row in rows))
                return words(rows)

            both = plan_of(first, second)
            none = frozenset[tuple[str, str, str]]()
            await store.facts.change(VERA, FactsWanted(), none, lambda _: both, note, NOW)
            assert asked[-1] == ["Lund", "nurse"]
            one = plan_of(replace(first, value="Oslo", believed_at=NOW + DAY))
            await store.facts.change(VERA, EVERYTHING, none, lambda _: one, note, NOW + DAY)
            assert asked[-1] == ["Oslo"]

        run(make_store, act)

    def test_a_planner_that_raises_changes_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "I live in Lund.")).messages[0]
            await put(store, fact("Lund"))
            before = (await store.facts.stamp(VERA), await facts_of(store))

            def refuse(book: FactBook) -> FactPlan:
                assert book.unread == {message.id}
                raise InvalidInputError("refused")

            wanted = FactsWanted(everything=True, unread=frozenset({(message.id, 1)}))
            with pytest.raises(InvalidInputError, match="refused"):
                await change(store, refuse, wanted=wanted)
            assert (await store.facts.stamp(VERA), await facts_of(store)) == before
            assert await store.facts.count_unread(VERA, "default") == 1

        run(make_store, act)

    def test_a_plan_that_breaks_a_rule_is_refused_whole(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "I live in Oslo and work as a nurse.")).messages[0]
            lund = fact("Lund")
            await put(store, lund)
            before = await look(store)
            plan = plan_of(
                fact("nurse", "work.role", said_in=message),
                replace(lund, mentions=7),
                fact("Oslo"),
                revisions=(revision(before, lund, NOW),),
                corrections=(correction(lund, Change.UPDATED, NOW),),
                contradictions={(c := contradiction(lund, "Oslo")).id: c},
            )
            unread = FactsWanted(unread=frozenset({(message.id, 1)}))
            with pytest.raises(StoreError):
                await change(store, lambda _: plan, wanted=unread)
            assert await look(store) == before
            assert await store.facts.count_unread(VERA, "default") == 1

        run(make_store, act)

    def test_read_marks_and_rows_go_together(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            first, second = (await add(store, "I live in Lund.", "I am a nurse.")).messages
            wanted = FactsWanted(unread=frozenset({(first.id, 1), ("unknown", 1), (second.id, 2)}))
            seen: list[frozenset[str]] = []

            def plan(book: FactBook) -> FactPlan:
                seen.append(book.unread)
                return plan_of(fact("Lund", said_in=first)) if book.unread else FactPlan()

            await change(store, plan, wanted=wanted)
            assert seen[-1] == {first.id}
            assert await store.facts.count_unread(VERA, "default") == 1
            # a second reader of the same message comes too late
            await change(other, plan, wanted=wanted)
            assert seen[-1] == frozenset()
            assert await values(other) == ["Lund"]
            left = await other.facts.unread(VERA, "default", 9)
            assert [[(m.id, n) for m, n in part.messages] for part in left] == [[(second.id, 1)]]

        run(make_store, act, stores=2)

    def test_one_of_many_readers_of_a_message_uses_it(self, make_store: MakeStore) -> None:
        async def act(*stores: Store) -> None:
            message = (await add(stores[0], "I have a dog.")).messages[0]
            wanted = FactsWanted(unread=frozenset({(message.id, 1)}))

            def plan(book: FactBook) -> FactPlan:
                row = fact("dog", "pet.kind", cardinality=Cardinality.MANY, said_in=message)
                return plan_of(row) if book.unread else FactPlan()

            written = await asyncio.gather(
                *(change(stores[n % 2], plan, wanted=wanted) for n in range(20))
            )
            assert sum(len(result.facts) for result in written) == 1
            assert await values(stores[0]) == ["dog"]

        run(make_store, act, stores=2)


class OneCurrentRowContract(StoreCase):
    """A slot has one current row, whoever writes and however many come together."""

    def test_a_second_current_row_is_refused(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await put(store, fact("Lund"))
            with pytest.raises(StoreError):
                await put(store, fact("Oslo"))
            with pytest.raises(StoreError):
                await put(store, fact("a", "new.slot"), fact("b", "new.slot"))
            assert await values(store) == ["Lund"]
            await put(store, fact("Lund", scope=Scope("default", "bob")), scope=BOB)
            await put(store, fact("Lund", subject="boss"), fact("Lund", "work.place"))
            assert await values(store) == ["Lund"] * 3

        run(make_store, act)

    def test_a_list_holds_each_value_once(self, make_store: MakeStore) -> None:
        def allergy(value: str) -> Fact:
            return fact(value, "health.allergy", cardinality=Cardinality.MANY)

        async def act(store: Store) -> None:
            await put(store, allergy("nuts"), allergy("eggs"))
            for same in ("nuts", "NUTS", " Nuts. "):
                with pytest.raises(StoreError):
                    await put(store, allergy(same))
            await put(store, allergy("milk"))
            assert await values(store) == ["nuts", "eggs", "milk"]

        run(make_store, act)

    def test_long_values_are_told_apart(self, make_store: MakeStore) -> None:
        def like(value: str) -> Fact:
            return fact(value, "preference.like", cardinality=Cardinality.MANY)

        async def act(store: Store) -> None:
            long = "a very long story " * 6_000
            await put(store, like(long + "one"), like(long + "two"))
            with pytest.raises(StoreError):
                await put(store, like(long.upper() + "ONE"))
            assert await values(store) == [long + "one", long + "two"]

        run(make_store, act)

    def test_what_is_not_current_does_not_count(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await put(store, fact("now"))
            for status in FactStatus:
                if status is not FactStatus.ACTIVE:
                    await put(store, fact(status.value, status=status))
            later = NOW + DAY
            await put(store, fact("later", scheduled=True, valid_from=later))
            await put(store, fact("today", kind=FactKind.TEMPORARY, valid_until=later))
            assert len(await values(store)) == len(FactStatus) + 2

        run(make_store, act)

    def test_a_row_may_take_the_place_that_another_leaves(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            lund, oslo = fact("Lund"), fact("Oslo", status=FactStatus.DISPUTED)
            await put(store, lund, oslo)
            left = replace(lund, status=FactStatus.RETRACTED, believed_at=NOW + DAY)
            taken = replace(oslo, status=FactStatus.ACTIVE, believed_at=NOW + DAY)
            await put(store, left, taken)
            back = replace(lund, believed_at=NOW + 2 * DAY)
            gone = frozenset({oslo.id})
            await put(store, back, removed=gone)
            assert await facts_of(store) == [back]

        run(make_store, act)

    def test_writers_who_come_together_make_one_chain(self, make_store: MakeStore) -> None:
        async def act(*stores: Store) -> None:
            rows = [fact(f"place {n}") for n in range(WRITERS)]
            await asyncio.gather(*(follow(stores[n % 2], row) for n, row in enumerate(rows)))
            book = await look(stores[0])
            assert set(book.facts) == {row.id for row in rows}
            assert len(book.corrections) == len(book.revisions) == WRITERS - 1
            assert {(c.fact_id, c.other_id) for c in book.corrections} == {
                (row.id, row.superseded_by) for row in book.facts.values() if row.superseded_by
            }
            chain = book.slot("user", HOME)
            assert [row.superseded_by for row in chain[:-1]] == [row.id for row in chain[1:]]
            assert [row.valid_until for row in chain[:-1]] == [row.valid_from for row in chain[1:]]
            current = [row for row in chain if row.status is FactStatus.ACTIVE]
            assert current == chain[-1:]
            assert current[0].valid_until is None

        run(make_store, act, stores=2)

    def test_mentions_that_come_together_are_all_counted(self, make_store: MakeStore) -> None:
        def mention(book: FactBook) -> FactPlan:
            rows = book.slot("user", HOME)
            if not rows:
                return plan_of(fact("Lund"))
            return plan_of(replace(rows[0], mentions=rows[0].mentions + 1))

        async def act(*stores: Store) -> None:
            writers = (change(stores[n % 2], mention, wanted=slot()) for n in range(WRITERS))
            await asyncio.gather(*writers)
            assert [(row.value, row.mentions) for row in await facts_of(stores[1])] == [
                ("Lund", WRITERS)
            ]

        run(make_store, act, stores=2)

    def test_users_do_not_wait_for_each_other_to_decide(self, make_store: MakeStore) -> None:
        async def act(*stores: Store) -> None:
            scopes = [Scope("default", f"user {n}") for n in range(10)]
            await asyncio.gather(
                *(
                    follow(stores[n % 2], fact(f"{n}", scope=scope), scope=scope)
                    for n in range(5)
                    for scope in scopes
                )
            )
            for scope in scopes:
                rows = await facts_of(stores[0], scope)
                assert sorted(row.value for row in rows) == [str(n) for n in range(5)]
                assert sum(row.status is FactStatus.ACTIVE for row in rows) == 1

        run(make_store, act, stores=2)
