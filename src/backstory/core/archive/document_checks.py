"""Whether the parts of an archived document fit together, so that a forged one stores nothing."""

from collections.abc import Hashable, Iterable
from typing import Final

from backstory.core.model.document_archive import ArchivedChapter, DocumentRecords
from backstory.errors import InvalidInputError

_MOST_ID: Final = 64


def check_records(records: DocumentRecords) -> None:
    """Refuse records that no document can have.

    Raises:
        InvalidInputError: Something is there twice, out of order, or names what is not there.
    """
    if not records.unit.strip():
        raise InvalidInputError("the header names no unit")
    if records.planned_chapters == 0 or records.next_thread < 1:
        raise InvalidInputError("the header holds a number below 1")
    for chapter in records.chapters:
        _check_chapter(chapter)
    numbers = [chapter.versions[-1].number for chapter in records.chapters]
    versions = [version.revision for chapter in records.chapters for version in chapter.versions]
    entities = [entity.id for entity in records.entities]
    states = [state.id for state in records.states]
    threads = [thread.number for thread in records.threads]
    for what, some in (
        ("chapter numbers", numbers),
        ("revisions", versions),
        ("entity ids", entities),
        ("entity names", [entity.name for entity in records.entities]),
        ("state ids", states),
        ("thread numbers", threads),
        ("event ids", [event.id for event in records.events]),
        ("drafts", [draft.number for draft in records.drafts]),
        ("sightings", [(one.number, one.entity_id) for one in records.sightings]),
    ):
        _check_once(what, some)
    for text in (*versions, *entities, *states):
        if not 0 < len(text) <= _MOST_ID:
            raise InvalidInputError(f"an id has {len(text)} characters; 1 to {_MOST_ID}")
    if any(number < 1 for number in (*numbers, *threads, *(d.number for d in records.drafts))):
        raise InvalidInputError("a chapter, thread or draft has a number below 1")
    _check_references(records, set(numbers), set(entities), set(threads))
    current = {chapter.versions[-1].revision for chapter in records.chapters}
    read_in = [state.revision for state in records.states]
    read_in += [knower.revision for state in records.states for knower in state.knowers]
    read_in += [event.revision for event in records.events]
    if any(revision is not None and revision not in current for revision in read_in):
        raise InvalidInputError("a record was read in a version of a chapter that is not there")
    if any(number >= records.next_thread for number in threads):
        raise InvalidInputError("next_thread is the number of a thread that is there")


def _check_chapter(chapter: ArchivedChapter) -> None:
    versions = chapter.versions
    if not versions:
        raise InvalidInputError("a chapter has no text")
    number = versions[-1].number
    if any(version.number != number for version in versions):
        raise InvalidInputError(f"a version of chapter {number} has another number")
    if [version.revised for version in versions] != list(range(len(versions))):
        raise InvalidInputError(f"the versions of chapter {number} are not in order")
    if any(not version.text.strip() for version in versions):
        raise InvalidInputError(f"a version of chapter {number} is blank")
    end = 0
    for passage in chapter.passages:
        if not end <= passage.start < passage.end <= len(versions[-1].text):
            raise InvalidInputError(f"the passages of chapter {number} are not those of its text")
        end = passage.end


def _check_references(
    records: DocumentRecords, numbers: set[int], entities: set[str], threads: set[int]
) -> None:
    for sighting in records.sightings:
        if sighting.number not in numbers or sighting.entity_id not in entities:
            raise InvalidInputError("a sighting is of a chapter or an entity that is not there")
    for entity in records.entities:
        if not entity.name.strip():
            raise InvalidInputError("an entity has no name")
    for state in records.states:
        if state.entity_id not in entities:
            raise InvalidInputError("a state is of an entity that is not there")
        if not state.attribute.strip() or not state.value.strip():
            raise InvalidInputError("a state says nothing")
    for event in records.events:
        if event.thread not in threads or event.chapter < 1:
            raise InvalidInputError("an event is of a thread or a chapter that cannot be")


def _check_once(what: str, some: Iterable[Hashable]) -> None:
    listed = list(some)
    if len(set(listed)) != len(listed):
        raise InvalidInputError(f"two {what} are the same")
