"""Which entities a text names, and what surrounds them: one hop, never the whole graph."""

from collections.abc import Container, Iterator, Sequence
from typing import Final
from unicodedata import normalize

from backstory.core.graph.naming import normal_label
from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.fact import USER
from backstory.core.names import KnownName, NameIndex, lowered, plain_signs
from backstory.core.text import abridge, one_line

MOST_MATCHES: Final = 16
MOST_RELATIONS: Final = 60
_MOST_QUERY: Final = (4000, 1000)
_SHORTEST_WORD: Final = 2


class LabelIndex:
    """Finds entities by their names in texts, in any script, whatever the case.

    A name counts as a whole, and in scripts with blanks each word of it for itself: "Kim" finds
    "Alex Kim". A name that is also a common word ("Will") counts only as it is written.

    Args:
        entities: What may be found.
        common: Words that are no names by themselves, in lower case.
    """

    def __init__(self, entities: Sequence[GraphEntity], common: Container[str] = ()) -> None:
        names = [name for entity in entities for name in _names(entity, common)]
        self._index = NameIndex(names)
        self._whole = {
            (entity.id, normal_label(name))
            for entity in entities
            for name in (entity.label, *entity.aliases)
        }

    def find(self, text: str) -> list[str]:
        """Ids of the entities that a text names: whole names first, then in order of the text."""
        searched = one_line(abridge(text, *_MOST_QUERY))
        whole: dict[str, None] = {}
        part: dict[str, None] = {}
        for found in self._index.find(searched):
            form = normal_label(searched[found.start : found.end])
            for name in found.keys:
                (whole if (name, form) in self._whole else part)[name] = None
        return [*whole, *(name for name in part if name not in whole)]


def _names(entity: GraphEntity, common: Container[str]) -> Iterator[KnownName]:
    if entity.id == USER:
        return
    for label in dict.fromkeys((entity.label, *entity.aliases)):
        line = one_line(label)
        strict = line.lower() in common
        yield KnownName(key=entity.id, forms=(line,), case_sensitive=strict)
        words = [word for word in line.split() if _is_own(word, common)]
        if len(words) and " " in line:
            yield KnownName(key=entity.id, forms=tuple(words), case_sensitive=False)


def _is_own(word: str, common: Container[str]) -> bool:
    return (
        len(word) >= _SHORTEST_WORD and word.lower() not in common and any(map(str.isalnum, word))
    )


def search_form(text: str) -> str:
    """A text as ``search_forms`` are looked for in it."""
    return lowered(plain_signs(normalize("NFC", one_line(abridge(text, *_MOST_QUERY)))))


def search_forms(entity: GraphEntity) -> list[str]:
    """What a text must hold so that it may name an entity; ``LabelIndex`` tells whether it does."""
    found: dict[str, None] = {}
    for name in _names(entity, ()):
        found.update((search_form(form), None) for form in name.forms)
    return list(found)


def around(graph: Graph, names: Sequence[str], limit: int = MOST_RELATIONS) -> Graph:
    """Entities with the relations that they stand in, at most so many, fairly shared.

    Each entity's relations to others that are named come first, then the latest. The named
    entities come first, also those without a relation.
    """
    named = set(names)
    queues = [_ordered(graph.beside.get(name, ()), named) for name in names]
    chosen: dict[str, Relation] = {}
    place = 0
    while len(chosen) < limit and any(place < len(queue) for queue in queues):
        for queue in queues:
            if place < len(queue) and len(chosen) < limit:
                chosen.setdefault(queue[place].id, queue[place])
        place += 1
    return graph.of(chosen.values(), also=[name for name in names if name in graph.entities])


def _ordered(relations: Sequence[Relation], named: set[str]) -> list[Relation]:
    def key(relation: Relation) -> tuple[bool, float, str]:
        both = relation.subject_id in named and relation.object_id in named
        return (not both, -relation.at.timestamp(), relation.id)

    return sorted(relations, key=key)


def preamble(graph: Graph, limit: int = MOST_RELATIONS) -> Graph:
    """The entities with most relations, with these; the user's own relations come first."""
    return around(graph, graph.busiest[:MOST_MATCHES], limit)
