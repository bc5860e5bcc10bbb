"""What in a text contradicts what a document says before it."""

from collections.abc import Sequence

from backstory.core.continuity.attributes import changed_attributes, lost_parts_used
from backstory.core.continuity.closing import closed_threads
from backstory.core.continuity.deaths import dead_who_act
from backstory.core.continuity.knowing import known_too_early
from backstory.core.continuity.marks import Names
from backstory.core.model.block import Conflict
from backstory.core.model.chapter_reading import ChapterReading
from backstory.core.model.entity import Entity
from backstory.core.model.plot import PlotThread


def conflicts(
    text: str,
    chapter: int,
    entities: Sequence[Entity],
    threads: Sequence[PlotThread],
    reading: ChapterReading,
) -> list[Conflict]:
    """Pairs of passages that cannot both be true, as far as rules can tell.

    Precision comes first: what is spoken may be a lie, what is dreamed, remembered or told of an
    earlier time does not happen now, and what changes by being told to change is no mistake.

    Args:
        text: The text of a chapter, stored or not.
        chapter: Its number; what is known from this chapter on is not looked at.
        entities: With their states.
        threads: As they stand before the chapter.
        reading: What a reader found in this text: states are compared, operations on threads too.

    Returns:
        One for each entity or thread and kind of contradiction, at most; the dead first.
    """
    names = Names(entities)
    lines = list(names.sentences(text))
    found = [
        *dead_who_act(lines, names, chapter, entities),
        *changed_attributes(text, chapter, entities, reading.states),
        *lost_parts_used(lines, names, chapter, entities),
        *closed_threads(lines, chapter, threads, reading.threads),
        *known_too_early(lines, names, chapter, entities, reading.states),
    ]
    return list(
        {(one.kind, one.about, one.known_passage): one for one in reversed(found)}.values()
    )[::-1]
