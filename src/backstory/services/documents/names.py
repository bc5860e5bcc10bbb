"""The names of a document's entities, in the forms in which they are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstory.core.canon.known import folded
from backstory.core.name_counting import name_counter
from backstory.core.names import KnownName, NameIndex
from backstory.ports.documents import EntityName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from backstory.core.model.entity import Entity
    from backstory.ports.documents import NameCounter


class Names:
    """The entities of a document as they are found in texts, and by what they are called."""

    def __init__(self, entities: Iterable[EntityName]) -> None:
        self.entities: dict[str, EntityName] = {}
        self.index = NameIndex(())
        self._named: dict[str, dict[str, None]] = {}
        self._called: dict[str, dict[str, None]] = {}
        for entity in entities:
            self._put(entity)

    def _put(self, entity: EntityName) -> None:
        self.entities[entity.id] = entity
        self.index.add(known_name(entity))
        self._named.setdefault(folded(entity.name), {})[entity.id] = None
        for alias in entity.aliases:
            self._called.setdefault(folded(alias), {})[entity.id] = None

    def named(self, text: str) -> dict[str, int]:
        """Ids of the entities that a text names, each with how often."""
        return self.index.count(text)

    def bearers(self, names: Iterable[str]) -> list[str]:
        """Ids of all that have one of these as their name or an alias."""
        found: dict[str, None] = {}
        for name in names:
            key = folded(name)
            found |= self._named.get(key, {}) | self._called.get(key, {})
        return list(found)

    def bearer(self, name: str) -> EntityName | None:
        """The entity that is called so: by its name, else by an alias, else by a part of its name.

        A part counts if no other entity has it.
        """
        key = folded(name)
        for forms in (self._named, self._called):
            if key in forms:
                return self.entities[next(iter(forms[key]))]
        parts = [one for one in self.entities.values() if key in folded(one.name).split()]
        return parts[0] if len(parts) == 1 else None

    def counter(self, entity: Entity) -> NameCounter:
        """How often a text names an entity, new or with new names, and not another one."""
        others = (known_name(one) for one in self.entities.values() if one.id != entity.id)
        return name_counter(known_name(entity), others)

    def grow(self, entities: Iterable[Entity]) -> None:
        """Take new entities, and more names of known ones."""
        for entity in entities:
            old = self.entities.get(entity.id)
            self._put(
                EntityName(
                    id=entity.id,
                    name=entity.name,
                    aliases=entity.aliases,
                    case_sensitive=entity.case_sensitive,
                    authored=old is not None and old.authored,
                    hidden=old is not None and old.hidden,
                )
            )


def known_name(entity: EntityName | Entity) -> KnownName:
    """An entity as it is looked for in a text."""
    return KnownName(
        key=entity.id,
        forms=(entity.name, *entity.aliases),
        case_sensitive=entity.case_sensitive,
    )
