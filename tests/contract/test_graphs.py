"""The graph over the store, in memory, and in a graph database keeps the contract."""

import asyncio

import pytest

from backstory.models.system import SystemClock
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.index import FactIndex
from backstory.services.graph.own import FactGraph
from backstory.storage.graph.neo4j import Neo4jGraph
from backstory.testing.fake_graph import MemoryGraph
from backstory.testing.fake_store import MemoryDatabase, MemoryStore
from backstory.testing.graph_contract import EntitySearchContract, MakeGraph, MirrorContract


def over_store() -> MakeGraph:
    """Graphs over one store in memory."""
    database = MemoryDatabase()
    clock = SystemClock()

    def make() -> FactGraph:
        store = MemoryStore(database)
        return FactGraph(store, FactIndex(store), VectorMaker(store, None, clock), clock)

    return make


class TestOverStore(EntitySearchContract):
    """The default: facts and readings in the store."""

    @pytest.fixture
    def make_graph(self) -> MakeGraph:
        """Graphs over one store."""
        return over_store()


class TestMemory(EntitySearchContract, MirrorContract):
    """In memory, for tests."""

    @pytest.fixture
    def make_graph(self) -> MakeGraph:
        """One graph; it is all there is."""
        graph = MemoryGraph()
        return lambda: graph


class TestNeo4j(EntitySearchContract, MirrorContract):
    """Over Bolt, by the official driver."""

    @pytest.fixture
    def make_graph(self, bolt_url: str) -> MakeGraph:
        """Graphs in one database, which is emptied."""
        asyncio.run(_emptied(bolt_url))
        return lambda: Neo4jGraph(bolt_url)


async def _emptied(url: str) -> None:
    graph = Neo4jGraph(url)
    try:
        await graph.clear()
    finally:
        await graph.aclose()
