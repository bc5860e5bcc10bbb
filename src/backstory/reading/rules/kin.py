"""Persons and animals in a phrase, and the names that follow them.

For: "sister Oda", "twins, Bo and Ada", "cat is called Pip". Not for: "sister's friend Bo".
"""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.identity import NO_NAME
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.people import (
    ADJECTIVES,
    KIN,
    NUMBERS,
    PETS,
    is_plural,
    singular,
)
from backstory.reading.rules.lexicon.peoples import STAR_SIGNS
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import names

Words = Sequence[Word]

SAID: Final = word_set("called named")

_FILLING: Final = word_set("also officially actually now just really still been")


_NOUN_ENDS: Final = word_set("is 's and called to in with s that")


def noun_at(words: Words, at: int) -> tuple[str, int, bool] | None:
    """The person or animal that a phrase without its determiner names.

    Returns:
        Its slot, the end of the phrase, and whether it is several; None if it is neither.
    """
    start = at
    while at < len(words) and at - start < 4 and words[at].low in ADJECTIVES | NUMBERS.keys():
        if words[at].low in KIN | PETS and not _noun_follows(words, at + 1):
            break
        at += 1
    if at >= len(words):
        return None
    low = words[at].low
    person = singular(low)
    if person in KIN:
        end = at + 1
        if end < len(words) and words[end].low in PETS and low in {"baby", "boy", "girl"}:
            return f"pet.{PETS[words[end].low]}", end + 1, is_plural(words[end].low)
        return KIN[person], end, is_plural(low)
    return _animal_at(words, at)


def _animal_at(words: Words, at: int) -> tuple[str, int, bool] | None:
    """The animal of a phrase of up to three words: "guinea pigs", "old mountain dog"."""
    for index in range(at, min(at + 3, len(words))):
        low = words[index].low
        pair = f"{low}-{words[index + 1].low}" if index + 1 < len(words) else ""
        for noun, end in ((pair, index + 2), (low, index + 1)):
            if noun in PETS:
                return f"pet.{PETS[noun].replace(' ', '_')}", end, is_plural(noun)
        if words[index].is_sign or low in _NOUN_ENDS:
            break
    return None


def _noun_follows(words: Words, at: int) -> bool:
    return at < len(words) and (singular(words[at].low) in KIN or words[at].low in PETS)


_NAMING: Final = word_set("is 's are names name was")


def name_group(scene: Scene, words: Words, at: int, key: str, *, several: bool) -> bool:
    """Note the names that follow the word for a person or animal; whether there are any."""
    lows = [word.low for word in words]
    while at + 1 < len(words) and lows[at] in {"btw", "actually", "lol"} and lows[at + 1] == ",":
        at += 1
    if lows[at : at + 2] == ["of", "mine"]:
        at += 2
    found = _names_begin(scene, lows, at)
    if found is None:
        return False
    begin, told = found
    if not told and at != begin and lows[at] in _NAMING and words[begin].low in NO_NAME:
        return False
    called = list(names(words[begin:], told=told))
    called = called[: None if several else 1]
    direct = at == begin or len(called) > 1
    called = [name for name in called if fits(name, told=told or (direct and _is_sign(name)))]
    if not called or (lows[at] == "," and not _closes(words, begin, called, several=several)):
        return False
    note(scene, key, called)
    return True


def _names_begin(scene: Scene, lows: list[str], at: int) -> tuple[int, bool] | None:
    """Where the names may begin, and whether the words before say that names follow."""
    if at >= len(lows):
        return None
    found: tuple[int, bool] | None = (at, False)
    if lows[at] in {",", ":", "(", "="}:
        told = lows[at + 1 : at + 2] != [] and lows[at + 1] in SAID
        found = (at + 1 + told, told)
    elif lows[at] in SAID:
        asks = scene.mood is Mood.QUESTION and lows[0] in {"is", "was", "are"}
        found = None if asks else (at + 1, True)
    elif lows[at] in _NAMING:
        found = None if scene.mood is Mood.QUESTION else _behind_is(lows, at)
    return found if found is not None and found[0] < len(lows) else None


def _behind_is(lows: list[str], at: int) -> tuple[int, bool] | None:
    """Where the name begins in "is (called) X", "'s name is X", "names are X and Y"."""
    told = False
    while at < len(lows) and (
        lows[at] in {"is", "'s", "are", "name", "names"} or lows[at] in _FILLING | SAID
    ):
        told = told or lows[at] in SAID | {"name", "names"}
        at += 1
    if at >= len(lows) or lows[at] in {"not", "never"}:
        return None
    return at, told


def _is_sign(name: Words) -> bool:
    """Whether a name is also that of a star sign: "my son Leo"."""
    return name[0].is_capital and name[0].low in STAR_SIGNS


def fits(name: Words, *, told: bool) -> bool:
    """Whether words can be a name of a person or an animal."""
    return told or (name[0].low not in KIN and (name[0].low not in NO_NAME or len(name) > 1))


def _closes(words: Words, begin: int, found: list[Words], *, several: bool) -> bool:
    """Whether an apposition after a comma ends as one: "my son, Bo, is", "my daughter, Ada"."""
    last = found[-1][-1]
    index = next(i for i in range(begin, len(words)) if words[i] is last)
    after = words[index + 1].low if index + 1 < len(words) else ","
    if several and len(found) > 1:
        return True
    return after in {",", "\u00b7", ")", ".", "("} or (after == "and" and not several)


def note(scene: Scene, key: str, found: list[Words]) -> None:
    """Note names in a slot."""
    for name in found:
        scene.claim(key, scene.span(name))
    scene.topic = None
