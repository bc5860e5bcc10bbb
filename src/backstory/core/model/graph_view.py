"""What is shown of a knowledge graph."""

from collections.abc import Iterator
from dataclasses import dataclass

from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class GraphView(Record):
    """Some entities of a graph and relations between them. It iterates over the entities.

    Attributes:
        entities: Those that were asked for first, then those that relations lead to.
        relations: Their ends are among the entities.
        matched: The ids of the entities that a query names, best first.
        text: All of it in lines, ready for a prompt; names are quoted as data.
    """

    entities: tuple[GraphEntity, ...] = ()
    relations: tuple[Relation, ...] = ()
    matched: tuple[str, ...] = ()
    text: str = ""

    def __iter__(self) -> Iterator[GraphEntity]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self.entities)

    def __str__(self) -> str:
        return self.text
