"""Characters who know what they cannot know yet."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from backstory.core.continuity.marks import NAME, Names, Sentence
from backstory.core.continuity.prose import SPOKEN
from backstory.core.continuity.words import ELSEWHERE, SPEAKS, UNSURE
from backstory.core.model.block import Conflict, ConflictKind
from backstory.core.model.chapter_reading import StateRead
from backstory.core.model.entity import Entity, EntityState
from backstory.core.wordlists import word_set

_WORD: Final = re.compile(r"[^\W_]+")
_SMALL: Final = word_set(
    "a an the of in on at to for from by with and or is are was were be been has had have his her "
    "its their my your our it he she they him them that this who which"
)
_STEM: Final = 4
_ENDING: Final = 3
_KNOWS: Final = re.compile(
    rf"(?P<who>{NAME}) (?:already |always |also |still )?(?:knew|knows|remembered|was aware"
    r"|was certain|was sure)\b"
)
_SPEAKER: Final = re.compile(
    rf"{SPOKEN}[\s,]*(?:{SPEAKS}) (?P<behind>{NAME})(?!['\u2019])"
    rf"|(?P<before>{NAME}) (?:\w+ly )?(?:{SPEAKS})\b"
)


def known_too_early(
    lines: Sequence[Sentence],
    names: Names,
    chapter: int,
    entities: Sequence[Entity],
    states: Sequence[StateRead],
) -> Iterator[Conflict]:
    """One conflict for each secret that somebody knows or says who does not know it yet.

    Only the first sentence of a text that states the secret counts, for who hears it there knows
    it afterwards. Questions, guesses and denials state nothing, and whom a secret is about knows.
    """
    learned = {
        (one.entity, one.attribute, name) for one in states if one.learned for name in one.known_by
    }
    for entity in entities:
        for state in entity.states:
            if state.chapter >= chapter or not (state.known_by or state.hidden):
                continue
            line = _first(lines, names, state)
            who = _knower(line, names) if line else None
            if line is None or who is None or who == entity.name:
                continue
            if not _knows(who, state, chapter) and (*_key(state), who) not in learned:
                yield _conflict(entity.name, who, chapter, line, state)


def _key(state: EntityState) -> tuple[str, str]:
    return state.entity, state.attribute


def _conflict(name: str, who: str, chapter: int, line: Sentence, state: EntityState) -> Conflict:
    later = [one.since_chapter for one in state.known_by if one.name == who]
    when = f"only since chapter {min(later)}" if later else "not at all"
    return Conflict(
        kind=ConflictKind.KNOWS_TOO_EARLY,
        about=name,
        chapter=chapter,
        passage=line.said,
        known_chapter=state.chapter,
        known_passage=state.quote or f"{name}: {state.attribute}: {state.value}",
        why=f"{who} knows of it {when}",
    )


def _knows(who: str, state: EntityState, chapter: int) -> bool:
    return any(one.name == who and one.since_chapter <= chapter for one in state.known_by)


def _first(lines: Sequence[Sentence], names: Names, state: EntityState) -> Sentence | None:
    """The first sentence that says what a secret says of whom it is about."""
    wanted = [word for word in _words(state.value) if word not in _SMALL]
    if not wanted:
        return None
    mark = re.compile(names.mark_of(state.entity))
    for line in lines:
        if mark.search(line.marked):
            said = _words(line.said)
            if all(any(_same(word, other) for other in said) for word in wanted):
                return line
    return None


def _knower(line: Sentence, names: Names) -> str | None:
    """Who says or knows it in a sentence, if it is stated and not asked or supposed."""
    if "?" in line.said or UNSURE.search(line.said) or ELSEWHERE.search(line.before):
        return None
    knows = _KNOWS.search(line.told)
    if knows:
        return names.name_of(knows["who"])
    speaker = _SPEAKER.search(line.told) if SPOKEN in line.told else None
    if speaker:
        return names.name_of(speaker["behind"] or speaker["before"])
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _same(word: str, other: str) -> bool:
    stem = word[: max(_STEM, len(word) - _ENDING)]
    return word == other or (len(word) >= _STEM and other.startswith(stem))
