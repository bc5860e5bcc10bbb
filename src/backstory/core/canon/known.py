"""The entities of a document by all their names, while a chapter adds to them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from backstory.core.model.chapter_reading import Sighting
from backstory.core.model.entity import Entity, EntityKind
from backstory.core.text import one_line

MOST_NAME: Final = 200
_MOST_ALIASES: Final = 20


def folded(name: str) -> str:
    """A name as names are compared."""
    return one_line(name).casefold()


class KnownEntities:
    """Finds entities by any name, and makes those that a chapter brings.

    Args:
        entities: Those that are known.
        new_id: Gives ids of new ones.
    """

    def __init__(self, entities: Iterable[Entity], new_id: Callable[[], str]) -> None:
        self._new_id = new_id
        self._by_id: dict[str, Entity] = {}
        self._by_name: dict[str, str] = {}
        self.changed: dict[str, None] = {}
        for entity in entities:
            self._by_id[entity.id] = entity
            self._by_name[folded(entity.name)] = entity.id
        for entity in self._by_id.values():
            for alias in entity.aliases:
                self._by_name.setdefault(folded(alias), entity.id)

    def find(self, name: str) -> Entity | None:
        """The entity that bears a name."""
        found = self._by_name.get(folded(name))
        return None if found is None else self._by_id[found]

    def found_or_made(self, sighting: Sighting) -> Entity:
        """The entity that a sighting is of, with the names and the kind that it adds."""
        entity = self.find(sighting.name)
        if entity is None:
            shared = (self.find(alias) for alias in sighting.aliases)
            entity = next((one for one in shared if one is not None), None)
        if entity is None:
            name = one_line(sighting.name)
            entity = Entity(id=self._new_id(), name=name, kind=sighting.kind)
            self._put(entity)
        return self._grown(entity, sighting)

    def _grown(self, entity: Entity, sighting: Sighting) -> Entity:
        kind = entity.kind
        if kind is EntityKind.OTHER and not entity.authored:
            kind = sighting.kind
        aliases = list(entity.aliases)
        for alias in (sighting.name, *sighting.aliases):
            name = one_line(alias)
            is_new = 0 < len(name) <= MOST_NAME and folded(name) not in self._by_name
            if is_new and len(aliases) < _MOST_ALIASES:
                aliases.append(name)
        grown = replace(entity, kind=kind, aliases=tuple(aliases))
        if grown != entity:
            self._put(grown)
        return grown

    def _put(self, entity: Entity) -> None:
        self._by_id[entity.id] = entity
        self.changed[entity.id] = None
        for name in (entity.name, *entity.aliases):
            self._by_name.setdefault(folded(name), entity.id)

    @property
    def new_or_grown(self) -> tuple[Entity, ...]:
        """Those that the chapter made, or added a name or a kind to."""
        return tuple(self._by_id[key] for key in self.changed)
