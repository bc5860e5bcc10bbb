"""What of a document a plan looks at, told from the reading that it is made of."""

from collections.abc import Iterator

from backstory.core.model.chapter_reading import ChapterReading
from backstory.core.plot.references import read_references


def names_in(reading: ChapterReading) -> Iterator[str]:
    """All names under which the plan looks for an entity; some more than once."""
    for sighting in reading.sightings:
        yield sighting.name
        yield from sighting.aliases
    for state in reading.states:
        yield state.entity
        yield from state.known_by


def threads_in(reading: ChapterReading) -> tuple[int, ...] | None:
    """Numbers of the threads that it names; None if it may mean one by its summary."""
    numbers: dict[int, None] = {}
    for item in reading.threads:
        named = read_references(item.ref)
        if named.strange or not named.numbers:
            return None
        numbers |= dict.fromkeys(named.numbers)
    return tuple(numbers)
