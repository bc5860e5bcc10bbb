"""Likes, dislikes, favourites and lasting wishes for the answers.

For: "I love jazz", "can't stand beaches", "I'm really into pottery", "not a fan of musicals", "my
favourite colour is ochre", "X is my favourite band", "favourite animal? the otter", "in future
always …".
Not for: "I'd like", "I love it", "I love your answer", irony, politeness.
"""

import re
from collections.abc import Iterator
from typing import Final

from backstory.core.model.fact import USER
from backstory.reading.rules.favourites import NO_OBJECT, Words, favourite, says_nothing
from backstory.reading.rules.grammar import LEMMAS, Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.values import DETERMINERS, bare, phrase_at

_HATING: Final = word_set("hate loathe dislike detest despise")
_INNER: Final = word_set("of in with on at")
_PAIRS: Final = frozenset(
    {
        ("drum", "bass"), ("rock", "roll"), ("fish", "chips"), ("mac", "cheese"), ("r", "b"),
        ("salt", "vinegar"), ("gin", "tonic"), ("arts", "crafts"), ("butter", "jelly"),
        ("bread", "butter"), ("sweet", "sour"), ("track", "field"), ("dungeons", "dragons"),
        ("country", "western"), ("bed", "breakfast"),
    }
)  # fmt: skip
_FIXED: Final = frozenset(first for first, _ in _PAIRS)


_PERCEIVING: Final = word_set("see hear be know have think say get do")


def objects(scene: Scene, words: Words) -> Iterator[str]:
    """The things that a liking or disliking is about, as values."""
    if not words or words[0].low in NO_OBJECT:
        end, begin = _odd_object(words)
        if end > begin:
            yield scene.span(words[begin:end])
        return
    joined = _pair(words)
    if joined:
        yield scene.span(words[:joined])
        return
    at = 0
    while at < len(words):
        at = _past_joints(words, at)
        end = _object_end(words, at)
        if at and at < len(words) and _goes_on(scene, words[at].low):
            return
        item = _trimmed(_plain(words[at:end])) if end > at else ()
        if not item:
            return
        if not says_nothing(item):
            yield scene.span(item)
        gerund = words[at].low.endswith("ing")
        at = end
        if at < len(words) and words[at].low not in _LISTING:
            return
        if gerund and not _is_gerund_next(words, at):
            return


def _goes_on(scene: Scene, low: str) -> bool:
    """Whether a word says what else another person does: "my sister likes tea and works …"."""
    return scene.subject != USER and low.endswith("s") and LEMMAS.get(low, low) != low


def _past_joints(words: Words, at: int) -> int:
    while at < len(words) and words[at].low in _LISTING:
        at += 1
    return at


def _odd_object(words: Words) -> tuple[int, int]:
    """The end and the beginning of "anything with X", "to VERB X"; twice 0 if it is neither."""
    if len(words) < 2:
        return 0, 0
    first, second = words[0].low, words[1].low
    if first in {"anything", "everything"} and second in {"with", "pickled", "spicy", "fried"}:
        return phrase_at(words, 0, inner=frozenset({"with"})), 0
    if first == "to" and second not in _PERCEIVING:
        return phrase_at(words, 1, inner=frozenset({"in", "on", "with"}), most=4), 1
    return 0, 0


_LISTING: Final = word_set("and or plus , also both especially")
_GERUND_ENDS: Final = word_set(
    """
    and or but because so when since while if as who which what how where i we though lately too
    btw lol
    """
)
_GENERAL: Final = word_set(
    """
    sea rain ocean mountains beach outdoors cold heat snow sun countryside sound smell taste feel
    feeling winter summer autumn spring forest woods desert night dark theatre theater cinema opera
    ballet piano guitar violin cello drums violin gym city country water
    """
)


def _is_gerund_next(words: Words, at: int) -> bool:
    """Whether a list of "-ing" forms goes on with another one, not with a part of the last."""
    at = _past_joints(words, at)
    return at < len(words) and words[at].low.endswith("ing")


def _object_end(words: Words, at: int) -> int:
    """Where one thing of a list ends; an "-ing" form takes along what belongs to it."""
    if at < len(words) and words[at].low.endswith("ing") and len(words[at].low) > 4:
        end = at + 1
        while end < len(words) and not words[end].is_sign and words[end].low not in _GERUND_ENDS:
            end += 1
        return end
    return phrase_at(words, at, inner=_INNER)


