"""The store contract: what is erased is gone, and known when it comes back."""

from dataclasses import replace

from backstory.core.model.contradiction import ContradictionState
from backstory.core.model.fact import Cardinality, Change, Fact, FactStatus
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, run, texts
from backstory.testing.stores.contradiction_base import contradiction
from backstory.testing.stores.fact_base import (
    HOME,
    LATER,
    NO_BOOK,
    correction,
    fact,
    facts_of,
    follow,
    look,
    put,
    quote,
    revision,
    said_to,
    shown,
    values,
)
from backstory.testing.stores.fact_search import embed_facts, pending
from backstory.testing.stores.records import STRANGERS, edit

SECRET = "Ullared by the lake"  # noqa: S105 - a word to look for
BOB = Scope("default", "bob")


async def erase(
    store: Store, row: Fact, *, erase_source: bool = False, scope: Scope = VERA
) -> bool:
    """Erase one row."""
    return await store.facts.erase(scope, row.id, erase_source=erase_source, now=LATER)


class EraseContract(StoreCase):
    """An erased fact is nowhere any more, and is known again when it comes back."""

    def test_an_erased_row_is_gone(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await said_to(store, f"I live in {SECRET}."))[0]
            row = fact(SECRET, said_in=message)
            clash = contradiction(row, "Oslo")
            line = correction(row, Change.UPDATED, NOW, reason=f"was {SECRET}")
            kept = fact("nurse", "work.role")
            state = revision(NO_BOOK, row, LATER)
            await put(store, row, kept, contradictions={clash.id: clash}, corrections=(line,))
            await put(store, replace(row, believed_at=LATER), revisions=(state,))
            await embed_facts(store, [replace(row, believed_at=LATER)])
            assert SECRET in await shown(store)
            assert await erase(store, row)
            assert SECRET not in await shown(store)
            assert await store.facts.find("default", row.id, None) is None
            assert await store.facts.many(VERA, [row.id]) == {}
            assert await store.facts.history(VERA, row.id) is None
            assert [item.id for item in await pending(store)] == [kept.id]
            assert await facts_of(store) == [kept]
            assert not await erase(store, row)
            assert await texts(store) == [f"I live in {SECRET}."]

        run(make_store, act)

    def test_the_log_of_its_neighbours_forgets_the_value(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            lines = ("I live in Lund.", f"I moved to {SECRET}.", "I moved to Oslo.")
            messages = await said_to(store, *lines)
            values_said = ("Lund", SECRET, "Oslo")
            rows = [fact(v, said_in=m) for v, m in zip(values_said, messages, strict=True)]
            for row in rows:
                await follow(store, row)
            assert await erase(store, rows[1])
            assert SECRET not in await shown(store)
            history = await store.facts.history(VERA, rows[0].id)
            assert history is not None
            assert [row.value for row in history.facts] == ["Lund", "Oslo"]
            assert {row.superseded_by for row in history.facts} <= {None, rows[2].id}
            assert [state.value for state in history.revisions] == ["Lund"]
            assert await erase(store, rows[2])
            assert await erase(store, rows[0])
            assert await facts_of(store) == []

        run(make_store, act)

    def test_contradictions_forget_the_value(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row, kept = fact(SECRET), fact("nurse", "work.role")
            made = [
                contradiction(row, "Oslo", stored_fact_id=None),
                contradiction(row, SECRET.upper(), stored_value="Rome", stored_fact_id=None),
                contradiction(row, "a", stored_value="b", stated_fact_id=row.id, state="resolved"),
                contradiction(row, "c", stored_value="d", stored_fact_id=None),
                contradiction(kept, "doctor", held_value="nurse", state="held"),
            ]
            await put(store, row, kept, contradictions={c.id: c for c in made})
            assert await erase(store, row)
            every = frozenset(ContradictionState)
            assert await store.contradictions.listed(VERA, every) == made[3:]

        run(make_store, act)

    def test_an_earlier_value_does_not_come_back_either(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lnud")
            await put(store, row)
            states = (revision(NO_BOOK, row, LATER),)
            await put(store, replace(row, value="Lund", believed_at=LATER), revisions=states)
            assert await erase(store, row)
            both = frozenset({("user", HOME, "lund"), ("user", HOME, "lnud")})
            assert (await look(store, announced=both)).erased == both

        run(make_store, act)

    def test_the_other_side_of_a_dispute_is_current(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            key, disputed = "personal.birthday", FactStatus.DISPUTED
            rows = [fact(v, key, valid_from=None, status=disputed) for v in ("May 3", "May 4")]
            clash = contradiction(rows[0], "May 4", stated_fact_id=rows[1].id)
            await put(store, *rows, contradictions={clash.id: clash})
            assert await erase(store, rows[1])
            left = await facts_of(store)
            assert [(row.value, row.status) for row in left] == [("May 3", FactStatus.ACTIVE)]
            assert (await store.contradictions.counts(VERA)).open == 0

        run(make_store, act)

    def test_there_may_be_none(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            assert not await erase(store, row)
            await put(store, row)
            before = await shown(store)
            for other in STRANGERS:
                await put(store, fact("own", scope=other), scope=other)
                assert not await erase(store, row, scope=other)
                assert not await erase(store, row, erase_source=True, scope=other)
                assert await values(store, other) == ["own"]
            assert await shown(store) == before

        run(make_store, act)

    def test_what_was_erased_is_known_when_it_comes_back(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            row = fact("  LUND. ")
            nuts = fact("nuts", "health.allergy", cardinality=Cardinality.MANY)
            past = fact("Rome", "work.place", status=FactStatus.SUPERSEDED)
            await put(store, row, nuts, past, fact("tea", "drink"))
            for gone in (row, nuts, past):
                assert await erase(store, gone)
            erased = {
                ("user", HOME, "lund"),
                ("user", "health.allergy", "nuts"),
                ("user", "work.place", "rome"),
            }
            near = {
                ("user", HOME, "oslo"),
                ("boss", HOME, "lund"),
                ("user", "home", "lund"),
                ("user", "health.allergy", "eggs"),
                ("user", "drink", "tea"),
                ("user", HOME, "LUND"),
            }
            assert normal_value(row.value) == "lund"
            book = await look(other, announced=frozenset(erased | near))
            assert book.erased == erased
            assert (await look(other, announced=frozenset(near))).erased == frozenset()
            assert (await look(other)).erased == frozenset()
            for stranger in (BOB, *STRANGERS):
                await put(store, fact("own", scope=stranger), scope=stranger)
                book = await look(other, announced=frozenset(erased), scope=stranger)
                assert book.erased == frozenset()

        run(make_store, act, stores=2)

    def test_it_stays_known_in_every_way_to_lose_its_source(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await said_to(store, "I live in Lund."))[0]
            row = fact("Lund", said_in=message)
            await put(store, row)
            await erase(store, row)
            triple = frozenset({("user", HOME, "lund")})
            await store.messages.edit(VERA, message.id, edit("I do live in Lund."), LATER)
            await store.messages.delete(VERA, message.id)
            assert (await look(store, announced=triple)).erased == triple
            # to write it all the same is the planner's decision: a person may say it again
            await put(store, fact("Lund"))
            assert await values(store) == ["Lund"]
            await erase(store, (await facts_of(store))[0])
            assert (await look(store, announced=triple)).erased == triple

        run(make_store, act)

    def test_its_source_goes_too_if_asked(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            both, other, apart = await said_to(
                store, f"I am a nurse in {SECRET}.", f"Yes, {SECRET}.", "I like tea."
            )
            home = fact(SECRET, evidence=(quote(both), quote(other)))
            role = fact("nurse", "work.role", said_in=both)
            tea = fact("tea", "drink", evidence=(quote(apart), quote(other)))
            await put(store, home, role, tea)
            assert await erase(store, home, erase_source=True)
            assert await texts(store) == ["I like tea."]
            assert await store.facts.count_unread(VERA, "default") == 1
            left = await facts_of(store)
            assert [(row.value, row.evidence) for row in left] == [("tea", (quote(apart),))]
            assert SECRET not in await shown(store)
            partition = await store.partitions.get(VERA, None)
            assert partition.message_ids == (apart.id,)

        run(make_store, act)

    def test_a_plan_may_remove_rows(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await said_to(store, f"I live in {SECRET}."))[0]
            row, kept = fact(SECRET, said_in=message), fact("nurse", "work.role")
            state = revision(NO_BOOK, row, NOW)
            await put(store, row, kept, revisions=(state,))
            await embed_facts(store, [row])
            await put(store, removed=frozenset({row.id, "unknown"}))
            assert await facts_of(store) == [kept]
            assert SECRET not in await shown(store)
            triple = frozenset({("user", HOME, normal_value(SECRET))})
            assert (await look(store, announced=triple)).erased == frozenset()
            await put(store, row)
            assert (await look(store)).revisions == ()
            found = await store.facts.texts(VERA, None, -1)
            assert [text.fact for text in found] == [kept, row]

        run(make_store, act)
