"""What the writer drives, uses and owns.

For: "I drive a Panda", "I ride a tandem", "I own a kayak and a loom", "I've got a 2004 estate car",
"I'm on a Chromebook", "bought myself a cargo bike". Not for: rented and borrowed things, dreams,
"I have a question", "I have a meeting".
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.things import (
    BIKES,
    CAR_MAKES,
    CAR_NOUNS,
    COMPUTERS,
    PHONES,
    THINGS,
    WORK_VEHICLES,
)
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import bare, items, phrase_at

Words = Sequence[Word]
_LENT: Final = word_set("rental rented borrowed loan hire hired loaner courtesy friend's")
_ARTICLES: Final = word_set("a an the two three four my our this that")


def kind_of(item: Words) -> str | None:
    """The slot of a thing, or None if it is nothing that one owns."""
    lows = [word.low for word in item]
    head = lows[-1]
    if {*lows} & _LENT:
        return None
    if {*lows} & CAR_MAKES or head in CAR_NOUNS:
        return "possession.car"
    if head in BIKES or (len(lows) <= 3 and {*lows} & BIKES):
        return "possession.bike"
    return _device_or_thing(lows)


def _device_or_thing(lows: list[str]) -> str | None:
    if {*lows} & PHONES:
        return "possession.phone"
    if {*lows} & COMPUTERS:
        return "possession.computer"
    return "possession.thing" if lows[-1] in THINGS or lows[0] in THINGS else None


def drive(scene: Scene, said: Predicate) -> None:
    """Read "I drive a X", "I ride a X"."""
    words = said.rest
    if said.form not in {"drive", "ride"} or not words or {"can", "will"} & {*said.auxiliaries}:
        return
    end = phrase_at(words, 0, most=5)
    item = bare(words[:end])
    if not item or {word.low for word in item} & (_LENT | WORK_VEHICLES):
        return
    if words[0].low in {"a", "an", "my", "our"} or item[0].is_capital:
        if words[0].low in {"my", "our"} and kind_of(item) is None:
            return
        if (
            kind_of(item) is None
            and not any(word.is_capital for word in item)
            and said.form == "ride"
        ):
            return
        key = "possession.car" if said.form == "drive" else "possession.bike"
        if item[-1].low in {"horse", "horses", "pony"}:
            return
        scene.claim(key, scene.span(item), changed="now" in said.adverbs or _now(words, end))


def _now(words: Words, at: int) -> bool:
    return any(word.low == "now" for word in words[at : at + 3])


def own(scene: Scene, said: Predicate) -> None:
    """Read "I own X and Y", "I've owned X since …"."""
    if said.form == "own" or (said.form == "owned" and said.is_perfect):
        for item in _owned_items(said.rest):
            scene.claim(kind_of(item) or "possession.thing", scene.span(item))


def _owned_items(words: Words) -> list[Words]:
    first = words[0].low if words else ""
    if first not in _ARTICLES and not (words and words[0].is_capital):
        return []
    found = []
    for item in items(words, inner=frozenset({"of"})):
        if item[0].low in {"it", "them", "nothing", "business"}:
            break
        found.append(item)
    return found


_BEFORE_THING: Final = word_set("a an two three four the")


def have(scene: Scene, said: Predicate) -> None:
    """Read "I have a 2004 estate", "I've a kayak", "I've got a X": only known kinds."""
    if said.form not in {"have", "got", "had", "'ve"} or said.form == "had":
        return
    lows = [word.low for word in said.rest[:6]]
    if lows[:2] == ["the", "same"] and "," in lows[2:5]:
        at = lows.index(",") + 1
        if (
            lows[at : at + 1] in (["a"], ["an"])
            and said.rest[at + 1 : at + 2]
            and said.rest[at + 1].is_capital
        ):
            end = phrase_at(said.rest, at)
            scene.claim("possession.thing", scene.span(said.rest[at + 1 : end]))
        return
    if not said.rest or said.rest[0].low not in _BEFORE_THING:
        return
    for item in islice(items(said.rest, inner=frozenset({"of"})), 7):
        key = kind_of(item)
        if key is not None and len(item) <= 6:
            scene.claim(key, scene.span(item))


def be(scene: Scene, said: Predicate) -> None:
    """Read "I'm on a Chromebook"."""
    words = said.rest
    if len(words) > 2 and words[0].low == "on" and words[1].low in {"a", "an", "my"}:
        end = phrase_at(words, 1, most=4)
        item = bare(words[1:end])
        key = kind_of(item) if item else None
        if key in {"possession.computer", "possession.phone"}:
            scene.claim(key, scene.span(item))


def use(scene: Scene, said: Predicate) -> None:
    """Read "I use a MacBook for work"."""
    if (
        said.form in {"use", "using"}
        and said.rest
        and said.rest[0].low in {"a", "an"}
        and "was" not in said.auxiliaries
    ):
        end = phrase_at(said.rest, 0, most=5)
        item = bare(said.rest[:end])
        key = kind_of(item) if item else None
        if key in {"possession.computer", "possession.phone"}:
            scene.claim(key, scene.span(item))


def buy(scene: Scene, said: Predicate) -> None:
    """Read "bought myself a cargo bike", "I bought a kayak"."""
    words = said.rest
    if said.form not in {"bought", "got"} or (said.form == "got" and "just" not in said.adverbs):
        return
    at = 1 if words and words[0].low in {"myself", "ourselves"} else 0
    if at < len(words) and words[at].low in {"a", "an", "the"}:
        end = phrase_at(words, at, most=5)
        item = bare(words[at:end])
        key = kind_of(item) if item else None
        if key is not None:
            scene.claim("possession.thing" if key == "possession.bike" else key, scene.span(item))


def named_make(scene: Scene) -> None:
    """Read "my Fiesta failed its test", "my vespa": "my" and a make."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    for at, word in enumerate(words[:-1]):
        if word.low == "my" and words[at + 1].low in CAR_MAKES and words[at + 1].is_capital:
            if (
                at + 2 < len(words)
                and words[at + 2].low == "'s"
                and at + 3 < len(words)
                and words[at + 3].low in {"dad", "owner"}
            ):
                continue
            end = at + 2
            while end < len(words) and words[end].is_capital:
                end += 1
            scene.claim("possession.car", scene.span(words[at + 1 : end]), confidence=0.8)


VERBS = {
    "use": (use,),
    "drive": (drive,), "ride": (drive,), "own": (own,), "have": (have,), "be": (be,),
    "buy": (buy,), "get": (buy,),
}  # fmt: skip
CLAUSES = ((word_set("my"), named_make),)
