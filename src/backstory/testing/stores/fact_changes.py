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
from backstory.testing.stores.records import STRANGERS

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


class FactBookContract(StoreCase):
    """A planner sees the rows that it wants, in full, and no others."""

    def test_a_slot_is_given_with_all_its_rows(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for value in ("Lund", "Oslo", "Narvik"):
                await follow(store, fact(value))
            await put(store, fact("nurse", "work.role"), fact("Rome", HOME, subject="friend.sam"))
            book = await look(store, slot())
            assert [row.value for row in book.slot("user", HOME)] == ["Lund", "Oslo", "Narvik"]
            assert len(book.facts) == len(await store.facts.many(VERA, list(book.facts))) == 3
            assert len(book.revisions) == len(book.corrections) == 2
            both = frozenset({("friend.sam", HOME), ("user", "work.role"), ("user", "no.such")})
            book = await look(store, FactsWanted(slots=both))
            assert sorted(row.value for row in book.facts.values()) == ["Rome", "nurse"]
            assert (book.revisions, book.corrections) == ((), ())
            assert (await look(store, FactsWanted())).facts == {}
            assert len((await look(store)).facts) == 5

        run(make_store, act)

    def test_a_value_names_the_slots_that_hold_it_now(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await follow(store, fact("Lund"))
            await follow(store, fact("  OSLO "))
            await put(store, fact("Oslo", "work.place"), fact("Lund", "study.place"))
            await put(store, fact("Oslo", subject="boss"), fact("Oslo!", "goal.trip"))
            gone = FactStatus.RETRACTED
            await put(store, fact("Oslo", "personal.birthplace", status=gone, retracted_at=NOW))
            book = await look(store, FactsWanted(values=frozenset({("user", "oslo")})))
            found = sorted((row.key, row.value) for row in book.facts.values())
            assert found == [
                ("goal.trip", "Oslo!"),
                (HOME, "  OSLO "),
                (HOME, "Lund"),
                ("work.place", "Oslo"),
            ]
            book = await look(store, FactsWanted(values=frozenset({("user", "lund")})))
            assert {row.key for row in book.facts.values()} == {"study.place"}

        run(make_store, act)

    def test_ids_and_messages_name_whole_slots(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first, second = (await add(store, "I live in Lund.", "I am a nurse.")).messages
            lund, oslo = fact("Lund", said_in=first), fact("Oslo")
            await follow(store, lund)
            await follow(store, oslo)
            await put(store, fact("nurse", "work.role", said_in=second), fact("tea", "drink"))
            for wanted in (
                FactsWanted(fact_ids=frozenset({oslo.id})),
                FactsWanted(fact_ids=frozenset({lund.id, "unknown"})),
                FactsWanted(message_ids=frozenset({first.id})),
            ):
                assert set((await look(store, wanted)).facts) == {lund.id, oslo.id}
            both = FactsWanted(fact_ids=frozenset({lund.id}), message_ids=frozenset({second.id}))
            assert len((await look(store, both)).facts) == 3

        run(make_store, act)

    def test_contradictions_come_with_their_slots(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            lund, role, tea = fact("Lund"), fact("nurse", "work.role"), fact("tea", "drink")
            made = [contradiction(row, "other") for row in (lund, role, tea)]
            made.append(contradiction(lund, "Rome", state="resolved"))
            made.append(contradiction(lund, "Narvik", state="held", stored_value="Lund now"))
            await put(store, lund, role, tea, contradictions={c.id: c for c in made})
            book = await look(store, slot())
            assert book.contradictions == {c.id: c for c in (made[0], made[4])}
            wanted = FactsWanted(contradiction_ids=frozenset({made[1].id, made[3].id, "unknown"}))
            book = await look(store, wanted)
            assert set(book.facts) == {lund.id, role.id}
            assert set(book.contradictions) == {made[n].id for n in (0, 1, 3, 4)}
            everything = await look(store)
            assert set(everything.contradictions) == {made[n].id for n in (0, 1, 2, 4)}

        run(make_store, act)

    def test_nothing_of_another_user_is_seen_or_changed(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "I live in Lund.")).messages[0]
            mine = fact("Lund", said_in=message)
            clash = contradiction(mine, "Oslo")
            await put(store, mine, contradictions={clash.id: clash})
            wanted = FactsWanted(
                slots=frozenset({("user", HOME)}),
                values=frozenset({("user", "lund")}),
                fact_ids=frozenset({mine.id}),
                contradiction_ids=frozenset({clash.id}),
                message_ids=frozenset({message.id}),
                unread=frozenset({(message.id, 1)}),
                everything=True,
            )
            for other in STRANGERS:
                own = fact("Lund", scope=other)
                await put(store, own, scope=other)
                book = await look(store, wanted, scope=other)
                assert (list(book.facts.values()), book.contradictions) == ([own], {})
                assert book.unread == frozenset()
                gone = frozenset({mine.id})
                await put(store, scope=other, removed=gone)
                assert await facts_of(store, other) == [own]
            assert await facts_of(store) == [mine]
            assert await store.facts.count_unread(VERA, "default") == 1
            book = await look(store, wanted)
            assert list(book.facts.values()) == [mine]
            assert book.contradictions == {clash.id: clash}
            assert book.unread == {message.id}

        run(make_store, act)


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
