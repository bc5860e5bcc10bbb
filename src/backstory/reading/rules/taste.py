"""Likes, dislikes, favourites and lasting wishes for the answers.

For: "I love jazz", "can't stand beaches", "I'm really into pottery", "not a fan of musicals", "my
favourite colour is ochre", "X is my favourite band", "favourite animal? the otter", "in future always …".
Not for: "I'd like", "I love it", "I love your answer", irony, politeness.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import DETERMINERS, bare, phrase_at

Words = Sequence[Word]
_LIKING: Final = word_set("love like adore enjoy")
_HATING: Final = word_set("hate loathe dislike detest despise")
_NO_OBJECT: Final = word_set(
    """
    it them him her you this that these those me us myself yourself how what when where why who
    if everything nothing something anything everyone everybody people to being having getting
    doing seeing hearing knowing your his their its she he they i we there one ones both all
    some any most mine yours more less much another other same idea ideas sound look way fact
    part version option suggestion answer recipe plan first second last thing things stuff
    """
)
_INNER: Final = word_set("of in with on at")
_PAIRS: Final = frozenset(
    {("drum", "bass"), ("rock", "roll"), ("fish", "chips"), ("mac", "cheese"), ("r", "b"), ("salt", "vinegar"),
     ("gin", "tonic"), ("arts", "crafts"), ("peanut butter", "jelly"), ("bread", "butter"), ("sweet", "sour"),
     ("track", "field"), ("dungeons", "dragons"), ("country", "western"), ("bed", "breakfast")}
)  # fmt: skip
_FIXED: Final = frozenset(first.split()[-1] for first, _ in _PAIRS)


_OBJECTS_1: Final = word_set("one ones idea version option suggestion answer way")
_OBJECTS_2: Final = word_set("see hear be know have think say get do")


def objects(scene: Scene, words: Words) -> Iterator[str]:
    """The things that a liking or disliking is about, as values."""
    if not words or words[0].low in _NO_OBJECT:
        if (
            len(words) > 1
            and words[0].low in {"anything", "everything"}
            and words[1].low in {"with", "pickled", "spicy", "fried"}
        ):
            end = phrase_at(words, 0, inner=frozenset({"with"}))
            yield scene.span(words[:end])
        elif len(words) > 1 and words[0].low == "to" and words[1].low not in _OBJECTS_2:
            end = phrase_at(words, 1, inner=frozenset({"in", "on", "with"}), most=4)
            if end > 1:
                yield scene.span(words[1:end])
        return
    joined = _pair(words)
    if joined:
        yield scene.span(words[:joined])
        return
    at = 0
    while at < len(words):
        while at < len(words) and words[at].low in _LISTING:
            at += 1
        end = _object_end(words, at)
        if end == at:
            return
        item = _trimmed(_plain(words[at:end]))
        if not item:
            return
        if item and not _says_nothing(item):
            yield scene.span(item)
        gerund = words[at].low.endswith("ing")
        at = end
        if at < len(words) and words[at].low not in _LISTING:
            return
        if gerund and not _is_gerund_next(words, at):
            return


_LISTING: Final = word_set("and or plus , also both especially")
_GERUND_ENDS: Final = word_set(
    "and or but because so when since while if as who which what how where i we though lately too btw lol"
)
_GENERAL: Final = word_set(
    """
    sea rain ocean mountains beach outdoors cold heat snow sun countryside sound smell taste feel
    feeling winter summer autumn spring forest woods desert night dark theatre theater cinema opera
    ballet piano guitar violin cello drums violin gym city country water
    """
)
_EMPTY: Final = word_set("it them this that these those your you what how there him her")


def _is_gerund_next(words: Words, at: int) -> bool:
    """Whether a list of "-ing" forms goes on with another one, not with a part of the last."""
    while at < len(words) and words[at].low in _LISTING:
        at += 1
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


def _says_nothing(item: Words) -> bool:
    lows = [word.low for word in item]
    if lows[0] in _NO_OBJECT and lows[0] not in {"anything", "being"} and len(lows) == 1:
        return True
    if lows[0] in _NO_OBJECT - _MAY_LEAD or lows[-1] in _OBJECTS_1 or len(lows) > 8:
        return True
    return bool({*lows} & _EMPTY)


_MAY_LEAD: Final = word_set("anything being having getting doing seeing hearing")


_TRIMMED_1: Final = word_set(
    """
    lots lot much most more best either instead even especially bit all ever dearly deeply loads
    """
)


def _trimmed(item: Words) -> Words:
    while item and item[-1].low in _TRIMMED_1:
        item = item[:-1]
    while item and item[-1].low in {"a", "the", "so"}:
        item = item[:-1]
    return item


def _pair(words: Words) -> int:
    for at in range(len(words) - 2):
        if words[at].low in _FIXED and words[at + 1].low in {"and", "n", "&", "'n'"}:
            if any(words[at].low == a.split()[-1] and words[at + 2].low == b for a, b in _PAIRS):
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
        if {"over", "to", "than"} & {*lows[1:]} and lows[0] not in _NO_OBJECT:
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


_LEANING_1: Final = word_set(
    """
    a big huge much great the biggest of really very so too massive particularly totally super
    quite
    """
)


def _leaning(scene: Scene, words: Words, key: str) -> None:
    lows = [word.low for word in words]
    at = 0
    while at < len(lows) and lows[at] in _LEANING_1:
        at += 1
    pair = lows[at : at + 2]
    if pair in (["fan", "of"], ["keen", "on"], ["fond", "of"], ["lover", "of"], ["partial", "to"]):
        at += 2
    elif pair in (
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


_NOTE_1: Final = word_set("really both also absolutely just a lots bit")


def _note(scene: Scene, key: str, words: Words) -> None:
    start = 0
    while (
        start < len(words) - 1
        and words[start].low in _NOTE_1
        and words[start + 1].low not in {"of"}
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


_BARE_DENIAL_1: Final = word_set("also honestly sorry btw , am really so but i")


def bare_denial(scene: Scene) -> None:
    """Read "Not a fan of X", "not keen on X": no subject, no verb."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    at = 0
    while at < len(words) - 1 and words[at].low in _BARE_DENIAL_1:
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


