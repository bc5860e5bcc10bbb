"""A memory whose graph is in a graph server: it is kept in step, forgotten, and may be away."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from backstory import Memory
from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.scope import Scope
from backstory.errors import (
    ConfigurationError,
    MissingDependencyError,
    StoreError,
    StoreUnavailableError,
)
from backstory.settings import Settings
from backstory.storage.graph.neo4j import Neo4jGraph
from backstory.testing.graph_contract import RECORDS

T = TypeVar("T")
VERA = "vera"
SAID = "My friend Sam works at Acme. My sister Oda lives in Oslo."
RELATIONS = tuple(
    r for r in RECORDS if isinstance(r, Relation) and "user" not in (r.subject_id, r.object_id)
)
NOWHERE = "bolt://neo4j:x@127.0.0.1:9"


@pytest.fixture
def url(bolt_url: str) -> str:
    """An empty graph server."""
    _run(bolt_url, lambda graph: graph.clear())
    return bolt_url


@pytest.fixture
def path(tmp_path: Path, ready_sqlite: bytes) -> Path:
    """A store with tables."""
    place = tmp_path / "memory.db"
    place.write_bytes(ready_sqlite)
    return place


def opened(path: Path, graph: str, *, background: bool = False) -> Memory:
    return Memory(path, embedder=None, settings=Settings(graph=graph, background=background))


def _run(url: str, work: Callable[[Neo4jGraph], Awaitable[T]]) -> T:
    async def run() -> T:
        graph = Neo4jGraph(url)
        try:
            return await work(graph)
        finally:
            await graph.aclose()

    return asyncio.run(run())


def labels(memory: Memory, query: str) -> list[str]:
    return sorted(entity.label for entity in memory.graph.search_entities(VERA, query))


def test_a_missed_push_is_made_up_for(path: Path, url: str) -> None:
    with opened(path, "tables") as memory:
        memory.add(SAID, user_id=VERA)
        own = memory.graph.get_context(VERA).text
    with opened(path, url) as memory:
        assert labels(memory, "Sam") == ["Acme", "Sam", "user"]
        assert memory.graph.get_context(VERA).text == own
        context = memory.context(VERA, "How is Sam?")
        assert any("works at Acme" in i.text for i in context.items if i.source == "graph")
        assert context.degraded == ()
    with opened(path, "tables") as memory:
        (message,) = memory.get_all(user_id=VERA).items
        memory.delete(message.id)
        memory.add("My friend Kim works at Bosch.", user_id=VERA)
    with opened(path, url) as memory:
        assert labels(memory, "Sam, Oda, Acme, Oslo") == []
        assert labels(memory, "kim") == ["Bosch", "Kim", "user"]


def test_what_is_in_step_is_not_written_again(path: Path, url: str) -> None:
    with opened(path, url) as memory:
        memory.add(SAID, user_id=VERA)
        memory.graph.get_context(VERA)
        before = _run(url, lambda graph: graph.stamp(Scope("default", VERA)))
        memory.add("Nice weather, isn't it?", user_id=VERA)
        memory.graph.get_context(VERA)
        assert before == _run(url, lambda graph: graph.stamp(Scope("default", VERA)))


def test_it_is_brought_up_to_date_beside_the_calls(path: Path, url: str) -> None:
    scope = Scope("default", VERA)
    with opened(path, url, background=True) as memory:
        memory.add(SAID, user_id=VERA)
        deadline = time.monotonic() + 50
        while _run(url, lambda graph: graph.stamp(scope)) is None:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_the_past_is_computed(path: Path, url: str) -> None:
    with opened(path, url) as memory:
        memory.add({"role": "user", "content": "I work at Nokia."}, user_id=VERA)
        memory.add("I left Nokia, I work at Acme now.", user_id=VERA)
        (old,) = [f for f in memory.facts.get(VERA, status="all") if f.value == "Nokia"]
        then = memory.graph.search_entities(VERA, "Nokia", known_at=old.recorded_at)
        assert [str(r.status) for r in then.relations] == ["active"]
        assert not memory.graph.search_entities(VERA, "Nokia")


def test_a_forgotten_user_is_counted_there_too(path: Path, url: str) -> None:
    with opened(path, url) as memory:
        memory.add(SAID, user_id=VERA)
        memory.add(SAID, user_id="other")
        for user in (VERA, "other"):
            memory.graph.get_context(user)
        receipt = memory.forget_user(VERA)
        assert receipt.rows["graph server"] == 9  # five entities, four relations
        assert _run(url, lambda graph: graph.stamp(Scope("default", VERA))) is None
        assert _run(url, lambda graph: graph.forget(Scope("default", "other"))) == 9
        assert memory.forget_user(VERA).rows["graph server"] == 0


def test_an_erased_fact_leaves_nothing_there(path: Path, url: str) -> None:
    with opened(path, url) as memory:
        memory.add(SAID, user_id=VERA)
        memory.graph.get_context(VERA)
        (fact,) = memory.facts.get(VERA, key="work.employer")
        memory.facts.delete(fact.id)
        memory.graph.get_context(VERA)
        found = memory.graph.search_entities(VERA, "Acme", include_history=True)
        assert not found.entities


def test_a_server_that_is_away_costs_its_section(path: Path) -> None:
    with opened(path, NOWHERE, background=True) as memory:
        memory.add(SAID, user_id=VERA)
        began = time.monotonic()
        context = memory.context(VERA, "How is Sam?")
        assert time.monotonic() - began < 20, "the driver tries for half a minute, if it may"
        assert "Acme" in context.text
        (problem,) = context.degraded
        assert problem.startswith("graph: the graph server bolt://127.0.0.1:9 does not answer")
        answered, asked = context.sources_responded.split("/")
        assert int(answered) == int(asked) - 1
        with pytest.raises(StoreUnavailableError, match="does not answer"):
            memory.graph.search_entities(VERA, "Sam")
        assert memory.graph.entities(VERA).total == 5
        with pytest.raises(StoreUnavailableError):
            memory.forget_user(VERA)
        assert memory.facts.get(VERA)


def test_a_wrong_password_is_said(path: Path, url: str) -> None:
    host = url.rpartition("@")[2]
    with opened(path, f"bolt://root:wrong@{host}") as memory:
        memory.add(SAID, user_id=VERA)
        with pytest.raises((ConfigurationError, StoreError), match="graph server") as caught:
            memory.graph.get_context(VERA)
        assert "wrong" not in str(caught.value)


@pytest.mark.parametrize("address", ["bolt://", "bolt://:7687", "bolt://host:port", "neo4j://[::1"])
def test_an_address_that_cannot_be_read(address: str) -> None:
    with pytest.raises(ConfigurationError, match="address"):
        Neo4jGraph(address)


def test_processes_that_push_at_once_write_nothing_twice(url: str) -> None:
    scope = Scope("default", VERA)
    given = Graph({r.id: r for r in RECORDS if isinstance(r, GraphEntity)}, RELATIONS)

    async def race() -> int:
        graphs = [Neo4jGraph(url) for _ in range(2)]
        try:
            for _ in range(3):
                await asyncio.gather(*(graph.replace(scope, given, "same") for graph in graphs))
            return await graphs[0].forget(scope)
        finally:
            await asyncio.gather(*(graph.aclose() for graph in graphs))

    assert asyncio.run(race()) == len(given.entities) + len(given.relations)


def test_without_the_driver_it_is_said_what_to_install(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "backstory.storage.graph.neo4j")
    monkeypatch.setitem(sys.modules, "neo4j", None)
    missing = pytest.raises(MissingDependencyError, match=r"backstory\[neo4j\]")
    with opened(path, NOWHERE) as memory, missing:
        memory.graph.get_context(VERA)
