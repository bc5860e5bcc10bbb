"""Entities by hand: lore, notes, who knows what. The author's word stays whatever chapters say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.errors import NotFoundError

if TYPE_CHECKING:
    from backstory.ports.clock import Clock
    from backstory.ports.documents import DocumentScope, DocumentStore, EntityName
    from backstory.ports.ids import Ids
    from backstory.services.documents.known import KnownDocuments
    from backstory.services.documents.requests import DocumentPlan


class Cast:
    """The author's hand on entities.

    Args:
        documents: Where they are.
        known: Their names.
        clock, ids: The time of each commit, and new ids.
    """

    def __init__(
        self, documents: DocumentStore, known: KnownDocuments, clock: Clock, ids: Ids
    ) -> None:
        self._documents = documents
        self._known = known
        self._clock = clock
        self._ids = ids

    async def listed(self, scope: DocumentScope, upto: int | None) -> list[Entity]:
        """All entities, in the order in which they came."""
        return await self._documents.entities(scope, None, upto)

    async def get(self, scope: DocumentScope, name: str, upto: int | None = None) -> Entity:
        """The entity that bears a name, an alias or an id.

        Raises:
            NotFoundError: There is none.
        """
        found = await self._find(scope, name)
        if found is not None:
            some = await self._documents.entities(scope, [found.id], upto)
            if some:
                return some[0]
        raise NotFoundError(
            f"the document {scope.document_id!r} has no entity {name!r}"
            f"{'' if upto is None else f' up to chapter {upto}'}; entities.list() shows all"
        )

    async def _find(self, scope: DocumentScope, name: str) -> EntityName | None:
        names = await self._known.names(scope)
        return names.bearer(name) or names.entities.get(name)

    async def save(self, scope: DocumentScope, plan: DocumentPlan, entity: Entity) -> Entity:
        """Store what the author says of an entity, new or known, and look for it in all chapters.

        Raises:
            ConflictError: Another entity has one of its names.
        """
        now = self._clock.now()
        await self._documents.ensure(scope, plan.unit, plan.planned_chapters, now)
        names = await self._known.names(scope)
        known = names.bearer(entity.name)
        entity_id = self._ids.new() if known is None else known.id
        own = replace(entity, id=entity_id, authored=True)
        count = names.counter(own)
        stored = await self._documents.put_entity(scope, own, now, count)
        self._known.forget(scope)
        return stored

    async def note(
        self, scope: DocumentScope, plan: DocumentPlan, state: EntityState
    ) -> EntityState:
        """Store what is so of an entity; one that is not known becomes the author's."""
        now = self._clock.now()
        found = await self._find(scope, state.entity)
        if found is None:
            made = Entity(id="", name=state.entity, authored=True)
            name = (await self.save(scope, plan, made)).name
        else:
            name = found.name
        new = replace(state, id=self._ids.new(), entity=name)
        return await self._documents.put_state(scope, new, now)

    async def learn(self, scope: DocumentScope, state_id: str, knower: Knower) -> EntityState:
        """Let a character know of a state from a chapter on.

        Raises:
            NotFoundError: There is no such state.
        """
        found = await self._find(scope, knower.name)
        named = knower if found is None else replace(knower, name=found.name)
        return await self._documents.put_knower(scope, state_id, named, self._clock.now())

    async def delete(self, scope: DocumentScope, name: str) -> None:
        """Remove an entity with its states and sightings.

        Raises:
            NotFoundError: There is none.
        """
        entity = await self.get(scope, name)
        await self._documents.drop_entity(scope, entity.id, self._clock.now())
        self._known.forget(scope)

    async def delete_state(self, scope: DocumentScope, state_id: str) -> None:
        """Remove one state.

        Raises:
            NotFoundError: There is none.
        """
        if not await self._documents.drop_state(scope, state_id, self._clock.now()):
            raise NotFoundError(f"the document {scope.document_id!r} has no state {state_id!r}")
        self._known.forget(scope)
