"""The sub-service ``memory.graph``."""

from __future__ import annotations

from datetime import datetime, tzinfo

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import known_at_of, limit_of, optional_instant
from backstory.api.inputs import zone_of
from backstory.core.identity import check_id
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.graph_view import GraphView
from backstory.core.model.results import Page
from backstory.core.text import clean


class AsyncGraph(_OfMemory):
    """People, pets, places and so on, and how they are tied.

    It is computed from the facts, and from what a language model found beside them, each time that
    these change. Nothing is stated here. From ``memory.graph``.
    """

    async def get_context(
        self,
        user_id: str,
        *,
        valid_at: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_history: bool = False,
        timezone: tzinfo | str = "UTC",
        limit: int = 24,
    ) -> GraphView:
        """Who and what matters most: those with most relations; the user's relations come first.

        Args:
            user_id: Whose graph.
            valid_at: Relations that were true then; None = now.
            known_at: As it was known then; None = now.
            include_history: Past relations too; their ``status`` says what became of them.
            timezone: Dates in ``text`` are shown in it.
            limit: Most relations, 1 or more.

        Raises:
            InvalidInputError: An argument is outside its range.
            StoreUnavailableError: The graph is in a server that does not answer.
        """
        scope, most = self._memory._scope(user_id), limit_of(limit)
        zone = await zone_of(timezone)
        valid, known = optional_instant(valid_at, "valid_at"), known_at_of(known_at)
        services = await self._memory._open()
        when = services.graph.when(valid, known, history=include_history)
        return await services.graph.get_context(scope, when, most, zone)

    async def search_entities(
        self,
        user_id: str,
        query: str,
        *,
        valid_at: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_history: bool = False,
        timezone: tzinfo | str = "UTC",
        limit: int = 60,
    ) -> GraphView:
        """Find the entities that a text names, and what is one relation away from them.

        A name counts whatever its case and script, as a whole; of a name of several words each
        of them counts too.

        Args:
            user_id: Whose graph.
            query: A question or some words.
            valid_at: As in ``get_context``.
            known_at: As in ``get_context``.
            include_history: As in ``get_context``.
            timezone: As in ``get_context``.
            limit: Most relations, 1 or more.

        Raises:
            InvalidInputError: An argument is outside its range.
            StoreUnavailableError: The graph is in a server that does not answer.
        """
        asked, scope = clean(query, "query"), self._memory._scope(user_id)
        zone, most = await zone_of(timezone), limit_of(limit)
        valid, known = optional_instant(valid_at, "valid_at"), known_at_of(known_at)
        services = await self._memory._open()
        when = services.graph.when(valid, known, history=include_history)
        return await services.graph.search_entities(scope, asked, when, most, zone)

    async def entities(
        self,
        user_id: str,
        *,
        kind: str | None = None,
        valid_at: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_history: bool = False,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[GraphEntity]:
        """List entities, in order of when they were first named.

        Args:
            user_id: Whose graph.
            kind: Only of this kind: "person", "pet", "place", "organisation", "event", "thing" or
                "topic".
            valid_at: As in ``get_context``.
            known_at: As in ``get_context``.
            include_history: As in ``get_context``.
            limit: Most of a page, 1 or more.
            cursor: The ``next_cursor`` of the page before; None = the first page.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        scope, most = self._memory._scope(user_id), limit_of(limit)
        valid, known = optional_instant(valid_at, "valid_at"), known_at_of(known_at)
        services = await self._memory._open()
        when = services.graph.when(valid, known, history=include_history)
        return await services.graph.entities(scope, when, kind, most, cursor)

    async def relations(
        self,
        user_id: str,
        *,
        relation_type: str | None = None,
        entity_id: str | None = None,
        valid_at: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_history: bool = False,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Relation]:
        """List relations, in order of when they were said.

        Args:
            user_id: Whose graph.
            relation_type: Only of this type, such as "works_at".
            entity_id: Only those of one entity; "user" is the user.
            valid_at: As in ``get_context``.
            known_at: As in ``get_context``.
            include_history: As in ``get_context``.
            limit: Most of a page, 1 or more.
            cursor: The ``next_cursor`` of the page before; None = the first page.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        scope, most = self._memory._scope(user_id), limit_of(limit)
        whose = None if entity_id is None else check_id(entity_id, "entity_id")
        valid, known = optional_instant(valid_at, "valid_at"), known_at_of(known_at)
        services = await self._memory._open()
        when = services.graph.when(valid, known, history=include_history)
        return await services.graph.relations(scope, when, relation_type, whose, most, cursor)
