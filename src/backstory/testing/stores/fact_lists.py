"""The store contract: facts are given back as they were written, in lists and one by one."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from backstory.core.model.fact import (
    Cardinality,
    Category,
    Evidence,
    Fact,
    FactKind,
    FactStatus,
    Trust,
)
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, ODD_IDS, VERA, MakeStore, StoreCase, add, run
from backstory.testing.stores.fact_base import (
    ALL,
    DAY,
    EVERYTHING,
    ODD_VALUES,
    fact,
    facts_of,
    look,
    put,
    values,
)
from backstory.testing.stores.records import STRANGERS

MOMENT = timedelta(microseconds=1)
FAR = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)


class FactRecordContract(StoreCase):
    """A row keeps each of its fields."""

    def test_keeps_every_field_of_a_fact(self, make_store: MakeStore) -> None:
        kept: list[Fact] = []

        async def write(store: Store) -> None:
            messages = (await add(store, "Sam moved to Lund.", "To Lund, I said.")).messages
            full = fact(
                "Lund \u2028 „x“",
                "home.place",
                subject="friend.sam",
                category=Category.RELATIONSHIP,
                cardinality=Cardinality.MANY,
                kind=FactKind.TEMPORARY,
                confidence=0.1,
                valid_from=datetime(1, 1, 1, tzinfo=UTC),
                valid_until=FAR,
                recorded_at=NOW + MOMENT,
                known_from=NOW - 900 * DAY,
                believed_at=NOW + 2 * MOMENT,
                superseded_at=NOW + 3 * MOMENT,
                retracted_at=NOW + 4 * MOMENT,
                updated_at=NOW + 5 * MOMENT,
                status=FactStatus.SUPERSEDED,
                scheduled=True,
                trust=Trust.IMPORT,
                intent_id="' % _ 👩‍👩‍👧",
                mentions=12,
                last_mention_at=NOW + 6 * MOMENT,
                evidence=tuple(
                    Evidence(message_id=m.id, quote=q)
                    for m, q in zip(reversed(messages), ["to Lund", "Sam moved"], strict=True)
                ),
            )
            plain = fact("x", "a", valid_from=None)
            kept.extend([replace(full, superseded_by=plain.id), plain])
            await put(store, *kept)

        async def read(store: Store) -> None:
            assert await facts_of(store) == kept
            found = (await facts_of(store))[0]
            times = [getattr(found, name) for name in ("valid_from", "recorded_at", "believed_at")]
            assert all(moment.utcoffset() == timedelta(0) for moment in times)

        run(make_store, write, read)

    def test_a_plan_replaces_whole_rows(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first, second = (await add(store, "I live in Lund.", "Lund!")).messages
            row = fact("Lund", said_in=first, confidence=0.5, intent_id="x", valid_until=FAR)
            await put(store, row)
            changed = fact("Oslo", id=row.id, at=NOW + DAY, said_in=second, mentions=2)
            await put(store, changed, now=NOW + DAY)
            assert await facts_of(store) == [changed]
            without = replace(changed, evidence=())
            await put(store, without, now=NOW + DAY)
            assert await facts_of(store) == [without]

        run(make_store, act)

    def test_keeps_values_of_facts_as_they_are(self, make_store: MakeStore) -> None:
        async def keep(store: Store, scope: Scope, value: str) -> None:
            row = fact(value, "a", scope=scope, intent_id=value, subject=f"friend.{value[:90]}")
            await put(store, row, scope=scope)
            assert await facts_of(store, scope) == [row]
            assert await facts_of(store, scope, FactFilter(intent_id=value)) == [row]
            listed = replace(row, id=f"{row.id}m", key="b", cardinality=Cardinality.MANY)
            await put(store, listed, scope=scope)
            assert await store.facts.many(scope, [listed.id]) == {listed.id: listed}
            history = await store.facts.history(scope, row.id)
            assert history is not None
            assert history.facts == (row,)

        async def act(store: Store) -> None:
            for number, value in enumerate(ODD_VALUES):
                await keep(store, Scope("default", f"user {number}"), value)

        run(make_store, act)

    def test_ids_are_opaque(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            scopes = [Scope("default", name) for name in ODD_IDS]
            scopes += [Scope(name, "vera") for name in ODD_IDS]
            rows = {scope: fact("Lund", scope=scope) for scope in scopes}
            for scope, row in rows.items():
                await put(store, row, scope=scope)
            for scope, row in rows.items():
                assert await facts_of(store, scope) == [row]
                assert list((await look(store, EVERYTHING, scope=scope)).facts) == [row.id]
            for wrong in ODD_IDS:
                assert await store.facts.find("default", wrong, None) is None
                assert await store.facts.history(VERA, wrong) is None
            assert await store.facts.many(scopes[0], ODD_IDS) == {}

        run(make_store, act)

    def test_finds_by_id_within_the_walls(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            assert await store.facts.find("default", row.id, None) == row
            assert await store.facts.find("default", row.id, "vera") == row
            assert await store.facts.many(VERA, [row.id, "unknown", row.id]) == {row.id: row}
            assert await store.facts.many(VERA, []) == {}
            for wrong in (row.id[:-1], row.id + " ", row.id.upper() + "X"):
                assert await store.facts.find("default", wrong, None) is None
            assert await store.facts.find("other", row.id, None) is None
            for other in STRANGERS:
                await put(store, fact("own", scope=other), scope=other)
                assert await store.facts.find(other.tenant_id, row.id, other.user_id) is None
                assert await store.facts.many(other, [row.id]) == {}
                assert await values(store, other) == ["own"]
                assert await store.facts.count(other, ALL) == 1
                assert await store.facts.history(other, row.id) is None
                found = await store.facts.as_of(other, NOW, None, ALL)
                assert [fact.value for fact in found] == ["own"]

        run(make_store, act)


class FactListContract(StoreCase):
    """Lists hold what passes, each row once, in order of recording."""

    def test_filters(self, make_store: MakeStore) -> None:
        later = NOW + DAY

        async def act(store: Store) -> None:
            rows = [
                fact("a", "work.employer", category=Category.WORK),
                fact("b", "work.role", category=Category.WORK, intent_id="one"),
                fact("c", "work", intent_id="One"),
                fact("d", "workshop.place"),
                fact("e", "work.role", subject="boss", status=FactStatus.DISPUTED),
                fact("f", "home_page.url"),
                fact("g", "homexpage.url"),
                fact("h", "home_page.url.old", status=FactStatus.ENDED, valid_until=later),
                fact("i", "ho%.x"),
                fact("j", "work.role.now", kind=FactKind.TEMPORARY, valid_until=later),
                fact("k", "été.👩‍👩‍👧.x"),
                fact("l", "work.role", valid_from=later, scheduled=True),
            ]
            await put(store, *rows)
            ended = frozenset({FactStatus.ENDED, FactStatus.DISPUTED})
            for chosen, expected in {
                ALL: "abcdefghijkl",
                FactFilter(subject="user"): "abcdfghijkl",
                FactFilter(subject="boss"): "e",
                FactFilter(subject="bos_"): "",
                FactFilter(category=Category.WORK): "ab",
                FactFilter(key="work"): "c",
                FactFilter(key="work."): "abejl",
                FactFilter(key="work.role"): "bel",
                FactFilter(key="work.role."): "j",
                FactFilter(key="home_page."): "fh",
                FactFilter(key="ho%."): "i",
                FactFilter(key="ho_e"): "",
                FactFilter(key="été."): "k",
                FactFilter(key="été.👩‍👩‍👧."): "k",
                FactFilter(intent_id="one"): "b",
                FactFilter(statuses=ended): "eh",
                FactFilter(statuses=frozenset({FactStatus.ACTIVE}), key="work."): "abjl",
                FactFilter(current_at=NOW): "abcdefgijk",
                FactFilter(current_at=later): "abcdefgikl",
                FactFilter(current_at=later - MOMENT, key="work."): "abej",
                FactFilter(current_at=NOW - MOMENT): "",
                FactFilter(current_at=NOW, statuses=ended): "e",
                FactFilter(subject="user", category=Category.WORK, key="work.role"): "b",
            }.items():
                assert "".join(await values(store, VERA, chosen)) == expected, chosen
                assert await store.facts.count(VERA, chosen) == len(expected), chosen

        run(make_store, act)

    def test_what_has_no_start_is_current(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await put(store, fact("Vera", "personal.name", valid_from=None))
            long_ago = FactFilter(current_at=datetime(1, 1, 1, tzinfo=UTC))
            assert await values(store, VERA, long_ago) == ["Vera"]
            for status in (FactStatus.SUPERSEDED, FactStatus.RETRACTED, FactStatus.EXPIRED):
                await put(store, fact("x", "a", status=status))
            assert await values(store, VERA, FactFilter(current_at=NOW)) == ["Vera"]

        run(make_store, act)

    def test_pages_give_every_record_once_while_others_write(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            rows = [fact(f"{n}", f"slot.n{n}") for n in range(25)]
            await put(store, *rows)
            seen: list[tuple[int, Fact]] = []
            number = 0
            after = -1
            while page := await store.facts.listed(VERA, ALL, 4, after):
                assert len(page) <= 4
                seen += page
                after = page[-1][0]
                number += 1
                # rows before and behind the page are written again, and new ones come
                for row in (rows[0], rows[number], rows[-number]):
                    again = replace(row, mentions=row.mentions + number)
                    await put(other, again)
                if number < 6:
                    await put(other, fact("new", f"other.n{number}"))
            ids = [row.id for _, row in seen]
            assert len(set(ids)) == len(ids)
            assert ids[:25] == [row.id for row in rows]
            assert len(ids) == 30
            numbers = [seq for seq, _ in seen]
            assert numbers == sorted(set(numbers))
            assert [seq for seq, _ in await store.facts.listed(VERA, ALL, None)] == numbers
            assert await store.facts.listed(VERA, ALL, 0) == []
            chosen = FactFilter(key="other.")
            assert len(await store.facts.listed(VERA, chosen, 3, numbers[24])) == 3

        run(make_store, act, stores=2)

    def test_the_latest_are_those_recorded_last(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            rows = [fact(f"{n}", f"slot.n{n}", at=NOW - n * DAY) for n in range(6)]
            await put(store, *rows)
            await put(store, replace(rows[0], mentions=9), fact("x", "other"))
            latest = store.facts.latest
            assert [row.value for row in await latest(VERA, ALL, 3)] == ["4", "5", "x"]
            assert len(await latest(VERA, ALL, 99)) == 7
            assert await latest(VERA, ALL, 0) == []
            chosen = FactFilter(key="slot.", current_at=NOW - 3 * DAY)
            assert await latest(VERA, chosen, 2) == rows[4:]
            assert await latest(Scope("default", "bob"), ALL, 3) == []

        run(make_store, act)

    def test_a_row_that_goes_away_takes_no_other_out_of_a_page(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            rows = [fact(f"{n}", f"slot.n{n}") for n in range(6)]
            await put(store, *rows)
            first = await store.facts.listed(VERA, ALL, 3)
            assert await store.facts.erase(VERA, rows[0].id, erase_source=False, now=NOW)
            assert await store.facts.erase(VERA, rows[2].id, erase_source=False, now=NOW)
            rest = await store.facts.listed(VERA, ALL, 9, first[-1][0])
            assert [row.value for _, row in rest] == ["3", "4", "5"]

        run(make_store, act)
