"""The store contract: what loses its message is withdrawn."""

from dataclasses import replace
from datetime import datetime

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.model.fact import Change, Evidence, Fact, FactStatus
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, add, into, run
from backstory.testing.stores.contradiction_base import contradiction
from backstory.testing.stores.fact_base import (
    ALL,
    DAY,
    LATER,
    NO_BOOK,
    change,
    correction,
    fact,
    facts_of,
    follow,
    plan_of,
    put,
    quote,
    revision,
    said_to,
    shown,
    slot,
    values,
)
from backstory.testing.stores.fact_search import embed_facts, read
from backstory.testing.stores.records import STRANGERS, edit

ROLE = FactFilter(key="work.role")


async def _move(store: Store, old: Fact, new: Fact, now: datetime) -> None:
    def plan(book: FactBook) -> FactPlan:
        row = book.facts[old.id]
        closed = replace(
            row,
            status=FactStatus.SUPERSEDED,
            valid_until=new.valid_from,
            superseded_at=now,
            superseded_by=new.id,
            believed_at=now,
        )
        line = correction(
            row,
            Change.SUPERSEDED,
            now,
            new_value=new.value,
            other_id=new.id,
            evidence=new.evidence,
        )
        states = (revision(book, row, now),)
        return plan_of(closed, new, revisions=states, corrections=(line,))

    await change(store, plan, wanted=slot(), now=now)


class WithdrawalContract(StoreCase):
    """What came from a message alone goes with it, in the same call."""

    def test_a_deletion_withdraws_what_it_alone_said(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            first, second = await said_to(store, "I live in Lund, as a nurse.", "Lund, yes.")
            alone = fact("nurse", "work.role", said_in=first)
            both = fact("Lund", evidence=(quote(first), quote(second)), mentions=2)
            given = fact("tea", "drink")
            await put(store, alone, both, given)
            await embed_facts(store, [alone, both, given])
            assert await store.messages.delete(VERA, first.id)
            left = await facts_of(other)
            assert [(row.value, row.evidence) for row in left] == [
                ("Lund", (quote(second),)),
                ("tea", ()),
            ]
            assert left[0].status is FactStatus.ACTIVE
            assert await store.facts.history(VERA, alone.id) is None
            assert await store.facts.as_of(VERA, NOW, None, ROLE) == []
            assert await store.facts.as_of(VERA, NOW, NOW, ROLE) == []
            assert set(await read(other)) == {"Lund", "tea"}
            assert "nurse" not in await shown(other)
            assert await store.messages.delete(VERA, second.id)
            assert await values(other) == ["tea"]

        run(make_store, act, stores=2)

    def test_the_row_before_is_current_again(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first, second = await said_to(store, "I live in Lund.", "I moved to Oslo.")
            lund = fact("Lund", said_in=first)
            await put(store, lund)
            await _move(store, lund, fact("Oslo", at=LATER, said_in=second), LATER)
            await store.messages.delete(VERA, second.id)
            row = (await facts_of(store))[0]
            assert await values(store) == ["Lund"]
            assert (row.status, row.valid_until) == (FactStatus.ACTIVE, None)
            assert (row.superseded_by, row.superseded_at) == (None, None)
            found = await store.facts.as_of(VERA, LATER + DAY, None, ALL)
            assert [fact.value for fact in found] == ["Lund"]
            assert "Oslo" not in await shown(store)
            await put(store, fact("nurse", "work.role"))
            await follow(store, fact("Narvik"))
            assert len(await facts_of(store)) == 3

        run(make_store, act)

    def test_an_end_that_was_told_is_taken_back(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first, second = await said_to(store, "I live in Lund.", "I left that town.")
            lund = fact("Lund", said_in=first)
            await put(store, lund)
            ended = replace(lund, status=FactStatus.ENDED, valid_until=LATER, believed_at=LATER)
            line = correction(lund, Change.ENDED, LATER, evidence=(quote(second),))
            states = (revision(NO_BOOK, lund, LATER),)
            await put(store, ended, revisions=states, corrections=(line,), now=LATER)
            assert second.text in await shown(store)
            assert await store.messages.delete(VERA, second.id)
            row = (await facts_of(store))[0]
            assert (row.status, row.valid_until) == (FactStatus.ACTIVE, None)
            assert row.evidence == (quote(first),)
            assert second.text not in await shown(store)

        run(make_store, act)

    def test_a_contradiction_goes_with_what_raised_it(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first, second = await said_to(store, "Born on May 3.", "My birthday is May 4.")
            born = fact("May 3", "personal.birthday", said_in=first)
            clash = contradiction(born, "May 4", evidence=(quote(second),))
            await put(store, born, contradictions={clash.id: clash})
            assert await store.messages.delete(VERA, second.id)
            assert (await store.contradictions.counts(VERA)).open == 0
            assert await facts_of(store) == [born]
            assert second.text not in await shown(store)

        run(make_store, act)

    def test_another_text_withdraws_what_the_old_one_said(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            first, second = await said_to(store, "I live in Lund.", "I am a nurse.")
            await put(
                store, fact("Lund", said_in=first), fact("nurse", "work.role", said_in=second)
            )
            await store.messages.edit(VERA, first.id, edit("I live in Lund.", n=1), LATER)
            assert await values(other) == ["Lund", "nurse"]
            await store.messages.edit(VERA, first.id, edit("I live in Oslo."), LATER)
            assert await values(other) == ["nurse"]
            found = await store.facts.as_of(VERA, NOW, None, ALL)
            assert [row.value for row in found] == ["nurse"]
            assert set(await read(other)) == {"nurse"}

        run(make_store, act, stores=2)

    def test_whole_sessions_withdraw_what_they_said(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            one = (await add(store, "I live in Lund.", session=into("one"))).messages[0]
            two = (await add(store, "I am a nurse.", session=into("two"))).messages[0]
            await put(
                store,
                fact("Lund", said_in=one),
                fact("nurse", "work.role", said_in=two),
                fact("Oslo", "work.place", evidence=(quote(one), quote(two))),
                fact("tea", "drink"),
            )
            await store.messages.delete_all(VERA, "one")
            assert await values(store) == ["nurse", "Oslo", "tea"]
            await store.messages.delete_all(VERA, None)
            assert await values(store) == ["tea"]
            assert set(await read(store)) == {"tea"}

        run(make_store, act)

    def test_an_unread_message_withdraws_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await said_to(store, "ok"))[0]
            await put(store, fact("Lund"))
            before = await shown(store)
            await store.messages.edit(VERA, message.id, edit("OK"), LATER)
            await store.messages.delete(VERA, message.id)
            assert await shown(store) == before

        run(make_store, act)

    def test_strangers_withdraw_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await said_to(store, "I live in Lund."))[0]
            row = fact("Lund", said_in=message)
            await put(store, row)
            for other in STRANGERS:
                # evidence that names a message of somebody else is of no effect on them
                evidence = (Evidence(message_id=message.id, quote="Lund"),)
                own = fact("own", scope=other, evidence=evidence)
                await put(store, own, scope=other)
                await store.messages.delete(other, message.id)
                await store.messages.edit(other, message.id, edit("x"), LATER)
                await store.messages.delete_all(other, None)
                assert len(await facts_of(store, other)) == 1
            assert await facts_of(store) == [row]
            await store.messages.delete(VERA, message.id)
            assert await facts_of(store) == []
            for other in STRANGERS:
                assert len(await facts_of(store, other)) == 1

        run(make_store, act)
