"""Children and animals that get a name, and those that come with their people.

For: "the baby's here, we called her Ada", "adopted a dog and named him Bo", "divorced, with a son
called Bo". Not for: "we called her a taxi", "a man with a dog called Bo".
"""

from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.kin import note
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.people import KIN, PETS, singular
from backstory.reading.rules.lexicon.things import JOBS
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.relations import groups
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import names

_BORN: Final = word_set("baby girl boy son daughter twins puppy kitten pup dog cat rabbit hamster")
_GIVING: Final = word_set("called named calling naming")
_THEM: Final = word_set("her him it them")
_BACK: Final = 4
"""Clauses. How far back somebody who gets a name was told of."""


def christened(scene: Scene) -> None:
    """Read "we called her Ada", "and named him Bo" of a child or an animal just told of."""
    words, lows = scene.clause.words, scene.clause.lows
    if scene.mood is not Mood.STATED or "not" in lows:
        return
    at = next((n for n in range(len(lows) - 2) if lows[n] in _GIVING), None)
    if at is None or lows[at + 1] not in _THEM or not {"i", "we", "and"} & {*lows[:at]}:
        return
    told = [c.lows for c in scene.clauses[max(0, scene.at - _BACK) : scene.at + 1]]
    kind = next((low for lows in reversed(told) for low in reversed(lows) if low in _BORN), "")
    if not kind:
        return
    key = KIN.get(singular(kind)) or f"pet.{PETS[kind]}"
    found = list(names(words[at + 2 :]))
    note(scene, key, found if lows[at + 1] == "them" else found[:1])


_WITH: Final = word_set(", single divorced married widowed mum dad mom mother father parent")


def _may_have(word: Word) -> bool:
    """Whether "with two sons" behind this word goes on about the writer."""
    return word.low in _WITH or word.low in JOBS or word.is_capital


def with_kin(scene: Scene, said: Predicate) -> None:
    """Read "I'm divorced, with a son called Bo", "I'm a single mum with two kids"."""
    words = said.rest
    for at in range(1, len(words) - 2):
        if words[at].low == "with" and _may_have(words[at - 1]):
            groups(scene, words[at + 1 :])
            return


VERBS = {"be": (with_kin,)}
CLAUSES = ((_GIVING, christened),)
