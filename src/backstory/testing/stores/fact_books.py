"""The store contract: what a planner of a change of facts is given."""

from dataclasses import replace

from backstory.core.facts.book import FactsWanted
from backstory.core.model.fact import Cardinality, Change, FactStatus
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, add, run
from backstory.testing.stores.contradiction_base import contradiction
from backstory.testing.stores.fact_base import (
    HOME,
    correction,
    fact,
    facts_of,
    follow,
    look,
    put,
    slot,
)
from backstory.testing.stores.records import STRANGERS


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

    def test_members_are_the_rows_of_one_value(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            many, key = Cardinality.MANY, "imported.memory"
            names = ("Rows", "Sails", "Skis")
            rows = [fact(name, key, cardinality=many) for name in names]
            log = [correction(row, Change.UPDATED, NOW) for row in rows]
            await put(store, *rows, fact("rows", HOME), corrections=tuple(log))
            wanted = FactsWanted(members=frozenset({("user", key, "rows"), ("user", key, "skis")}))
            book = await look(store, wanted)
            assert list(book.facts.values()) == [rows[0], rows[2]]
            assert [line.fact_id for line in book.corrections] == [rows[0].id, rows[2].id]
            both = replace(wanted, slots=frozenset({("user", HOME)}))
            assert len((await look(store, both)).facts) == 3
            clash = contradiction(rows[1], "other")
            await put(store, contradictions={clash.id: clash})
            book = await look(store, wanted)
            assert list(book.facts.values()) == rows, "they may be tied to one another"
            assert set(book.contradictions) == {clash.id}

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
