"""``document.entities``: who and what occurs, what is so of them, and who knows it."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from backstory.api.aio_document_opened import _OfDocument
from backstory.api.document_inputs import (
    flag_of,
    knowers_of,
    name_of,
    names_of,
    number_of,
    optional_number,
    phrase_of,
)
from backstory.api.fact_inputs import member_of
from backstory.core.identity import check_id
from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower


class AsyncDocumentEntities(_OfDocument):
    """Characters, places, things and lore."""

    async def list(self, as_of_chapter: int | None = None) -> builtins.list[Entity]:
        """All entities with their states, in the order in which they came.

        Args:
            as_of_chapter: As they stood after this chapter; None = now.
        """
        upto = optional_number(as_of_chapter, "as_of_chapter", 0)
        services = await self._document._open()
        return await services.document_cast.listed(self._document._scope, upto)

    async def get(self, name: str, as_of_chapter: int | None = None) -> Entity:
        """The entity that bears a name, an alias or an id.

        Raises:
            NotFoundError: There is none.
        """
        wanted = name_of(name)
        upto = optional_number(as_of_chapter, "as_of_chapter", 0)
        services = await self._document._open()
        return await services.document_cast.get(self._document._scope, wanted, upto)

    async def save(
        self,
        name: str,
        kind: EntityKind | str = EntityKind.OTHER,
        *,
        aliases: Sequence[str] = (),
        case_sensitive: bool = True,
        hidden: bool = False,
    ) -> Entity:
        """Enter an entity, or say more of a known one. It stays where no chapter mentions it.

        Args:
            name: Its name; of a known one, any of its names.
            kind: What it is. Lore comes into a block when one of its names is used.
            aliases: Its other names.
            case_sensitive: Whether names count only as they are written: "Red" is not "red".
            hidden: Whether only the author may see it.

        Raises:
            ConflictError: Another entity has one of the names.
        """
        entity = Entity(
            id="",
            name=name_of(name),
            kind=member_of(EntityKind, kind, "kind") or EntityKind.OTHER,
            aliases=names_of(aliases, "aliases"),
            case_sensitive=flag_of(case_sensitive, "case_sensitive"),
            hidden=flag_of(hidden, "hidden"),
            authored=True,
        )
        services = await self._document._open()
        document = self._document
        return await services.document_cast.save(document._scope, document._plan, entity)

    async def note(
        self,
        name: str,
        value: str,
        *,
        attribute: str = "note",
        chapter: int = 0,
        hidden: bool = False,
        known_by: Sequence[str | Knower] = (),
    ) -> EntityState:
        """State something of an entity; one that is not known is entered.

        Args:
            name: Any of its names.
            value: What is so: "green", "is the killer".
            attribute: What it is about, such as "eyes". A later state of the same attribute takes
                its place. Notes stand side by side: the second becomes "note 2", and so on.
            chapter: Since which chapter; 0 = since before the first.
            hidden: Whether only the author may see it.
            known_by: Who knows, from this chapter on; empty = everybody.
        """
        since = number_of(chapter, "chapter", 0)
        state = EntityState(
            id="",
            entity=name_of(name),
            attribute=phrase_of(attribute, "attribute", 200).lower(),
            value=phrase_of(value, "value"),
            chapter=since,
            hidden=flag_of(hidden, "hidden"),
            known_by=knowers_of(known_by, since),
        )
        services = await self._document._open()
        document = self._document
        return await services.document_cast.note(document._scope, document._plan, state)

    async def learn(self, state_id: str, name: str, chapter: int) -> EntityState:
        """Let a character know of a state from a chapter on.

        Args:
            state_id: The id of a state that not everybody knows.
            name: Who learns it.
            chapter: Since when.

        Raises:
            NotFoundError: There is no such state.
        """
        wanted = check_id(state_id, "state_id")
        knower = Knower(name=name_of(name), since_chapter=number_of(chapter, "chapter", 0))
        services = await self._document._open()
        return await services.document_cast.learn(self._document._scope, wanted, knower)

    async def delete(self, name: str) -> None:
        """Remove an entity with its states.

        A chapter that mentions it brings it back when it is read again.

        Raises:
            NotFoundError: There is none of this name.
        """
        wanted = name_of(name)
        services = await self._document._open()
        await services.document_cast.delete(self._document._scope, wanted)

    async def delete_state(self, state_id: str) -> None:
        """Remove one state.

        Raises:
            NotFoundError: There is no such state.
        """
        wanted = check_id(state_id, "state_id")
        services = await self._document._open()
        await services.document_cast.delete_state(self._document._scope, wanted)
