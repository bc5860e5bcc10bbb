"""The dead who act: one who died before speaks or does something now."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from backstory.core.continuity.marks import NAME, Names, Sentence
from backstory.core.continuity.prose import SPOKEN
from backstory.core.continuity.words import (
    ABSENT,
    ACTS,
    ALIVE,
    DEATH,
    DOING,
    ELSEWHERE,
    MANNER,
    NAMESAKE,
    SPEAKS,
)
from backstory.core.model.block import Conflict, ConflictKind
from backstory.core.model.entity import Entity, EntityState

LIFE: Final = frozenset({"life", "status", "death", "alive", "condition", "fate", "state"})
_FOLLOWING: Final = re.compile(rf"(?:He|She) {MANNER}(?:{ACTS}|{DOING})\b")


def death_of(entity: Entity, chapter: int) -> EntityState | None:
    """The state by which an entity is dead before a chapter, or None if it lives."""
    found: EntityState | None = None
    for state in sorted(entity.states, key=lambda one: one.chapter):
        if state.attribute.casefold() in LIFE and state.chapter < chapter:
            dead = DEATH.search(state.value) and not ALIVE.search(state.value)
            found = state if dead else None
    return found


def dead_who_act(
    lines: Sequence[Sentence], names: Names, chapter: int, entities: Sequence[Entity]
) -> Iterator[Conflict]:
    """One conflict for each who is dead and speaks or acts in a text.

    Only what the text tells as happening now counts: nobody acts who is remembered, dreamed of,
    seen as a ghost or a picture, heard on a tape, or told of in a past tense before the past.
    A text that says that somebody lives after all contradicts openly, and is not reported.
    """
    deaths = {one.name: death for one in entities if (death := death_of(one, chapter))}
    if not deaths:
        return
    for line in lines:
        if ALIVE.search(line.said):
            for mark in _NAME.findall(line.marked):
                deaths.pop(names.name_of(mark), None)
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else None
        for mark in _actors(line, following):
            name = names.name_of(mark)
            death = deaths.pop(name, None)
            if death is not None:
                yield Conflict(
                    kind=ConflictKind.DEAD_ACTS,
                    about=name,
                    chapter=chapter,
                    passage=line.said,
                    known_chapter=death.chapter,
                    known_passage=death.quote or f"{name}: {death.value}",
                    why=f"{name} is dead since chapter {death.chapter}",
                )


_ACT: Final = rf"{MANNER}(?:{ACTS}|{DOING})\b(?!['\u2019])"
_DOES: Final = re.compile(
    rf"(?P<who>{NAME})(?:,? who)? {_ACT}|(?P<first>{NAME}) and (?P<second>{NAME}) {_ACT}"
    rf"|{SPOKEN}[\s,]*(?:{SPEAKS}) (?:\w+ly )?(?P<speaker>{NAME})(?!['\u2019])"
)
_MET: Final = re.compile(rf"\b(?:saw|met|spotted|noticed) (?P<who>{NAME})(?!['\u2019])")
_NAME: Final = re.compile(NAME)


def _actors(line: Sentence, following: Sentence | None) -> Iterator[str]:
    """The marks of those who act in a sentence, or are met in it and act in the next."""
    if not _NAME.search(line.told) or ELSEWHERE.search(line.before):
        return
    for found in _DOES.finditer(line.told):
        places = [found.span(name) for name, text in found.groupdict().items() if text]
        before = line.told[: places[0][0]]
        clause = _clause(line.told, places[0][0], found.end())
        if not NAMESAKE.search(before) and not ABSENT.search(clause):
            yield from (line.told[start:end] for start, end in places)
    met = _MET.search(line.told)
    if met and following and _FOLLOWING.match(following.told) and not ABSENT.search(line.told):
        yield met["who"]


def _clause(told: str, start: int, end: int) -> str:
    """What stands before an act in its clause, and the act."""
    begin = max(told.rfind(mark, 0, start) for mark in (";", ":", " and ", " but ", SPOKEN))
    return told[max(0, begin) : end]
