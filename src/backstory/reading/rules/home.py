"""Where the writer lives and comes from.

For: "I live in Ghent", "we're based in Tallinn these days", "been living out in Tucson", "I reside
in Harrogate", "home for me is …". Not for: where others live, where one would like to live.
"""

from collections.abc import Sequence

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import names, place_at

_SKIPPED = word_set("out up over down back alone together right just still here happily")
_NOT_HERE = word_set(
    """
    fear peace hope pain hell heaven sin denial harmony a an my our your this that his her their
    bed pajamas pyjamas jeans the same constant
    """
)


def live(scene: Scene, said: Predicate) -> None:
    """Read "live in PLACE", "been living in PLACE since …"."""
    words = said.rest
    at = 0
    while at < len(words) and words[at].low in _SKIPPED:
        at += 1
    if at < len(words) and words[at].low == "with":
        at = _behind_company(words, at)
    if at >= len(words) or words[at].low not in {"in", "near", "at", "on", "outside"}:
        return
    changed = "now" in said.adverbs or any(
        w.low in {"since", "now"} for w in (*said.before, *words)
    )
    place(scene, words, at + 1, changed=changed)


def _behind_company(words: Sequence[Word], at: int) -> int:
    """Where "in PLACE" stands behind "with my parents"; the end if it does not."""
    for index in range(at + 1, min(at + 8, len(words) - 1)):
        if words[index].is_sign:
            break
        if words[index].low == "in" and words[index + 1].is_capital:
            return index
    return len(words)


_FEELINGS = word_set("fear peace hope pain hell heaven sin denial harmony")


def place(scene: Scene, words: Sequence[Word], at: int, *, changed: bool = False) -> None:
    """Note the place at ``at``; of "a flat in X" it is X."""
    if at >= len(words):
        return
    if words[at].low in _FEELINGS:
        return
    if words[at].low in _NOT_HERE or words[at].low == "the":
        inner = next(
            (
                i
                for i in range(at, min(at + 8, len(words) - 1))
                if words[i].low in {"in", "near", "of", "at"}
            ),
            None,
        )
        if words[at].low == "the" and at + 1 < len(words) and words[at + 1].is_capital:
            inner = at
        if inner is not None and words[inner + 1].is_capital:
            at = inner + 1
        else:
            return
    end = place_at(words, at)
    if end > at and len(words[at].text) != 1:
        scene.claim("home.place", scene.span(words[at:end]), changed=changed)


def home(scene: Scene) -> None:
    """Read "home for me is a boat in X", "ours is in X"."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    if not (
        lows[:4] == ["home", "for", "me", "is"]
        or lows[:3] in (["ours", "is", "in"], ["home", "is", "in"])
    ):
        return
    at = next((i for i, word in enumerate(words) if word.low == "in"), None)
    if at is not None and at + 1 < len(words) and words[at + 1].is_capital:
        place(scene, words, at + 1)
    elif at is None and len(words) > 4 and words[4].is_capital:
        place(scene, words, 4)


_HOMES = word_set("house flat apartment place room")


def share(scene: Scene, said: Predicate) -> None:
    """Read "sharing a house with A and B", "I live with A"."""
    lows = [word.low for word in said.rest]
    at = lows.index("with") if "with" in lows[:5] else -1
    if at < 0 or (said.verb == "share" and _HOMES.isdisjoint(lows[:at])):
        return
    for name in names(said.rest[at + 1 :]):
        scene.claim("relationship.flatmate", scene.span(name))


def rent(scene: Scene, said: Predicate) -> None:
    """Read "we rent a flat in PLACE": where one rents, one lives, but for holidays."""
    lows = [word.low for word in said.rest]
    at = lows.index("in") if "in" in lows[:5] else -1
    holiday = {"holiday", "airbnb", "weekend", "week", "summer", "cabin", "car"}
    rents = said.form in {"rent", "renting"} and at > 0 and bool(_HOMES & {*lows[:at]})
    if rents and not holiday & {*lows} and at + 1 < len(lows) and said.rest[at + 1].is_capital:
        place(scene, said.rest, at + 1)


VERBS = {
    "rent": (rent,),
    "live": (live, share),
    "share": (share,),
    "reside": (live,),
    "base": (live,),
}


def sharing(scene: Scene) -> None:
    """Read "…, sharing a house with A and B"."""
    lows = scene.clause.lows
    at = lows.index("sharing")
    if scene.mood is not Mood.STATED or "with" not in lows[at : at + 5]:
        return
    if _HOMES.isdisjoint(lows[at : at + 4]):
        return
    for name in names(scene.clause.words[lows.index("with", at) + 1 :]):
        scene.claim("relationship.flatmate", scene.span(name))


CLAUSES = (
    (word_set("sharing"), sharing),
    (word_set("home ours"), home),
)