def _plain(item: Words) -> Words:
    """Without determiners; nothing of a phrase with "the" that points at something at hand."""
    if item[0].low == "the" and len(item) > 1:
        known = item[1].is_capital or item[1].low in _GENERAL
        return bare(item) if known else ()
    return bare(item)


_DEGREE_WORDS: Final = word_set(
    """
    lots lot much most more best either instead even especially bit all ever dearly deeply loads
    any anymore longer
    """
)


def _trimmed(item: Words) -> Words:
    while item and item[-1].low in _DEGREE_WORDS:
        item = item[:-1]
    while item and item[-1].low in {"a", "the", "so"}:
        item = item[:-1]
    return item


def _pair(words: Words) -> int:
    for at in range(len(words) - 2):
        joint = words[at].low in _FIXED and words[at + 1].low in {"and", "n"}
        if joint and (words[at].low, words[at + 2].low) in _PAIRS:
            return at + 3
        if words[at].is_sign or at > 2:
            break
    return 0


def like(scene: Scene, said: Predicate) -> None:
    """Read "I love X and Y", "I enjoy X"."""
    if said.form not in {"love", "like", "adore", "enjoy", "loved"} or "will" in said.auxiliaries:
        return
    if said.form == "loved" and not said.is_perfect:
        return
    _note(scene, "preference.like", said.rest)


def prefer(scene: Scene, said: Predicate) -> None:
    """Read "I prefer X to Y"."""
    if said.form == "prefer" and said.rest:
        lows = [word.low for word in said.rest]
        if {"over", "to", "than"} & {*lows[1:]} and lows[0] not in NO_OBJECT:
            end = phrase_at(said.rest, 0, most=4)
            if end:
                scene.claim("preference.like", scene.span(bare(said.rest[:end])))


def hate(scene: Scene, said: Predicate) -> None:
    """Read "I hate X"."""
    if said.form in _HATING and not said.auxiliaries:
        _note(scene, "preference.dislike", said.rest)


def stand(scene: Scene, said: Predicate) -> None:
    """Read "I can't stand X", "don't like X": what is denied."""
    denied_modal = {"can", "could"} & {*said.auxiliaries}
    if (said.verb == "stand" and denied_modal) or (
        said.verb == "like"
        and "do" in said.auxiliaries
        and not any(word.low in {"anymore", "longer"} for word in said.rest)
    ):
        _note(scene, "preference.dislike", said.rest)
    elif said.verb == "be":
        _leaning(scene, said.rest, "preference.dislike")


def be(scene: Scene, said: Predicate) -> None:
    """Read "I'm into X", "I'm a big fan of X", "I'm fond of X"."""
    _leaning(scene, said.rest, "preference.like")


_INTENSIFIERS: Final = word_set(
    """
    a big huge much great the biggest of really very so too massive particularly totally super
    quite
    """
)


_FEARING: Final = word_set("afraid scared terrified frightened petrified")


def fear(scene: Scene, said: Predicate) -> None:
    """Read "I'm scared of spiders": several things, or heights and the like."""
    lows = [word.low for word in said.rest]
    at = 1 if lows[:1] == ["absolutely"] or lows[:1] == ["really"] else 0
    if lows[at : at + 1] and lows[at] in _FEARING and lows[at + 1 : at + 2] == ["of"]:
        end = phrase_at(said.rest, at + 2, most=3)
        item = said.rest[at + 2 : end]
        if (
            item
            and item[0].low not in DETERMINERS
            and (item[-1].low.endswith("s") or item[-1].low in {"flying", "water", "thunder"})
        ):
            scene.claim("preference.dislike", scene.span(item))


def _leaning(scene: Scene, words: Words, key: str) -> None:
    lows = [word.low for word in words]
    at = 0
    while at < len(lows) and lows[at] in _INTENSIFIERS:
        at += 1
    pair = lows[at : at + 2]
    if pair in (
        ["fan", "of"],
        ["keen", "on"],
        ["fond", "of"],
        ["lover", "of"],
        ["partial", "to"],
    ) or pair in (
        ["crazy", "about"],
        ["mad", "about"],
        ["obsessed", "with"],
        ["passionate", "about"],
    ):
        at += 2
    elif lows[at : at + 1] == ["into"]:
        at += 1
    else:
        return
    _note(scene, key, words[at:])


