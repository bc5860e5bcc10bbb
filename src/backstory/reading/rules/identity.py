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
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import name_at, phrase_at, place_at

_MONTHS: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
]
_MONTH: Final = "|".join(_MONTHS)
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
DATE: Final = re.compile(
    rf"\b(?:(?:the )?{_DAY} (?:of )?(?:{_MONTH})\b(?:,? (?:19|20)\d\d\b)?|(?:{_MONTH})\.? (?:the )?{_DAY}\b(?:,? (?:19|20)\d\d\b)?"
    rf"|\d{{4}}-\d\d-\d\d\b|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?\b|(?:{_MONTH})\b)",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:19\d\d|20[0-2]\d)\b")
_AGE_WORDS: Final = {
    word: number for number, word in enumerate(["eighteen", "nineteen", "twenty"], 18)
} | {
    f"{tens}{dash}{unit}" if unit else tens: base + number
    for base, tens in zip(
        range(20, 100, 10),
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        strict=True,
    )
    for number, unit in enumerate(
        ["", *["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]]
    )
    for dash in ("-",)
}
_AGE_END: Final = word_set(
    """
    , . \u00b7 and but now so ( ) / ! this today still btw lol already with from - tomorrow
    """
)
_NO_NAME: Final = (
    NATIONALITIES
    | LANGUAGES
    | STAR_SIGNS
    | RELIGIONS
    | DIETS
    | JOBS
    | KIN.keys()
    | frozenset(_MONTHS)
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
_PLACE_NOUNS: Final = word_set(
    """
    village town city island country farm coast valley suburb place region part side north south
    east west area family-farm hamlet corner state province
    """
)
_NO_ORIGIN: Final = word_set(
    "work home school there here scratch the future same different church bed"
)


def names_self(words: Sequence[Word], at: int, *, told: bool) -> int:
    """The end of the writer's own name at ``at``, or ``at`` if what stands there is no name."""
    end = name_at(words, at, told=told)
    if end == at or (words[at].low in _NO_NAME and not told):
        return at
    if not told and words[at].text.isupper() and len(words[at].text) > 1:
        return at
    return end


def be(scene: Scene, said: Predicate) -> None:
    """Read what one says to be: "I'm NAME", "I'm 34", "I'm from X", "I'm Danish"."""
    words = said.rest if said.form != "be" else said.rest
    if not words or said.subject != "i":
        return
    at = _name(scene, said)
    _age(scene, words, at, said)
    first = words[at].low if at < len(words) else ""
    if first == "from" or (first == "originally" and words[at + 1 : at + 2]):
        origin(scene, words[at + (1 if first == "from" else 2) :])
    _nationality(scene, words[at:])
    _native(scene, words[at:])
    _described(scene, words[at:])
    _height(scene)


_NAME_1: Final = word_set(", . \u00b7 and from ( by btw here again ! but now / aka")


def _name(scene: Scene, said: Predicate) -> int:
    """Read a name right after "I'm"; returns where the words behind it begin."""
    if said.is_perfect or said.form == "been" or said.adverbs - {"also", "actually", "really"}:
        return 0
    words = said.rest
    end = names_self(words, 0, told=False)
    if end == 0:
        return 0
    after = words[end].low if end < len(words) else ""
    if after and after not in _NAME_1:
        return 0
    if after == "by" and words[end + 1 :] and words[end + 1].low != "the":
        return 0
    scene.claim("personal.name", scene.span(words[:end]), changed=after in {"again", "now"})
    return end


def _number(word: Word) -> int | None:
    if word.low.isascii() and word.low.isdigit() and len(word.low) < 4:
        return int(word.low)
    return _AGE_WORDS.get(word.low)


def _age(scene: Scene, words: Sequence[Word], at: int, said: Predicate) -> None:
    """Read an age: at the beginning, or after the name and a comma."""
    if {"almost", "nearly", "about"} & said.adverbs:
        return
    while at < len(words) and words[at].low in {",", "and", "a"}:
        at += 1
    age_at(scene, words, at)


_AGE_AT_1: Final = word_set("years year yo y/o yr yr-old year-old years-old y.o")


def age_at(scene: Scene, words: Sequence[Word], at: int, *, bare: bool = True) -> bool:
    """Note the age that stands at ``at``; without "years old" only if ``bare`` and nothing else follows."""
    if at >= len(words):
        return False
    number = _number(words[at])
    if number is None or not 10 <= number <= 109:
        return False
    rest = [word.low for word in words[at + 1 : at + 4]]
    unit = rest[:1] and rest[0] in _AGE_AT_1
    if unit and rest[0] in {"years", "year"}:
        unit = rest[1:2] == ["old"] or rest[1:3] == ["of", "age"] or rest[1:2] == ["young"]
        if not unit:
            return False
    if not unit and not (bare and (not rest or rest[0] in _AGE_END)):
        return False
    scene.claim("personal.age", words[at].text)
    return True


_YEARS_OLD: Final = re.compile(r"^(?:an? )?(\d\d)[ -]years?[ -]old\b")


def _described(scene: Scene, words: Sequence[Word]) -> None:
    """Read "a 45-year-old …", "a NOUN from PLACE"."""
    low = " ".join(word.low for word in words[:5])
    found = _YEARS_OLD.match(low)
    if found is not None:
        scene.claim("personal.age", found.group(1))
    if not words or words[0].low not in {"a", "an"}:
        return
    for at in range(2, min(8, len(words) - 1)):
        if words[at].is_sign:
            return
        if words[at].low == "from" and words[at + 1].is_capital:
            origin(scene, words[at + 1 :])
            return


def turn(scene: Scene, said: Predicate) -> None:
    """Read "I turned 23 last week", "just turned 30"."""
    if said.form == "turned" and said.subject == "i" and said.rest:
        number = _number(said.rest[0])
        if number is not None and 10 <= number <= 109:
            scene.claim("personal.age", said.rest[0].text, changed=True)


def bear(scene: Scene, said: Predicate) -> None:
    """Read "I was born on 3 May 1990", "born and raised in PLACE"."""
    if said.form != "born":
        return
    words = said.rest
    text = scene.span(words)
    date = (
        DATE.match(re.sub(r"^(?:on|in) ", "", text))
        if words and words[0].low in {"on", "in"}
        else None
    )
    if date is not None and not (
        words[0].low == "in" and len(date.group().split()) == 1 and date.group().isdigit()
    ):
        scene.claim("personal.birthday", date.group())
    year = _YEAR.search(text)
    if year is not None and words and words[0].low in {"on", "in"}:
        scene.claim("personal.birth_year", year.group())
    at = _place_word(words)
    if (
        at is None
        or words[at + 1 : at + 2] == []
        or words[at + 1].low in _MONTHS
        or not words[at + 1 : at + 2]
    ):
        return
    if words[at + 1].text[0].isdigit():
        return
    raised = any(word.low == "raised" for word in words[:at])
    end = place_at(words, at + 1)
    if end > at + 1:
        scene.claim(
            "personal.origin" if raised else "personal.birthplace", scene.span(words[at + 1 : end])
        )


def _place_word(words: Sequence[Word]) -> int | None:
    """Where "in" or "near" stands before a place, not before a year or a month."""
    for at in range(len(words) - 1):
        after = words[at + 1]
        if words[at].low in {"in", "near"} and after.low not in _MONTHS and not after.low.isdigit():
            return at
    return None


def raise_(scene: Scene, said: Predicate) -> None:
    """Read "raised in PLACE", "I grew up in PLACE"."""
    words = said.rest
    if said.form not in {"raised", "grew"}:
        return
    at = 1 if said.form == "grew" and words and words[0].low == "up" else 0
    if said.form == "grew" and at == 0:
        return
    while at < len(words) and words[at].low in {"just", "mostly", "outside", "partly"}:
        at += 1
    if at + 1 < len(words) and words[at].low in {"in", "near", "on", "outside"}:
        _place(scene, "personal.hometown", words[at + 1 :])


_PLACE_1: Final = word_set("of near in off the on outside by")


def _place(scene: Scene, key: str, words: Sequence[Word]) -> None:
    """Note a place: a name, or a phrase such as "a small village near X"."""
    if not words:
        return
    if words[0].low in {"a", "an", "the"}:
        end = phrase_at(
            words,
            0,
            inner=_PLACE_1,
            most=10,
        )
        if any(word.low in _PLACE_NOUNS or word.is_capital for word in words[:end]):
            scene.claim(key, scene.span(words[1:end]))
        return
    end = place_at(words)
    if end and words[0].low not in _NO_ORIGIN:
        scene.claim(key, scene.span(words[:end]))


def origin(scene: Scene, words: Sequence[Word]) -> None:
    """Read what follows "from" in "I'm from X", "I come from X"."""
    if words and not words[0].low.isdigit():
        _place(scene, "personal.origin", words)


def come(scene: Scene, said: Predicate) -> None:
    """Read "I come from X"."""
    if said.form in {"come", "came"} and said.rest and said.rest[0].low == "from":
        if said.form == "come" and not said.auxiliaries:
            origin(scene, said.rest[1:])


_NATIONALITY_1: Final = word_set("a an half part originally also proud proudly very")


def _nationality(scene: Scene, words: Sequence[Word]) -> None:
    at = 0
    while at < len(words) and words[at].low in _NATIONALITY_1:
        at += 1
    if at >= len(words):
        return
    low = words[at].low
    after = words[at + 1].low if at + 1 < len(words) else ""
    ends = after in {
        "",
        ",",
        "\u00b7",
        "and",
        "but",
        "citizen",
        "national",
        "so",
        "(",
        "by",
        "myself",
        "btw",
        "half",
        "living",
        "guy",
        "woman",
        "man",
        "girl",
        "lol",
        "expat",
        "immigrant",
        "after",
        "on",
    }
    if low in NATIONALITIES and ends:
        scene.claim("personal.nationality", words[at].text)
    elif low in STAR_SIGNS and ends:
        scene.claim("personal.star_sign", words[at].text)
    elif low in RELIGIONS and ends:
        scene.claim("personal.religion", words[at].text)


_HEIGHT: Final = re.compile(
    r"\b(?:i'?m|i am)\s(?:about |around |roughly |exactly )?(\d(?:[.,]\d\d?)?\s?m(?:et(?:er|re)s?)?\b|\d{3}\s?cm\b|[4-7]'\s?\d{0,2}\"?(?!\w))",
    re.IGNORECASE,
)


def _native(scene: Scene, words: Sequence[Word]) -> None:
    """Read "a native speaker of X", "a native X speaker"."""
    lows = [word.low for word in words[:6]]
    if "native" in lows[:3] and "speaker" in lows:
        for word in words[:6]:
            if word.low in LANGUAGES:
                scene.claim("personal.mother_tongue", word.text)
                return


def _height(scene: Scene) -> None:
    found = _HEIGHT.search(scene.quote().replace("\u2019", "'"))
    if found is not None:
        scene.claim("personal.height", found.group(1))


def speak(scene: Scene, said: Predicate) -> None:
    """Read "I speak X, Y and a bit of Z"."""
    if said.form not in {"speak"}:
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
            end = names_self(words, at + 2, told=False)
            if end > at + 2 and lows[end : end + 1] in ([], [","], ["."]):
                scene.claim("personal.name", scene.span(words[at + 2 : end]))
        elif low == "my" and lows[at + 1 : at + 2] and lows[at + 1] in LANGUAGES:
            if lows[at + 2 : at + 3] == ["is"] and lows[at + 3 : at + 4] != ["teacher"]:
                scene.claim("personal.language", words[at + 1].text)
        elif low == "me" and lows[at + 1 : at + 2] == ["="]:
            end = names_self(words, at + 2, told=True)
            if end > at + 2:
                scene.claim("personal.name", scene.span(words[at + 2 : end]))
    if scene.at == 0 or (scene.clause.first and scene.clause.sentence < 2):
        _signs_in(scene, words, lows)


_CALLERS: Final = word_set(
    """
    everybody everyone people friends mates folks they family colleagues lads all guys girls
    kids
    """
)


_NICKNAME_1: Final = word_set(
    """
    just please pls you can so hi hey hello , everybody friends people mates all my the lads
    they and but btw guys folks family \u00b7 colleagues
    """
)
_NICKNAME_2: Final = word_set("back when later if crazy maybe old-fashioned paranoid names your")


def _nickname(scene: Scene, words: Sequence[Word], at: int) -> None:
    lows = [word.low for word in words]
    if lows[at] == "call" and not ({*lows[:at]} <= _NICKNAME_1):
        return
    if lows[at] == "calls" and not ({*lows[:at]} & {"everyone", "everybody", "family"}):
        return
    if {"for", "today", "chat"} & {*lows[at + 2 :]} and "short" not in lows[at + 2 :]:
        return
    end = names_self(words, at + 2, told=bool(_CALLERS & {*lows[:at]}) or at + 3 == len(words))
    if end > at + 2 and words[at + 2].low not in _NO_NAME | _NICKNAME_2:
        scene.claim("personal.nickname", scene.span(words[at + 2 : end]))


_SIGNS_IN_1: Final = word_set(
    """
    hi hiya hey hello there , morning all good evening \u00b7 afternoon yo heya
    """
)
_SIGNS_IN_2: Final = word_set(", \u00b7 . again from ! (")


_NO_SIGN: Final = word_set(
    """
    same congrats congratulations welcome nothing still right up down over back out me never happy once
    yet thanks hello that this these come see look get somewhere anywhere everything everyone
    everybody nobody stop wait first life things people here not only
    """
)


def _signs_in(scene: Scene, words: Sequence[Word], lows: list[str]) -> None:
    at = 0
    while at < len(words) and lows[at] in _SIGNS_IN_1:
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
    ):
        if len(lows) == end + 1 or lows[end + 1] in _SIGNS_IN_2:
            scene.claim("personal.name", scene.span(words[at:end]))
            if lows[end + 1 : end + 3] == [",", "from"]:
                origin(scene, words[end + 3 :])


_GO_1: Final = word_set("car train bus bike foot plane the what")


def go(scene: Scene, said: Predicate) -> None:
    """Read "I go by X now"."""
    words = said.rest
    if said.form in {"go", "going"} and words and words[0].low == "by":
        end = names_self(words, 1, told=True)
        if end > 1 and words[1].low not in _GO_1:
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
        _nationality(scene, words[1:])


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
    (word_set("call calls = name my here again speaking"), call),
    (word_set("a an at aged being as"), aside),
)
