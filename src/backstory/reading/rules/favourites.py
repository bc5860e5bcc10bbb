"""Favourites, in any order.

For: "my favourite colour is ochre", "X is my favourite band", "favourite animal? the otter". Not
for:
"my favourite is this one".
"""

import re
from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import bare, phrase_at

Words = Sequence[Word]

NO_OBJECT: Final = word_set(
    """
    it them him her you this that these those me us myself yourself how what when where why who
    if everything nothing something anything everyone everybody people to being having getting
    doing seeing hearing knowing your his their its she he they i we there one ones both all
    some any most mine yours more less much another other same idea ideas sound look way fact
    part version option suggestion answer recipe plan first second last thing things stuff
    """
)

_VAGUE_NOUNS: Final = word_set("one ones idea version option suggestion answer way")

_EMPTY: Final = word_set("it them this that these those your you what how there him her")


def says_nothing(item: Words) -> bool:
    """Whether a phrase points at something else, or is no thing that one likes."""
    lows = [word.low for word in item]
    if lows[0] in NO_OBJECT and lows[0] not in {"anything", "being"} and len(lows) == 1:
        return True
    if lows[0] in NO_OBJECT - _MAY_LEAD or lows[-1] in _VAGUE_NOUNS or len(lows) > 8:
        return True
    return bool({*lows} & _EMPTY)


_MAY_LEAD: Final = word_set("anything being having getting doing seeing hearing")

_NO_SORT: Final = word_set("is 's are by so right now , of has \u00b7 these used will ? :")


def favourite(scene: Scene) -> None:
    """Read "my favourite X is Y", "Y is my favourite X", "favourite X: Y"."""
    words = scene.clause.words
    lows = [word.low for word in words]
    if "favourite" not in lows or scene.mood not in (Mood.STATED, Mood.QUESTION):
        _mine_is(scene, words, lows)
        return
    at = lows.index("favourite")
    owner = lows[at - 1] if at else ""
    if owner in {"all-time", "absolute", "new", "current", "very"}:
        owner = lows[at - 2] if at > 1 else ""
    mine = owner in {"my", "our", ""} or (at and words[at - 1].is_sign)
    if not mine and (owner not in {"'s", "is", "and", "also"} or at > 3):
        return
    sort_end = at + 1
    while (
        sort_end < len(words)
        and sort_end - at < 4
        and lows[sort_end] not in _NO_SORT
        and not words[sort_end].is_sign
    ):
        sort_end += 1
    sort = "_".join(lows[at + 1 : sort_end])
    if not _answer(scene, words, lows, sort_end, sort) and owner in {"my", "our"}:
        _value_first(scene, words, lows, at, sort)


_OF_ALL_TIME: Final = word_set("of all time right now these days in the world")

_EQUALS: Final = word_set("is 's are : has =")

_BEFORE_ANSWER: Final = word_set(
    """
    got to be been is now definitely probably still currently always easily really also
    """
)

_NO_ANSWER: Final = word_set("not used when that how if")

_INNER_WORDS: Final = word_set("of in above at on by from with and to over under the")


def _answer(scene: Scene, words: Words, lows: list[str], at: int, sort: str) -> bool:
    """Read the value behind "is", ":" or a question mark."""
    if scene.clause.sign.startswith("?"):
        nxt = scene.next_clause
        if (
            at >= len(words)
            and nxt is not None
            and scene.clause.first
            and phrase_at(nxt.words) == len(nxt.words)
        ):
            _favour(scene, sort, bare(nxt.words))
            return True
        return False
    while at < len(words) and lows[at] in _OF_ALL_TIME and "is" in [*lows[at:], "'s"]:
        at += 1
    if at >= len(words) or lows[at] not in _EQUALS:
        return False
    at += 1
    while at < len(words) and lows[at] in _BEFORE_ANSWER:
        at += 1
    if at >= len(words) or lows[at] in _NO_ANSWER:
        return at < len(words)
    end = phrase_at(
        words,
        at,
        inner=_INNER_WORDS,
        most=8,
    )
    if end > at and lows[at] not in {"this", "that", "these", "those"}:
        _favour(scene, sort, bare(words[at:end]))
    return True


def _favour(scene: Scene, sort: str, value: Words) -> None:
    if value and value[0].low not in NO_OBJECT and not says_nothing(value):
        if not sort:
            sort = _sort_before(scene)
            if not sort:
                return
        key = f"preference.favourite.{sort}" if sort else "preference.favourite.thing"
        scene.claim(key, scene.span(value), changed=any(w.low == "now" for w in scene.clause.words))


def _sort_before(scene: Scene) -> str:
    """The sort of favourite that the clause before named."""
    earlier = scene.clauses[scene.at - 1].low() if scene.at else ""
    found = re.search(r"favourite (\w+)", earlier)
    return found.group(1) if found is not None else ""


def _value_first(scene: Scene, words: Words, lows: list[str], at: int, sort: str) -> None:
    """Read "Y is my favourite X"."""
    verb = next((i for i in range(at - 1, 0, -1) if lows[i] in {"is", "'s", "are"}), None)
    if verb is None or at - verb > 4 or not sort:
        return
    start = scene.clause.body
    if (
        {"not", "never"} & {*lows[:at]}
        or lows[start] in NO_OBJECT
        or lows[start] in {"my", "what", "which"}
    ):
        return
    end = phrase_at(words, start, inner=frozenset({"of", "and", "in", "the"}))
    if start < end <= verb:
        _favour(scene, sort, bare(words[start:end]))


def _mine_is(scene: Scene, words: Words, lows: list[str]) -> None:
    """Read "mine is the peony", after somebody else's favourite."""
    if (
        scene.mood is not Mood.STATED
        or lows[0] != "mine"
        or lows[1:2] not in (["is"], ["'s"], ["are"])
    ):
        return
    earlier = scene.clauses[scene.at - 1].low() if scene.at else ""
    if not earlier:
        earlier = scene.asked.replace("favorite", "favourite")
    found = re.search(r"favourite (\w+)", earlier)
    if found is not None and len(words) > 2:
        end = phrase_at(words, 2, inner=frozenset({"of"}))
        if end > 2:
            _favour(scene, found.group(1), bare(words[2:end]))