_BEFORE_LIKED: Final = word_set("really both also absolutely just a lots bit")


def _note(scene: Scene, key: str, words: Words) -> None:
    start = 0
    while (
        start < len(words) - 1
        and words[start].low in _BEFORE_LIKED
        and words[start + 1].low != "of"
    ):
        start += 1
    words = words[start:]
    if words and words[0].low in {"it", "them"} and (len(words) == 1 or words[1].is_sign):
        value = _earlier(scene)
        if value:
            scene.claim(key, value, confidence=0.7)
        return
    if words and words[0].low in DETERMINERS - {"a", "an", "the"}:
        return
    for value in objects(scene, words):
        scene.claim(key, value)


def _earlier(scene: Scene) -> str:
    """What "them" stands for: the comparison at the end of the clause before."""
    if scene.at == 0:
        return ""
    words = scene.clauses[scene.at - 1].words
    index = next((i for i, word in enumerate(words) if word.low == "like"), None)
    if index is None or index + 1 >= len(words):
        return ""
    end = phrase_at(words, index + 1)
    return scene.span(bare(words[index + 1 : end])) if end == len(words) else ""


_BEFORE_DENIAL: Final = word_set("also honestly sorry btw , am really so but i")


def bare_denial(scene: Scene) -> None:
    """Read "Not a fan of X", "not keen on X": no subject, no verb."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    at = 0
    while at < len(words) - 1 and words[at].low in _BEFORE_DENIAL:
        at += 1
    if words[at].low in {"not", "never"} and (scene.clause.first or at):
        _leaning(scene, words[at + 1 :], "preference.dislike")


def object_first(scene: Scene) -> None:
    """Read "Canoeing I do love though"."""
    if scene.mood is not Mood.STATED or not scene.clause.words[0].is_capital:
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    if "i" not in lows[1:4]:
        return
    at = lows.index("i")
    rest = [
        low for low in lows[at + 1 :] if low not in {"do", "absolutely", "really", "though", "too"}
    ]
    if {"'s", "why", "is", "what", "how", "that"} & {*lows[:at]}:
        return
    if (
        at
        and rest in (["love"], ["like"], ["adore"], ["hate"], ["enjoy"])
        and phrase_at(words, 0) == at
    ):
        key = "preference.dislike" if rest == ["hate"] else "preference.like"
        scene.claim(key, scene.span(words[:at]))


_LASTING: Final = re.compile(
    r"^(?:please |pls )?(?:(?:in (?:the )?future|from now on|going forward"
    r"|for all (?:future )?answers)\b.*"
    r"|always (?:answer|reply|write|use|give me|keep|explain|call|include|respond|format)\b.*"
    r"|never (?:answer|reply|use|write|give me|include)\b.*)"
)

_ROLE: Final = re.compile(
    r"\b(?:you are|you 're|your name|your persona|act|behave|pretend|call yourself|play|be a"
    r"|you be)\b"
)
"""A part that the assistant is to play is no wish for its answers."""


def lasting(scene: Scene) -> None:
    """Read a wish for all answers to come: "in future always …", "from now on …"."""
    if scene.mood is not Mood.STATED or not scene.clause.first:
        return
    low = scene.clause.low()
    if (
        "from on" not in low
        and _LASTING.match(low)
        and len(scene.clause.words) < 25
        and " i " not in f" {low} "
        and _ROLE.search(low) is None
    ):
        scene.claim("preference.answer_style", scene.quote(), confidence=0.8)


VERBS = {
    "prefer": (prefer,),
    "like": (like,),
    "love": (like,),
    "adore": (like,),
    "enjoy": (like,),
    "hate": (hate,),
    "loathe": (hate,),
    "dislike": (hate,),
    "detest": (hate,),
    "despise": (hate,),
    "be": (be, fear),
}
DENIED = {"stand": (stand,), "like": (stand,), "be": (stand,)}
CLAUSES = (
    (word_set("not never"), bare_denial),
    (word_set("i"), object_first),
    (word_set("favourite mine"), favourite),
    (word_set("always never future now forward all"), lasting),
)
