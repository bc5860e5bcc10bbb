"""Who the writer is: name, age, birthday, birthplace, origin, nationality, languages, height.

For: "I'm Oda, 41", "my name's Piet Maas", "everybody calls me Dot", "I turned 30 in May", "as a 58
year old", "my birthday is on 2 June", "born and raised in Derby", "I'm half Irish", "i speak
Danish and Farsi", "my mother tongue is Tamil", "I'm a Leo", "I'm 182 cm tall".
Not for: names to be used for one chat, rounded and joking ages ("almost 40", "200 years old").
"""

import re
from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.people import KIN
from backstory.reading.rules.lexicon.peoples import (
    LANGUAGES,
    NATIONALITIES,
    RELIGIONS,
    STAR_SIGNS,
)
from backstory.reading.rules.lexicon.things import DIETS, JOBS
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.personal import (
    MONTHS,
    age_at,
    bear,
    come,
    described,
    height,
    nationality,
    native,
    origin,
    raise_,
    turn,
)
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import name_at

NO_NAME: Final = (
    NATIONALITIES
    | LANGUAGES
    | STAR_SIGNS
    | RELIGIONS
    | DIETS
    | JOBS
    | KIN.keys()
    | frozenset(MONTHS)
    | word_set(
        """
    sorry good fine great here back done sure ok okay happy sad tired bored lost new ready glad
    well single married divorced retired pregnant free busy sick ill late home online curious
    worried afraid confused trying looking going not just also still in on at from the a an so
    very really monday tuesday wednesday thursday friday saturday sunday chief head senior
    junior lead left right vice deputy acting thinking having getting doing making writing
    reading working using being feeling planning hoping considering currently wondering gay
    straight queer trans male female deaf blind autistic thank thanks whatever no yes all team
    product project tall short old young interested allergic able unable about almost nearly
    around hungry tempted stuck excited
    """
    )
)


def names_self(words: Sequence[Word], at: int, *, told: bool) -> int:
    """The end of the writer's own name at ``at``, or ``at`` if what stands there is no name."""
    end = name_at(words, at, told=told)
    if end == at or (words[at].low in NO_NAME and not told):
        return at
    if not told and words[at].text.isupper() and len(words[at].text) > 1:
        return at
    return end


def be(scene: Scene, said: Predicate) -> None:
    """Read what one says to be: "I'm NAME", "I'm 34", "I'm from X", "I'm Danish"."""
    words = said.rest
    if not words or said.subject != "i":
        return
    at = _name(scene, said)
    _age(scene, words, at, said)
    first = words[at].low if at < len(words) else ""
    if first == "from" or (first == "originally" and words[at + 1 : at + 2]):
        origin(scene, words[at + (1 if first == "from" else 2) :])
    if first == "fluent" and words[at + 1 : at + 2] and words[at + 1].low == "in":
        for word in words[at + 2 : at + 8]:
            if word.low in LANGUAGES:
                scene.claim("personal.language", word.text)
    nationality(scene, words[at:])
    native(scene, words[at:])
    described(scene, words[at:])
    height(scene)


_NAME_ENDS: Final = word_set(", . \u00b7 and from ( by btw here again ! but now / aka")


def _name(scene: Scene, said: Predicate) -> int:
    """Read a name right after "I'm"; returns where the words behind it begin."""
    if said.is_perfect or said.form == "been" or said.adverbs - {"also", "actually", "really"}:
        return 0
    words = said.rest
    end = names_self(words, 0, told=False)
    if end == 0:
        return 0
    after = words[end].low if end < len(words) else ""
    if after and after not in _NAME_ENDS:
        return 0
    if after == "by" and words[end + 1 :] and words[end + 1].low != "the":
        return 0
    scene.claim("personal.name", scene.span(words[:end]), changed=after in {"again", "now"})
    return end


def _age(scene: Scene, words: Sequence[Word], at: int, said: Predicate) -> None:
    """Read an age: at the beginning, or after the name and a comma."""
    if {"almost", "nearly", "about"} & said.adverbs:
        return
    while at < len(words) and words[at].low in {",", "and", "a"}:
        at += 1
    age_at(scene, words, at)


def speak(scene: Scene, said: Predicate) -> None:
    """Read "I speak X, Y and a bit of Z"."""
    if said.form != "speak":
        return
    if said.rest and said.rest[0].low in {"no", "neither", "little"}:
        return
    for index, word in enumerate(said.rest):
        if word.low in LANGUAGES or (index == 0 and word.is_capital):
            scene.claim("personal.language", word.text)
        elif word.low in {"to", "about"}:
            break


def call(scene: Scene) -> None:
    """Read "call me X", "everybody calls me X", "I go by X", "X here", "me = X"."""
    if scene.mood not in (Mood.STATED, Mood.QUESTION):
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    for at, low in enumerate(lows):
        if low in {"call", "calls"} and lows[at + 1 : at + 2] == ["me"]:
            _nickname(scene, words, at)
        elif low == "name" and lows[at - 1 : at] == ["my"] and lows[at + 1 : at + 2] == [","]:
            _name_behind(scene, words, at + 2, told=False)
        elif low == "me" and lows[at + 1 : at + 2] == ["="]:
            _name_behind(scene, words, at + 2, told=True)
        elif low == "my" and lows[at + 1 : at + 2] and lows[at + 1] in LANGUAGES:
            _language(scene, words, at + 1)
    if scene.at == 0 or (scene.clause.first and scene.clause.sentence < 2):
        _signs_in(scene, words, lows)


