"""Facts in both databases: what is written is what is read, whatever the plan."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.location import Location
from backstory.core.model.fact import Cardinality, Category, FactKind, FactStatus, Trust
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.ports.facts import FactFilter
from backstory.testing.stores.base import NOW, VERA, add, generation, into, said, vector_of
from backstory.testing.stores.records import edit
from tests.integration.facts_base import (
    EMPLOYER,
    HOUR,
    apply,
    fact,
    opened,
    place_of,
    put,
    quote,
)

ANY = FactFilter()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """An empty database of each kind."""
    return place_of(request, tmp_path)


def test_every_field_comes_back(place: Location) -> None:
    full = fact(
        "Hafsjö 名 " + "x" * 5000,
        subject="friend.sam",
        key="work." + "k" * 190,
        category=Category.WORK,
        cardinality=Cardinality.MANY,
        kind=FactKind.TEMPORARY,
        status=FactStatus.DISPUTED,
        trust=Trust.IMPORT,
        confidence=0.25,
        valid_until=NOW + HOUR,
        known_from=NOW - HOUR,
        superseded_at=NOW,
        retracted_at=NOW,
        updated_at=NOW,
        scheduled=True,
        superseded_by="b",
        intent_id="i",
        mentions=3,
        evidence=quote(("m1", "at Hafsjö"), ("m2", "there")),
    )

    async def run() -> None:
        store = await opened(place)
        await put(store, full)
        assert await store.facts.find("default", full.id, None) == full
        assert await store.facts.find("default", full.id, "vera") == full
        assert await store.facts.many(VERA, [full.id, "none"]) == {full.id: full}
        assert [f for _, f in await store.facts.listed(VERA, ANY, None)] == [full]
        history = await store.facts.history(VERA, full.id)
        assert history is not None
        assert history.facts == (full,)
        assert await store.facts.history(VERA, "none") is None
        await store.close()

    asyncio.run(run())


def test_a_change_keeps_the_old_row_and_its_earlier_state(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        old = fact("Volmar", evidence=quote(("m1", "at Volmar")))
        new = fact("Norrfisk", at=NOW + HOUR, evidence=quote(("m2", "now at Norrfisk")))
        await put(store, old, new)
        await put(store, fact("Norrfisk", at=NOW + 2 * HOUR, evidence=quote(("m3", "Norrfisk"))))
        history = await store.facts.history(VERA, old.id)
        assert history is not None
        first, second = history.facts
        assert (first.status, first.valid_until, first.superseded_by) == (
            FactStatus.SUPERSEDED,
            NOW + HOUR,
            new.id,
        )
        assert (second.mentions, [e.message_id for e in second.evidence]) == (2, ["m2", "m3"])
        assert [(r.fact_id, r.revision, r.valid_until) for r in history.revisions] == [
            (old.id, 1, None)
        ]
        (entry,) = history.corrections
        assert (entry.old_value, entry.new_value, entry.evidence) == (
            "Volmar",
            "Norrfisk",
            new.evidence,
        )
        await store.close()

    asyncio.run(run())


def test_as_of_knows_both_times(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        first = fact("Volmar")
        second = fact("Norrfisk", at=NOW + 10 * HOUR, valid_from=NOW + 5 * HOUR)
        await put(store, first, second)

        async def values(valid: int, known: int | None) -> list[tuple[str, bool]]:
            known_at = None if known is None else NOW + known * HOUR
            found = await store.facts.as_of(VERA, NOW + valid * HOUR, known_at, ANY)
            return [(f.value, f.superseded_by is None) for f in found]

        assert await values(0, -1) == []
        assert await values(-1, None) == []
        assert await values(7, 9) == [("Volmar", True)]
        assert await values(7, 10) == [("Norrfisk", True)]
        assert await values(4, 10) == [("Volmar", False)]
        assert await values(7, None) == [("Norrfisk", True)]
        other = FactFilter(key="home.place")
        assert await store.facts.as_of(VERA, NOW, NOW, other) == []
        assert len(await store.facts.as_of(VERA, NOW, NOW, FactFilter(key="work."))) == 1
        await store.close()

    asyncio.run(run())


def test_times_follow_every_write(place: Location) -> None:
    """One store holds states in memory, the other looks up one slot: they say the same."""

    async def run() -> None:
        store, other = await opened(place), await opened(place)

        async def check(*expected: str) -> None:
            for hours in range(-1, 8):
                for known_at in (None, *(NOW + n * HOUR for n in range(-1, 8))):
                    valid_at = NOW + hours * HOUR
                    held = await store.facts.as_of(VERA, valid_at, known_at, ANY)
                    slot = FactFilter(key=EMPLOYER[1])
                    looked_up = await other.facts.as_of(VERA, valid_at, known_at, slot)
                    assert [f for f in held if f.key == EMPLOYER[1]] == looked_up
            now = await store.facts.as_of(VERA, NOW + 9 * HOUR, None, ANY)
            assert sorted(f.value for f in now) == sorted(expected)

        await check()
        first, tea = fact("Volmar"), fact("tea", key="preference.like")
        await put(other, first, tea)
        await check("Volmar", "tea")
        message = (await add(other, "I am at Norrfisk now.")).messages[0]
        await check("Volmar", "tea")
        evidence = quote((message.id, "at Norrfisk"))
        await put(other, fact("Norrfisk", at=NOW + 2 * HOUR, evidence=evidence))
        await check("Norrfisk", "tea")

        def earlier(book: FactBook) -> FactPlan:
            (state,) = (r for r in book.revisions if r.fact_id == first.id)
            return FactPlan(revisions=(replace(state, valid_until=NOW + HOUR),))

        await apply(other, FactsWanted(everything=True), earlier)
        await check("Norrfisk", "tea")
        await other.messages.delete(VERA, message.id)
        # Volmar is back in its earlier state, which by now has an end
        await check("tea")
        await other.facts.erase(VERA, first.id, erase_source=False, now=NOW + 5 * HOUR)
        await check("tea")
        await store.close()
        await other.close()

    asyncio.run(run())


def test_lists_pass_filters_page_by_page(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        rows = [
            fact("a", key="work.employer", category=Category.WORK),
            fact("b", key="work.role", category=Category.WORK, intent_id="i"),
            fact("c", key="workshop.tool"),
            fact("d", key="home.place", subject="friend.sam"),
            fact("e", key="home.kind", valid_until=NOW + HOUR),
            fact("f", key="home.address", valid_from=NOW + HOUR, scheduled=True),
            fact("g", key="pet.cat", status=FactStatus.RETRACTED),
            fact("h", key="pet.dog", status=FactStatus.DISPUTED),
        ]
        await put(store, *rows)

        async def values(**given: object) -> str:
            chosen = FactFilter(**given)  # type: ignore[arg-type]
            found = await store.facts.listed(VERA, chosen, None)
            assert await store.facts.count(VERA, chosen) == len(found)
            return "".join(f.value for _, f in found)

        assert await values() == "abcdefgh"
        assert await values(key="work.") == "ab"
        assert await values(key="work.role") == "b"
        assert await values(key="work") == ""
        assert await values(category=Category.WORK) == "ab"
        assert await values(subject="friend.sam") == "d"
        assert await values(intent_id="i") == "b"
        assert await values(current_at=NOW) == "abcdeh"
        assert await values(current_at=NOW + HOUR) == "abcdfh"
        assert await values(statuses=frozenset({FactStatus.RETRACTED})) == "g"
        seen = []
        after = -1
        while page := await store.facts.listed(VERA, ANY, 3, after):
            seen += [f.value for _, f in page]
            after = page[-1][0]
        assert "".join(seen) == "abcdefgh"
        await store.close()

    asyncio.run(run())


def test_a_book_holds_what_was_asked_for(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        await put(
            store,
            fact("Volmar"),
            fact("Norrfisk", at=NOW + HOUR),
            fact("Lund", key="home.place", evidence=quote(("m1", "Lund"))),
            fact("Sam", key="relationship.friend", subject="user"),
            fact("Lund", key="home.place", subject="friend.sam"),
        )
        books: list[FactBook] = []

        def look(book: FactBook) -> FactPlan:
            books.append(book)
            return FactPlan()

        async def values(**given: object) -> list[str]:
            await apply(store, FactsWanted(**given), look)  # type: ignore[arg-type]
            return sorted(f.value for f in books[-1].facts.values())

        assert await values() == []
        assert await values(slots=frozenset({EMPLOYER})) == ["Norrfisk", "Volmar"]
        assert len(books[-1].revisions) == len(books[-1].corrections) == 1
        assert await values(values=frozenset({("user", "lund")})) == ["Lund"]
        assert await values(values=frozenset({("user", "volmar")})) == []
        assert await values(message_ids=frozenset({"m1"})) == ["Lund"]
        some = next(iter(books[-1].facts))
        assert await values(fact_ids=frozenset({some})) == ["Lund"]
        assert len(await values(everything=True)) == 5
        await store.close()

    asyncio.run(run())


def test_reading_is_remembered_with_what_it_wrote(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        bulk = into("old", label=SessionLabel(bulk=True, speaker="Vera"))
        recorded = await add(store, *[said(f"turn {n}") for n in range(8)])
        await add(store, "imported", session=bulk)
        ids = [m.id for m in recorded.messages]
        assert await store.facts.count_unread(VERA, "default") == 9
        book_ids: list[frozenset[str]] = []

        def plan(book: FactBook) -> FactPlan:
            book_ids.append(book.unread)
            return FactPlan()

        wanted = FactsWanted(unread=frozenset({(ids[0], 1), (ids[1], 7)}))
        await apply(store, wanted, plan)
        assert book_ids == [frozenset({ids[0]})]
        await apply(store, FactsWanted(unread=frozenset((i, 1) for i in ids[:7])), plan)
        await apply(store, wanted, plan)
        assert book_ids[-1] == frozenset()
        groups = await store.facts.unread(None, "default", 50)
        found = {g.session_id: g for g in groups}
        assert [m.text for m, _ in found["talk"].messages] == ["turn 7"]
        assert [m.text for m in found["talk"].before] == [f"turn {n}" for n in range(1, 7)]
        assert (found["talk"].bulk, found["old"].bulk) == (False, True)
        assert (found["talk"].speaker, found["old"].speaker) == (None, "Vera")
        assert not found["talk"].ended
        await store.sessions.end(VERA, "talk")
        (talk,) = await store.facts.unread(VERA, "default", 50, "talk")
        assert talk.ended
        for _ in range(5):
            assert not talk.is_given_up
            await store.facts.note_unreadable(VERA, [ids[7]], "down")
            (talk,) = await store.facts.unread(VERA, "default", 50, "talk")
        assert talk.is_given_up
        await store.close()

    asyncio.run(run())


def test_what_is_unread_is_found_page_by_page(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        recorded = await add(store, *[said(f"turn {n}") for n in range(8)])
        await add(store, "imported", session=into("old", label=SessionLabel(bulk=True)))
        ids = [m.id for m in recorded.messages]
        read = FactsWanted(unread=frozenset((i, 1) for i in ids[:7]))
        await apply(store, read, lambda book: FactPlan())
        for _ in range(5):
            await store.facts.note_unreadable(VERA, [ids[7]], "down")
        await store.messages.edit(VERA, ids[0], edit("turn 0, no 9"), NOW)
        await store.messages.edit(VERA, ids[1], edit("turn 1", note="only metadata"), NOW)
        await add(store, "more", session=into("third"))
        pages = []
        page = await store.facts.unread(None, "default", 1)
        while page:
            pages += page
            page = await store.facts.unread(None, "default", 1, after=page[-1])
        assert {p.session_id for p in pages} == {"talk", "old", "third"}
        groups = await store.facts.unread(VERA, "default", 50, "talk")
        assert [[m.text for m, _ in g.messages] for g in groups] == [["turn 0, no 9"], ["turn 7"]]
        assert [r for g in groups for _, r in g.messages] == [2, 1]
        await store.close()

    asyncio.run(run())


def test_vectors_fit_the_state_they_were_made_of(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        made = await generation(store)
        row = fact("Volmar")
        await put(store, row, fact("tea", key="preference.like"))
        first, _ = await store.facts.pending(VERA, "default", 9)
        assert len(await store.facts.pending(None, "default", 1)) == 1
        old = {row.id: (row.believed_at, vector_of("one"))}
        later = {row.id: (row.believed_at + HOUR, vector_of("one"))}
        assert await store.facts.save_vectors(VERA, made, later) == 0
        assert await store.facts.save_vectors(VERA, made, old) == 1
        assert len(await store.facts.pending(VERA, "default", 9)) == 1
        found = {t.fact.value: t for t in await store.facts.texts(VERA, made, -1)}
        assert found["Volmar"].vector == vector_of("one")
        assert found["tea"].vector is None
        assert found["tea"].terms
        stamp = await store.facts.stamp(VERA)
        newest = max(t.change_no for t in found.values())
        assert await store.facts.texts(VERA, made, newest) == []

        def update(book: FactBook) -> FactPlan:
            return FactPlan(facts={row.id: replace(book.facts[row.id], value="Volmar & Co")})

        await apply(store, FactsWanted(fact_ids=frozenset({row.id})), update)
        assert await store.facts.stamp(VERA) > stamp
        (text,) = await store.facts.texts(VERA, made, newest)
        assert (text.fact.value, text.vector) == ("Volmar & Co", None)
        assert first.id == row.id
        await store.close()

    asyncio.run(run())


def test_tenants_and_users_are_walls(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        scopes = [Scope("default", "vera"), Scope("default", "bob"), Scope("other", "vera")]
        rows = []
        for scope in scopes:
            rows.append(fact(f"of {scope}", scope=scope))
            await put(store, rows[-1], scope=scope)
        for scope, row in zip(scopes, rows, strict=True):
            assert [f.id for _, f in await store.facts.listed(scope, ANY, None)] == [row.id]
            assert await store.facts.count(scope, ANY) == 1
            assert list(await store.facts.many(scope, [r.id for r in rows])) == [row.id]
            assert [f.id for f in await store.facts.as_of(scope, NOW, None, ANY)] == [row.id]
            assert [t.fact.id for t in await store.facts.texts(scope, None, -1)] == [row.id]
            for other in rows:
                if other is not row:
                    assert await store.facts.history(scope, other.id) is None
                    assert await store.facts.find(scope.tenant_id, other.id, scope.user_id) is None
        assert await store.facts.find("other", rows[0].id, None) is None
        assert await store.facts.find("default", rows[1].id, None) == rows[1]
        assert len(await store.facts.pending(None, "default", 9)) == 2
        assert await store.facts.listed(Scope("default", "nobody"), ANY, None) == []
        await store.close()

    asyncio.run(run())
