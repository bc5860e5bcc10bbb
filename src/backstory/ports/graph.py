"""The graph port: where entities and relations are kept and asked for.

Every method takes a ``Scope``; nothing of another tenant or user can be read, changed or counted.
Names, ids and queries are data, never a part of a query language.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.scope import Scope


@dataclass(frozen=True, kw_only=True)
class When:
    """Which relations count.

    Attributes:
        now: The time of asking.
        valid_at: Those that were true then; None = that are true now.
        known_at: As it was known then; None = now.
        history: Past ones too, but none that was taken back.
    """

    now: datetime
    valid_at: datetime | None = None
    known_at: datetime | None = None
    history: bool = False


@dataclass(frozen=True, kw_only=True)
class Sighted:
    """What was found around the entities that a query names.

    Attributes:
        graph: These entities and what is one relation away.
        matched: The ids of the entities that were named, best first.
    """

    graph: Graph
    matched: tuple[str, ...] = ()


class GraphStore(Protocol):
    """A place for a graph."""

    async def put(
        self, scope: Scope, records: Sequence[GraphEntity | Relation], now: datetime
    ) -> None:
        """Store entities and relations, or new versions of them (the same id).

        Relations name their ends by the ids of entities that were put before or with them; "user"
        is the user. ``recorded_at`` becomes ``now``. Putting the same again changes nothing.
        """
        ...

    async def withdraw(self, scope: Scope, ids: Sequence[str], now: datetime) -> None:
        """Take records back from ``now`` on; what was known before stays for the past."""
        ...

    async def get_context(self, scope: Scope, when: When, limit: int) -> Graph:
        """The relations of those who have most, at most ``limit``; the user's come first.

        With ``known_at`` as it was known then.
        """
        ...

    async def forget(self, scope: Scope) -> int:
        """Remove everything of a user; gives how many entities and relations there were."""
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...


@runtime_checkable
class EntitySearch(Protocol):
    """What a graph store may be able to do; without it, callers take ``get_context``."""

    async def search_entities(self, scope: Scope, query: str, when: When, limit: int) -> Sighted:
        """Entities whose name a query holds, whatever the case, and their relations, one hop out.

        At most ``limit`` relations. The matching is that of ``core.graph.matching``.
        """
        ...


@runtime_checkable
class GraphMirror(Protocol):
    """A graph store that repeats what facts and readings say, so it has to be kept in step."""

    async def stamp(self, scope: Scope) -> str | None:
        """Of the graph that it holds of a user; None = nothing yet."""
        ...

    async def replace(self, scope: Scope, graph: Graph, stamp: str) -> int:
        """Make it hold exactly this graph, in one transaction; gives how many records changed."""
        ...
