"""Continuity: what in a text contradicts the chapters before it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from backstory.core.continuity.check import conflicts
from backstory.core.continuity.deaths import death_of
from backstory.core.plot.folding import is_closed
from backstory.services.documents.before import INLINE_CHARS, chapter_to_read
from backstory.services.documents.requests import GivenChapter
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backstory.core.model.block import Conflict
    from backstory.core.model.document import DocumentInfo
    from backstory.core.model.entity import Entity
    from backstory.ports.chapter_reader import ChapterReader
    from backstory.ports.documents import DocumentScope, DocumentStore
    from backstory.services.documents.known import KnownDocuments

_MOST_CHAPTERS: Final = 100
"""So many chapters that may hold a contradiction are read again for a status, the last ones."""
_MOST_DOCUMENTS: Final = 16


class Checking:
    """Checks texts against what is known.

    Args:
        documents: Where that is.
        known: The names of entities.
        reader: Reads what a text states, by rules: a check costs no call of a model.
    """

    def __init__(
        self, documents: DocumentStore, known: KnownDocuments, reader: ChapterReader
    ) -> None:
        self._documents = documents
        self._known = known
        self._reader = reader
        self._found: dict[DocumentScope, tuple[tuple[int, int], tuple[Conflict, ...]]] = {}

    async def check(
        self, scope: DocumentScope, info: DocumentInfo, text: str, chapter: int
    ) -> tuple[Conflict, ...]:
        """What in a text contradicts the document before a chapter."""
        # with a summary given, none is made
        given = GivenChapter(number=chapter, text=text, summary="-")
        asked = await chapter_to_read(
            self._documents, self._known, scope, info, given, all_states=True
        )
        reading = await self._reader.read(asked)
        threads = await self._documents.threads(scope, None, chapter - 1)
        closed = [thread for thread in threads if is_closed(thread)]
        about = (text, chapter, asked.entities, closed, reading)
        if len(text) <= INLINE_CHARS:
            return tuple(conflicts(*about))
        return tuple(await run_in_thread(conflicts, *about))

    async def stored(self, scope: DocumentScope, info: DocumentInfo) -> tuple[Conflict, ...]:
        """The conflicts among the chapters as they are.

        Read again are only chapters in which an entity occurs after its death, a state takes the
        place of another, or something occurs that not everybody knows of; what is found is kept
        until the document changes.
        """
        stamp = await self._documents.stamp(scope)
        kept = self._found.get(scope)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        found: list[Conflict] = []
        for number in await self._suspects(scope):
            chapter = await self._documents.chapter(scope, number)
            if chapter is not None:
                found += await self.check(scope, info, chapter.text, number)
        while len(self._found) >= _MOST_DOCUMENTS:
            self._found.pop(next(iter(self._found)))
        self._found[scope] = stamp, tuple(found)
        return tuple(found)

    async def _suspects(self, scope: DocumentScope) -> Sequence[int]:
        """Numbers of chapters that may hold a contradiction."""
        numbers: set[int] = set()
        for entity in await self._documents.entities(scope, None, None):
            numbers |= _changes(entity)
            since = _since(entity)
            if since is not None:
                last = (entity.last_chapter or 0) + 1
                seen = await self._documents.seen(scope, entity.id, last)
                numbers.update(number for number in seen if number > since)
        return sorted(numbers)[-_MOST_CHAPTERS:]


def _since(entity: Entity) -> int | None:
    """The chapter behind which each one that names the entity is suspect."""
    last = entity.last_chapter
    if last is None:
        return None
    death = death_of(entity, last + 1)
    begins = [] if death is None else [death.chapter]
    begins += [state.chapter for state in entity.states if state.known_by or state.hidden]
    return min((number for number in begins if number < last), default=None)


def _changes(entity: Entity) -> set[int]:
    """Chapters that give an attribute another value than it had."""
    times = Counter(state.attribute for state in entity.states)
    seen: dict[str, str] = {}
    changed: set[int] = set()
    for state in entity.states:
        if times[state.attribute] < 2:
            continue
        before = seen.setdefault(state.attribute, state.value)
        if state.revision is not None and before.casefold() != state.value.casefold():
            changed.add(state.chapter)
        seen[state.attribute] = state.value
    return changed
