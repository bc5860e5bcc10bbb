"""What the writer studies and learns.

For: "I'm studying law at X", "a PhD in soil science", "second year of X", "learning Welsh". Not
for: "learning a lot", "studying hard".
"""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.peoples import LANGUAGES
from backstory.reading.rules.lexicon.things import DONE, INSTRUMENTS, SPORTS
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import bare, name_at, phrase_at, place_at

Words = Sequence[Word]

_DEGREES: Final = word_set(
    """
    degree masters master's master phd doctorate bachelor's bachelor bachelors msc bsc ba ma mba
    diploma course apprenticeship a-levels major minor law-degree
    """
)

_BEFORE_FIELD: Final = word_set("a an the my of doing")

_NO_SCHOOLS: Final = word_set("a an the my university high some")


def degree(scene: Scene, words: Words) -> None:
    """Note the subject of "a part-time masters in X", "a PhD in X", "a chemistry degree"."""
    lows = [word.low for word in words]
    if "year" in lows[:5] and lows[lows.index("year") + 1 : lows.index("year") + 2] in (
        ["of"],
        ["at"],
    ):
        _year_of(scene, words, lows.index("year") + 1)
        return
    at = next((i for i, low in enumerate(lows[:8]) if low in _DEGREES), None)
    if at is None:
        return
    if at + 2 < len(lows) + 1 and lows[at + 1 : at + 2] and lows[at + 1] in {"'s", "degree"}:
        at += 1
    if lows[at + 1 : at + 2] == ["in"]:
        end = phrase_at(words, at + 2, most=4, inner=frozenset({"and"}))
        item = words[at + 2 : end]
        if item:
            scene.claim("study.subject", scene.span(item))
    elif at and lows[at] in {"degree", "major", "course", "phd", "masters"}:
        begin = at - 1
        while begin > 0 and lows[begin - 1] not in _BEFORE_FIELD and not words[begin - 1].is_sign:
            begin -= 1
        item = [
            w
            for w in words[begin:at]
            if w.low not in {"part-time", "full-time", "second", "online"}
        ]
        if item and item[0].low not in _NO_SCHOOLS:
            scene.claim("study.subject", scene.span(item))


_NO_FIELDS: Final = word_set("marriage high my being living life")


def _year_of(scene: Scene, words: Words, at: int) -> None:
    """Note what follows in "second year of X", "final year at X"."""
    lows = [word.low for word in words]
    if words[at].low == "at":
        end = name_at(words, at + 1)
        if end > at + 1:
            scene.claim("study.school", scene.span(words[at + 1 : end]))
        return
    end = phrase_at(words, at + 1, most=5)
    item = bare(words[at + 1 : end])
    if {*lows[at + 1 : end]} & _DEGREES:
        degree(scene, words[at + 1 :])
    elif item and item[0].low not in _NO_FIELDS:
        scene.claim("study.subject", scene.span(item))


def major(scene: Scene, said: Predicate) -> None:
    """Read "majoring in X", "I majored in X"."""
    if said.rest and said.rest[0].low == "in":
        end = phrase_at(said.rest, 1, most=4)
        if end > 1:
            scene.claim("study.subject", scene.span(said.rest[1:end]))


_NOT_STUDIED: Final = word_set("for to at in hard the my this abroad together with a")


def study(scene: Scene, said: Predicate) -> None:
    """Read "I'm studying X at Y", "I study X"."""
    words = said.rest
    if said.form not in {"study", "studying"} or not words:
        return
    if words[0].low in _NOT_STUDIED:
        if words[0].low in {"at", "in"}:
            _school(scene, words)
        return
    for_degree = phrase_at(words, 0, most=5, inner=frozenset({"and"}))
    scene.claim("study.subject", scene.span(words[:for_degree]), changed="now" in said.adverbs)
    _school(scene, words[for_degree:])


def _school(scene: Scene, words: Words) -> None:
    if len(words) > 1 and words[0].low in {"at", "in"}:
        at = 1 + (words[1].low == "the")
        if words[1].low in {"the", "a"}:
            end = phrase_at(words, 1, most=4, inner=frozenset({"in", "of"}))
            if any(word.is_capital for word in words[1:end]):
                scene.claim("study.school", scene.span(bare(words[1:end])))
            return
        end = name_at(words, at) or place_at(words, at)
        if end > at:
            scene.claim("study.school", scene.span(words[at:end]))


_NOT_LEARNT: Final = word_set(
    "a lot how about more new so things something that what from it much live"
)

_UNCLEAR: Final = word_set("it them this that these those myself yourself you your")


def _can_be_learnt(words: Words) -> bool:
    lows = [word.low for word in words]
    if not lows or {*lows} & _UNCLEAR:
        return False
    if lows[0] == "to" or lows[:2] == ["how", "to"] or words[0].is_capital:
        return True
    known = LANGUAGES | INSTRUMENTS | SPORTS | DONE
    return (
        bool({*lows[:4]} & known) or len(words) == 1 or lows[-1] in {"language", "design", "dance"}
    )


_LEARNING: Final = word_set("learning studying teaching")


def _is_tongue(said: Predicate) -> bool:
    """Whether it is "I learn Welsh": a language, and nothing about how or where from."""
    return said.form == "learn" and not said.auxiliaries and said.rest[0].low in LANGUAGES


def learn(scene: Scene, said: Predicate) -> None:
    """Read "I'm learning Welsh", "teaching myself the banjo", "learning to weld"."""
    words = said.rest
    if not words or not (said.form in _LEARNING or _is_tongue(said)):
        return
    if said.form == "teaching":
        if words[0].low != "myself":
            return
        words = words[1:]
    if not _can_be_learnt(words):
        return
    at = 1 if words and words[0].low == "to" else 0
    if [word.low for word in words[:2]] == ["how", "to"]:
        at = 2
    end = phrase_at(words, at, most=4)
    item = bare(words[at:end])
    if not item or item[0].low in _NOT_LEARNT:
        return
    scene.claim("study.learning", scene.span(item))