def tongues(scene: Scene) -> None:
    """Read "languages I speak: A, B", "languages: A and B"."""
    lows = scene.clause.lows
    if scene.mood is Mood.STATED and ":" in lows and "languages" in lows[: lows.index(":")]:
        for word in scene.clause.words[lows.index(":") :]:
            if word.low in LANGUAGES:
                scene.claim("personal.language", word.text)


def _name_behind(scene: Scene, words: Sequence[Word], at: int, *, told: bool) -> None:
    end = names_self(words, at, told=told)
    if end > at and (told or end == len(words) or words[end].low in {",", "."}):
        scene.claim("personal.name", scene.span(words[at:end]))


def _language(scene: Scene, words: Sequence[Word], at: int) -> None:
    """Read "my Welsh is ok"."""
    after = [word.low for word in words[at + 1 : at + 3]]
    if after[:1] == ["is"] and after[1:] != ["teacher"]:
        scene.claim("personal.language", words[at].text)


_CALLERS: Final = word_set(
    """
    everybody everyone people friends mates folks they family colleagues lads all guys girls
    kids
    """
)


_BEFORE_CALL: Final = word_set(
    """
    just please pls you can so hi hey hello , everybody friends people mates all my the lads
    they and but btw guys folks family \u00b7 colleagues
    """
)
_NO_NICKNAMES: Final = word_set("back when later if crazy maybe old-fashioned paranoid names your")


def _nickname(scene: Scene, words: Sequence[Word], at: int) -> None:
    lows = [word.low for word in words]
    if lows[at] == "call" and not ({*lows[:at]} <= _BEFORE_CALL):
        return
    if lows[at] == "calls" and not ({*lows[:at]} & {"everyone", "everybody", "family"}):
        return
    if {"for", "today", "chat"} & {*lows[at + 2 :]} and "short" not in lows[at + 2 :]:
        return
    end = names_self(words, at + 2, told=bool(_CALLERS & {*lows[:at]}) or at + 3 == len(words))
    if end > at + 2 and words[at + 2].low not in NO_NAME | _NO_NICKNAMES:
        scene.claim("personal.nickname", scene.span(words[at + 2 : end]))


_GREETINGS: Final = word_set(
    """
    hi hiya hey hello there , morning all good evening \u00b7 afternoon yo heya
    """
)
_SIGNATURE_ENDS: Final = word_set(", \u00b7 . again from ! (")


_NO_SIGN: Final = word_set(
    """
    same congrats congratulations welcome nothing still right up down over back out me never happy
    once
    yet thanks hello that this these come see look get somewhere anywhere everything everyone
    everybody nobody stop wait first life things people here not only
    """
)


def _signs_in(scene: Scene, words: Sequence[Word], lows: list[str]) -> None:
    at = 0
    while at < len(words) and lows[at] in _GREETINGS:
        at += 1
    end = names_self(words, at, told=False)
    greeted = at > 0 or (scene.at > 0 and len(scene.clauses[scene.at - 1].words) < 3)
    if not greeted and lows[end : end + 1] != ["here"]:
        return
    if (
        end > at
        and lows[at] not in _NO_SIGN
        and lows[end : end + 1] in (["here"], ["again"], ["speaking"])
        and end - at <= 3
    ) and (len(lows) == end + 1 or lows[end + 1] in _SIGNATURE_ENDS):
        scene.claim("personal.name", scene.span(words[at:end]))
        if lows[end + 1 : end + 3] == [",", "from"]:
            origin(scene, words[end + 3 :])


_GONE_BY: Final = word_set("car train bus bike foot plane the what")


def go(scene: Scene, said: Predicate) -> None:
    """Read "I go by X now"."""
    words = said.rest
    if said.form in {"go", "going"} and words and words[0].low == "by":
        end = names_self(words, 1, told=True)
        if end > 1 and words[1].low not in _GONE_BY:
            changed = any(word.low == "now" for word in words[end:]) or "now" in said.adverbs
            scene.claim("personal.name", scene.span(words[1:end]), changed=changed)


def called(scene: Scene, said: Predicate) -> None:
    """Read "I am called X", "I'm named X"."""
    if said.form in {"called", "named"} and {"am", "are"} & {*said.auxiliaries}:
        end = names_self(said.rest, 0, told=True)
        if end:
            scene.claim("personal.name", scene.span(said.rest[:end]))


_AS_A: Final = re.compile(
    r"\b(?:as|being) an? (\d\d)[ -](?:years?|yr|yo)[ -]?(?:old)?\b", re.IGNORECASE
)
_AT_AGE: Final = re.compile(r"^(?:at|aged) (\d\d),? i\b", re.IGNORECASE)


def aside(scene: Scene) -> None:
    """Read what is said on the side: "as a 58 year old", "At 52 I …", "being Maltese, I …"."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    low = scene.clause.low()
    found = _AS_A.search(low) or _AT_AGE.match(low)
    if found is not None and scene.clause.lead in {"", "as"}:
        scene.claim("personal.age", found.group(1))
    elif scene.clause.lead == "as" and low.startswith(("a ", "an ")):
        age_at(scene, words, 1, bare=False)
    if low.startswith("being ") and len(words) > 1:
        nationality(scene, words[1:])


VERBS = {
    "be": (be,),
    "turn": (turn,),
    "bear": (bear,),
    "raise": (raise_,),
    "grow": (raise_,),
    "come": (come,),
    "speak": (speak,),
    "go": (go,),
    "call": (called,),
    "name": (called,),
}
CLAUSES = (
    (word_set("languages"), tongues),
    (word_set("call calls = name my here again speaking"), call),
    (word_set("a an at aged being as"), aside),
)
