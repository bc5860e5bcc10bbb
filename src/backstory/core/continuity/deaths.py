"""The dead who act: one who died before speaks or does something now."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from backstory.core.continuity.marks import FILLER, NAME, SPOKEN, Names, Sentence
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
    for entity in entities:
        death = death_of(entity, chapter)
        if death is None:
            continue
        mark = names.mark_of(entity.name)
        if any(re.search(mark, one.marked) and ALIVE.search(one.said) for one in lines):
            continue
        for number, line in enumerate(lines):
            following = lines[number + 1] if number + 1 < len(lines) else None
            if _acts(mark, line, following):
                yield Conflict(
                    kind=ConflictKind.DEAD_ACTS,
                    about=entity.name,
                    chapter=chapter,
                    passage=line.said,
                    known_chapter=death.chapter,
                    known_passage=death.quote or f"{entity.name}: {death.value}",
                    why=f"{entity.name} is dead since chapter {death.chapter}",
                )
                break


@lru_cache(maxsize=256)
def _patterns(mark: str) -> tuple["re.Pattern[str]", "re.Pattern[str]"]:
    """What one does, and being met."""
    act = rf"{MANNER}(?:{ACTS}|{DOING})\b(?!['\u2019])"
    doing = (
        rf"(?P<who>{mark})(?:,? who)? {act}"
        rf"|(?P<first>{mark}) and {NAME} {act}|{NAME} and (?P<second>{mark}) {act}"
        rf"|{SPOKEN}[\s,]*(?:{SPEAKS}) (?:\w+ly )?(?P<speaker>{mark})(?!['\u2019{FILLER}])"
    )
    met = rf"\b(?:saw|met|spotted|noticed) (?P<who>{mark})(?!['\u2019{FILLER}])"
    return re.compile(doing), re.compile(met)


def _acts(mark: str, line: Sentence, following: Sentence | None) -> bool:
    if mark[0] not in line.told or ELSEWHERE.search(line.before):
        return False
    doing, met = _patterns(mark)
    for found in doing.finditer(line.told):
        start = next(found.start(name) for name, text in found.groupdict().items() if text)
        clause = _clause(line.told, start, found.end())
        if not NAMESAKE.search(line.told[:start]) and not ABSENT.search(clause):
            return True
    seen = met.search(line.told)
    return bool(
        seen
        and following
        and _FOLLOWING.match(following.told)
        and not ABSENT.search(line.told)
        and not ELSEWHERE.search(following.before)
    )


def _clause(told: str, start: int, end: int) -> str:
    """What stands before an act in its clause, and the act."""
    begin = max(told.rfind(mark, 0, start) for mark in (";", ":", " and ", " but ", SPOKEN))
    return told[max(0, begin) : end]
