"""The store contract: what was true when, as it was believed then."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.model.fact import Change, Fact, FactStatus
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, run
from backstory.testing.stores.fact_base import (
    ALL,
    DAY,
    HOME,
    change,
    correction,
    fact,
    plan_of,
    put,
    revision,
    slot,
)

MOMENT = timedelta(microseconds=1)


async def held(
    store: Store, valid_at: datetime, known_at: datetime | None = None, chosen: FactFilter = ALL
) -> list[str]:
    """The values that were believed."""
    rows = await store.facts.as_of(VERA, valid_at, known_at, chosen)
    return sorted(row.value for row in rows)


async def become(store: Store, *states: Fact, now: datetime) -> None:
    """Write new states of rows, keeping the ones before."""

    def plan(book: FactBook) -> FactPlan:
        old = [book.facts[state.id] for state in states if state.id in book.facts]
        return plan_of(
            *states,
            revisions=tuple(revision(book, row, now) for row in old),
            corrections=tuple(correction(row, Change.UPDATED, now) for row in old),
        )

    await change(store, plan, wanted=slot(), now=now)


class FactTimeContract(StoreCase):
    """``as_of`` keeps both times apart: when it was true, and when that was known."""

    def test_a_move_that_was_told_late(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            lund = fact("Lund")
            await put(store, lund)
            moved, told = NOW + 5 * DAY, NOW + 10 * DAY
            oslo = fact("Oslo", at=told, valid_from=moved)
            closed = replace(
                lund,
                status=FactStatus.SUPERSEDED,
                valid_until=moved,
                superseded_at=told,
                superseded_by=oslo.id,
                believed_at=told,
            )
            await become(store, closed, oslo, now=told)
            between = moved + DAY
            assert await held(store, between) == ["Oslo"]
            assert await held(store, moved) == ["Oslo"]
            assert await held(store, moved - MOMENT) == ["Lund"]
            assert await held(store, between, told) == ["Oslo"]
            assert await held(store, between, told - MOMENT) == ["Lund"]
            assert await held(store, NOW, NOW) == ["Lund"]
            assert await held(store, NOW, NOW - MOMENT) == []
            assert await held(store, NOW - MOMENT) == []
            then = (await store.facts.as_of(VERA, between, told - MOMENT, ALL))[0]
            assert (then.id, then.status) == (lund.id, FactStatus.ACTIVE)
            assert (then.valid_from, then.valid_until) == (NOW, None)
            assert (then.superseded_by, then.superseded_at) == (None, None)
            today = (await store.facts.as_of(VERA, NOW, None, ALL))[0]
            assert today == closed

        run(make_store, act)

    def test_belief_ends_with_a_retraction(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            corrected = NOW + 3 * DAY
            gone = replace(
                row, status=FactStatus.RETRACTED, retracted_at=corrected, believed_at=corrected
            )
            await become(store, gone, now=corrected)
            for valid_at in (NOW, NOW + DAY, NOW + 9 * DAY):
                assert await held(store, valid_at) == []
                assert await held(store, valid_at, corrected) == []
                assert await held(store, valid_at, corrected - MOMENT) == ["Lund"]
            then = (await store.facts.as_of(VERA, NOW, corrected - MOMENT, ALL))[0]
            assert then == row

        run(make_store, act)

    def test_a_value_is_given_as_it_was_believed(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lnud")
            await put(store, row)
            for n, value in enumerate(("Lundt", "Lund"), start=1):
                at = NOW + n * DAY
                row = replace(row, value=value, believed_at=at, updated_at=at)
                await become(store, row, now=at)
            assert await held(store, NOW) == ["Lund"]
            for n, value in enumerate(("Lnud", "Lundt", "Lund")):
                assert await held(store, NOW, NOW + n * DAY) == [value]
                assert await held(store, NOW, NOW + (n + 1) * DAY - MOMENT) == [value]

        run(make_store, act)

    def test_what_was_ended_still_holds_for_its_time(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            end, told = NOW + 2 * DAY, NOW + 4 * DAY
            ended = replace(row, status=FactStatus.ENDED, valid_until=end, believed_at=told)
            await become(store, ended, now=told)
            assert await held(store, end - MOMENT) == ["Lund"]
            assert await held(store, end) == []
            assert await held(store, NOW + 3 * DAY, told - MOMENT) == ["Lund"]

        run(make_store, act)

    def test_an_import_is_known_since_it_was_said(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            said = datetime(2019, 5, 1, tzinfo=UTC)
            row = fact("Lund", valid_from=said, known_from=said, believed_at=said)
            await put(store, row)
            assert row.recorded_at == NOW
            assert await held(store, said, said) == ["Lund"]
            assert await held(store, said, said - MOMENT) == []
            assert await held(store, NOW) == ["Lund"]

        run(make_store, act)

    def test_two_sides_of_a_dispute_are_both_believed(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for value in ("May 3", "May 4"):
                row = fact(value, "personal.birthday", valid_from=None)
                await put(store, replace(row, status=FactStatus.DISPUTED))
            assert await held(store, datetime(1950, 1, 1, tzinfo=UTC)) == ["May 3", "May 4"]

        run(make_store, act)

    def test_filters_what_was_believed(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await put(store, fact("Lund"), fact("nurse", "work.role", intent_id="x"))
            await put(store, fact("Rome", subject="boss"))
            for chosen, expected in (
                (FactFilter(subject="user"), ["Lund", "nurse"]),
                (FactFilter(key=HOME), ["Lund", "Rome"]),
                (FactFilter(key="work."), ["nurse"]),
                (FactFilter(intent_id="x"), ["nurse"]),
                (FactFilter(subject="boss", key="work."), []),
            ):
                assert await held(store, NOW, None, chosen) == expected
                assert await held(store, NOW, NOW, chosen) == expected
                assert await held(store, NOW, NOW - MOMENT, chosen) == []

        run(make_store, act)
