"""The contract of a graph store, as tests, to be subclassed.

Override ``make_graph``: it gives a function without arguments which makes a graph store; all that
it makes are over the same place, which is empty at the start of a test. A store that cannot search
keeps ``GraphStoreContract``.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation, RelationStatus
from backstory.core.model.fact import USER
from backstory.core.model.scope import Scope
from backstory.ports.graph import EntitySearch, GraphMirror, GraphStore, Sighted, When

MakeGraph = Callable[[], GraphStore]
VERA = Scope("default", "vera")
T0 = datetime(2024, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def entity(name: str, kind: str, label: str, **values: Any) -> GraphEntity:
    """An entity."""
    common = {"user_id": VERA.user_id, "at": T0, "recorded_at": T0}
    return GraphEntity(id=name, kind=kind, label=label, **{**common, **values})


def relation(name: str, subject: str, type_: str, object_: str, **values: Any) -> Relation:
    """A relation."""
    common = {"user_id": VERA.user_id, "at": T0, "recorded_at": T0}
    return Relation(
        id=name, subject_id=subject, type=type_, object_id=object_, **{**common, **values}
    )


def told(graph: Graph) -> set[tuple[str, str, str]]:
    """The relations of a graph by label."""
    names = {i: USER if i == USER else e.label for i, e in graph.entities.items()}
    return {(names[r.subject_id], r.type, names[r.object_id]) for r in graph.relations}


SAM = entity("sam", "person", "Sam")
ACME = entity("acme", "organisation", "Acme")
OSLO = entity("oslo", "place", "Oslo")
RECORDS = (
    SAM,
    ACME,
    OSLO,
    relation("r1", USER, "friend_of", "sam"),
    relation("r2", "sam", "works_at", "acme"),
    relation("r3", "acme", "located_in", "oslo"),
)


class GraphStoreContract:
    """What every graph store does."""

    @pytest.fixture
    def make_graph(self) -> MakeGraph:
        raise NotImplementedError("override make_graph")

    @pytest.fixture
    def on(self, make_graph: MakeGraph) -> Callable[[Callable[[Any], Awaitable[Any]]], Any]:
        """Runs a test on a store, and closes it."""

        def run(test: Callable[[Any], Awaitable[Any]]) -> Any:
            async def opened() -> Any:
                graph = make_graph()
                try:
                    return await test(graph)
                finally:
                    await graph.aclose()

            return asyncio.run(opened())

        return run

    def test_what_was_put_is_there(self, on: Any) -> None:
        async def test(graph: GraphStore) -> None:
            assert not told(await graph.get_context(VERA, When(now=T0), 50))
            await graph.put(VERA, RECORDS, T0)
            await graph.put(VERA, RECORDS, T0 + DAY)
            found = await graph.get_context(VERA, When(now=T0 + DAY), 50)
            assert told(found) == {
                (USER, "friend_of", "Sam"),
                ("Sam", "works_at", "Acme"),
                ("Acme", "located_in", "Oslo"),
            }
            assert len(found.relations) == 3
            assert {e.label for e in found.entities.values()} >= {"Sam", "Acme", "Oslo"}

        on(test)

    def test_users_and_tenants_are_apart(self, on: Any) -> None:
        others = [
            Scope("default", "vera2"),
            Scope("other", "vera"),
            Scope("default", "ve%ra' OR 1=1 //`"),
            Scope("t\u00fcrk\u00e7e", "\U0001f600" * 100),
        ]

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, RECORDS, T0)
            for number, other in enumerate(others):
                place = entity("sam", "place", f"Place {number}")
                await graph.put(other, [place, relation("r1", USER, "lives_in", "sam")], T0)
            for number, other in enumerate(others):
                found = await graph.get_context(other, When(now=T0), 50)
                assert told(found) == {(USER, "lives_in", f"Place {number}")}
            assert len((await graph.get_context(VERA, When(now=T0), 50)).relations) == 3
            assert await graph.forget(others[0])
            assert not told(await graph.get_context(others[0], When(now=T0), 50))
            assert told(await graph.get_context(others[1], When(now=T0), 50))

        on(test)

    def test_what_was_known_then(self, on: Any) -> None:
        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, RECORDS, T0)
            await graph.withdraw(VERA, ["r2"], T0 + 2 * DAY)
            times = [(None, 2), (T0 - DAY, 0), (T0 + DAY, 3), (T0 + 3 * DAY, 2)]
            for known_at, number in times:
                when = When(now=T0 + 9 * DAY, known_at=known_at)
                found = await graph.get_context(VERA, when, 50)
                assert len(found.relations) == number, known_at

        on(test)

    def test_a_changed_record_takes_the_place_of_the_earlier(self, on: Any) -> None:
        ended = {"valid_until": T0 + DAY, "status": RelationStatus.SUPERSEDED}

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, RECORDS, T0)
            later = T0 + 4 * DAY
            await graph.put(VERA, [relation("r2", "sam", "works_at", "acme", **ended)], later)
            now = await graph.get_context(VERA, When(now=later), 50)
            assert ("Sam", "works_at", "Acme") not in told(now)
            past = await graph.get_context(VERA, When(now=later, history=True), 50)
            works = [r for r in past.relations if r.type == "works_at"]
            assert [r.status for r in works] == [RelationStatus.SUPERSEDED]
            then = await graph.get_context(VERA, When(now=later, valid_at=T0), 50)
            assert ("Sam", "works_at", "Acme") in told(then)
            believed = When(now=later, known_at=T0 + 2 * DAY)
            assert ("Sam", "works_at", "Acme") in told(await graph.get_context(VERA, believed, 50))

        on(test)

    def test_a_period_ends_before_its_end(self, on: Any) -> None:
        period = {"valid_from": T0, "valid_until": T0 + DAY}

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, [OSLO, relation("r", USER, "lives_in", "oslo", **period)], T0)
            found = [
                bool(told(await graph.get_context(VERA, When(now=T0 + shift), 50)))
                for shift in (-timedelta(seconds=1), timedelta(0), DAY - timedelta(seconds=1), DAY)
            ]
            assert found == [False, True, True, False]

        on(test)

    def test_the_preamble_is_bounded(self, on: Any) -> None:
        people = [entity(f"p{n}", "person", f"Person {n}") for n in range(120)]
        ties = [relation(f"r{n}", USER, "friend_of", f"p{n}") for n in range(120)]

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, [*people, *ties], T0)
            found = await graph.get_context(VERA, When(now=T0), 20)
            assert len(found.relations) == 20
            assert len(found.entities) <= 21

        on(test)

    def test_forgetting_counts(self, on: Any) -> None:
        async def test(graph: GraphStore) -> None:
            assert await graph.forget(VERA) == 0
            await graph.put(VERA, RECORDS, T0)
            assert await graph.forget(VERA) >= len(RECORDS)
            assert await graph.forget(VERA) == 0
            assert not told(await graph.get_context(VERA, When(now=T0, known_at=T0), 50))

        on(test)


class EntitySearchContract(GraphStoreContract):
    """What a graph store does that finds entities by name."""

    def test_one_hop_out(self, on: Any) -> None:
        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, RECORDS, T0)
            found = await _search(graph, "Where does SAM work, I wonder?")
            assert told(found.graph) == {(USER, "friend_of", "Sam"), ("Sam", "works_at", "Acme")}
            assert [found.graph.entities[name].label for name in found.matched] == ["Sam"]
            both = await _search(graph, "acme or sam")
            assert len(told(both.graph)) == 3
            for nothing in ("", "  ", "samuel", "acm", "Oslo's", "?!", "the"):
                empty = await _search(graph, nothing)
                is_named = nothing == "Oslo's"
                assert bool(empty.matched) == is_named, nothing

        on(test)

    def test_names_in_all_scripts(self, on: Any) -> None:
        labels = {
            "e1": ("person", "\u7530\u4e2d\u5065\u592a"),
            "e2": ("place", "\u5927\u962a"),
            "e3": ("person", "\u05d3\u05d5\u05d3 \u05db\u05d4\u05df"),
            "e4": ("place", "\u0627\u0644\u0642\u0627\u0647\u0631\u0629"),
            "e5": ("pet", "\U0001f431Mimi"),
            "e6": ("person", "Zo\u00eb D\u2019Arcy"),
            "e7": ("thing", "srv-01"),
            "e8": ("thing", "srv-02"),
        }
        records = [entity(name, kind, label) for name, (kind, label) in labels.items()]
        asked = {
            "\u7530\u4e2d\u5065\u592a\u306f\u4f55\u6b73?": ["e1"],
            "\u5927\u962a\u306b\u884c\u304d\u305f\u3044": ["e2"],
            "\u05de\u05d4 \u05e9\u05dc\u05d5\u05dd \u05d3\u05d5\u05d3 \u05db\u05d4\u05df": ["e3"],
            "\u0627\u0644\u0642\u0627\u0647\u0631\u0629": ["e4"],
            "where is \U0001f431mimi": ["e5"],
            "zoe\u0308 d'arcy": ["e6"],
            "is srv-01 up": ["e7"],
            "SRV-02": ["e8"],
            "srv-0": [],
            "srv-012": [],
        }

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, records, T0)
            for query, names in asked.items():
                found = await _search(graph, query)
                matched = [found.graph.entities[name].label for name in found.matched]
                assert matched == [labels[name][1] for name in names], query

        on(test)

    def test_namesakes_are_two(self, on: Any) -> None:
        cat = entity("cat", "pet", "Sam")

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, [*RECORDS, cat, relation("r9", USER, "owns_pet", "cat")], T0)
            found = await _search(graph, "sam")
            kinds = sorted(found.graph.entities[name].kind for name in found.matched)
            assert kinds == ["person", "pet"]

        on(test)

    def test_other_names_count(self, on: Any) -> None:
        robert = entity("bob", "person", "Robert", aliases=("Bob", "\u30dc\u30d6"))

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, [robert, relation("r", USER, "friend_of", "bob")], T0)
            for query in ("BOB", "robert", "\u30dc\u30d6\u306f?"):
                assert told((await _search(graph, query)).graph) == {(USER, "friend_of", "Robert")}

        on(test)

    def test_queries_are_data(self, on: Any) -> None:
        hostile = [
            "'}) DETACH DELETE (e) //",
            '"; MATCH (n) DETACH DELETE n; //',
            "`$query` {tenant: 'default'} \\u0027 OR true",
            "Sam\x00\ud800",
            ".*|%_[^a]" * 2000,
        ]

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, RECORDS, T0)
            for query in hostile:
                clean = query.replace("\ud800", "\ufffd").replace("\x00", "\ufffd")
                await _search(graph, clean)
            assert len((await graph.get_context(VERA, When(now=T0), 50)).relations) == 3

        on(test)

    def test_a_search_is_bounded(self, on: Any) -> None:
        places = [entity(f"p{n}", "place", f"Town {n}") for n in range(90)]
        seen = [relation(f"v{n}", "sam", "visited", f"p{n}", at=T0 + n * DAY) for n in range(90)]

        async def test(graph: GraphStore) -> None:
            await graph.put(VERA, [*RECORDS, *places, *seen], T0)
            found = await _search(graph, "Sam", limit=10)
            assert len(found.graph.relations) == 10
            assert all("sam" in r.subject_id or r.object_id for r in found.graph.relations)
            assert ("Sam", "visited", "Town 89") in told(found.graph)

        on(test)

    def test_what_is_only_past_is_not_found(self, on: Any) -> None:
        ended = {"valid_until": T0 + DAY, "status": RelationStatus.ENDED}

        async def test(graph: GraphStore) -> None:
            await graph.put(
                VERA, [SAM, ACME, relation("r", "sam", "works_at", "acme", **ended)], T0
            )
            now = When(now=T0 + 9 * DAY)
            assert not (await _search(graph, "Acme", now)).matched
            past = When(now=T0 + 9 * DAY, history=True)
            assert told((await _search(graph, "Acme", past)).graph) == {("Sam", "works_at", "Acme")}

        on(test)


class MirrorContract:
    """What a mirror does beside that."""

    def test_a_mirror_holds_what_it_was_given_last(self, on: Any) -> None:
        ends = {SAM.id: SAM, ACME.id: ACME}
        works = relation("r2", "sam", "works_at", "acme")
        user = entity(USER, "person", USER)
        friend = relation("r1", USER, "friend_of", "sam")

        async def test(graph: Any) -> None:
            mirror: object = graph
            assert isinstance(mirror, GraphMirror)
            assert await graph.stamp(VERA) is None
            assert await graph.replace(VERA, Graph(ends, (works,)), "one")
            assert await graph.stamp(VERA) == "one"
            assert await graph.stamp(Scope("other", "vera")) is None
            whole = Graph({**ends, USER: user}, (works, friend))
            await graph.replace(VERA, whole, "two")
            found = await graph.get_context(VERA, When(now=T0), 50)
            assert told(found) == {("Sam", "works_at", "Acme"), (USER, "friend_of", "Sam")}
            await graph.replace(VERA, Graph({SAM.id: SAM, USER: user}, (friend,)), "three")
            everything = When(now=T0, history=True, known_at=T0 + 99 * DAY)
            assert told(await graph.get_context(VERA, everything, 50)) == {
                (USER, "friend_of", "Sam")
            }
            assert await graph.forget(VERA)
            assert await graph.stamp(VERA) is None

        on(test)


async def _search(
    graph: GraphStore, query: str, when: When | None = None, limit: int = 60
) -> Sighted:
    assert isinstance(graph, EntitySearch)
    return await graph.search_entities(VERA, query, when or When(now=T0), limit)