_FAVOURITES: Final = re.compile(r"\bfavourite\b")
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
    if owner not in {"my", "our", ""} and not (at and words[at - 1].is_sign):
        if owner not in {"'s", "is", "and", "also"} or at > 3:
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


_ANSWER_1: Final = word_set("of all time right now these days in the world")
_ANSWER_2: Final = word_set("is 's are : has =")
_ANSWER_3: Final = word_set(
    """
    got to be been is now definitely probably still currently always easily really also
    """
)
_ANSWER_4: Final = word_set("not used when that how if")
_ANSWER_5: Final = word_set("of in above at on by from with and to over under the")


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
    while at < len(words) and lows[at] in _ANSWER_1 and "is" in lows[at:] + ["'s"]:
        at += 1
    if at >= len(words) or lows[at] not in _ANSWER_2:
        return False
    at += 1
    while at < len(words) and lows[at] in _ANSWER_3:
        at += 1
    if at >= len(words) or lows[at] in _ANSWER_4:
        return at < len(words)
    end = phrase_at(
        words,
        at,
        inner=_ANSWER_5,
        most=8,
    )
    if end > at and lows[at] not in {"this", "that", "these", "those"}:
        _favour(scene, sort, bare(words[at:end]))
    return True


def _favour(scene: Scene, sort: str, value: Words) -> None:
    if value and value[0].low not in _NO_OBJECT and not _says_nothing(value):
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
        or lows[start] in _NO_OBJECT
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
    if not earlier and scene.batch.before:
        earlier = scene.batch.before[-1].text.lower().replace("favorite", "favourite")
    found = re.search(r"favourite (\w+)", earlier)
    if found is not None and len(words) > 2:
        end = phrase_at(words, 2, inner=frozenset({"of"}))
        if end > 2:
            _favour(scene, found.group(1), bare(words[2:end]))


_LASTING: Final = re.compile(
    r"^(?:please |pls )?(?:(?:in (?:the )?future|from now on|going forward|for all (?:future )?answers)\b.*"
    r"|always (?:answer|reply|write|use|give me|keep|explain|call|include|respond|format)\b.*"
    r"|never (?:answer|reply|use|write|give me|include)\b.*)"
)


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
    ):
        scene.claim("preference.answer_style", scene.quote(), confidence=0.8)


VERBS = {
    "prefer": (prefer,),
    "like": (like,), "love": (like,), "adore": (like,), "enjoy": (like,),
    "hate": (hate,), "loathe": (hate,), "dislike": (hate,), "detest": (hate,),
    "despise": (hate,), "be": (be,),
}  # fmt: skip
DENIED = {"stand": (stand,), "like": (stand,), "be": (stand,)}
CLAUSES = (
    (word_set("not never"), bare_denial),
    (word_set("i"), object_first),
    (word_set("favourite mine"), favourite),
    (word_set("always never future now forward all"), lasting),
)
