"""Age, birthday, origin, nationality, height: what one says of one's person.

For: "I'm 34", "a 45-year-old", "born on 3 May", "raised in X", "I'm half Irish", "I'm 182 cm".
Not for: rounded and joking ages, times of day and prices.
"""

import re
from collections.abc import Sequence
from typing import Final

from backstory.language import lexicon
from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.peoples import (
    LANGUAGES,
    NATIONALITIES,
    RELIGIONS,
    STAR_SIGNS,
)
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import phrase_at, place_at

MONTHS: Final = (
    *lexicon.MONTHS,
    *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
)

_MONTH: Final = "|".join(MONTHS)

_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"

DATE: Final = re.compile(
    rf"\b(?:(?:the )?{_DAY} (?:of )?(?:{_MONTH})\b(?:,? (?:19|20)\d\d\b)?"
    rf"|(?:{_MONTH})\.? (?:the )?{_DAY}\b(?:,? (?:19|20)\d\d\b)?"
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

_PLACE_NOUNS: Final = word_set(
    """
    village town city island country farm coast valley suburb place region part side north south
    east west area family-farm hamlet corner state province
    """
)

_NO_ORIGIN: Final = word_set(
    "work home school there here scratch the future same different church bed"
)


def _number(word: Word) -> int | None:
    if word.low.isascii() and word.low.isdigit() and len(word.low) < 4:
        return int(word.low)
    return _AGE_WORDS.get(word.low)


_YEAR_UNITS: Final = word_set("years year yo y/o yr yr-old year-old years-old y.o")


def age_at(scene: Scene, words: Sequence[Word], at: int, *, bare: bool = True) -> bool:
    """Note the age at ``at``; without "years old" only if ``bare`` and nothing else follows."""
    if at >= len(words):
        return False
    number = _number(words[at])
    if number is None or not 10 <= number <= 109:
        return False
    rest = [word.low for word in words[at + 1 : at + 4]]
    unit = rest[:1] and rest[0] in _YEAR_UNITS
    if unit and rest[0] in {"years", "year"}:
        unit = rest[1:2] == ["old"] or rest[1:3] == ["of", "age"] or rest[1:2] == ["young"]
        if not unit:
            return False
    if not unit and not (bare and (not rest or rest[0] in _AGE_END)):
        return False
    scene.claim("personal.age", words[at].text)
    return True


_YEARS_OLD: Final = re.compile(r"^(?:an? )?(\d\d)[ -]years?[ -]old\b")


def described(scene: Scene, words: Sequence[Word]) -> None:
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


_TURN_END: Final = word_set(
    """
    last this on in today yesterday and but now so years at just two three recently a over during
    while with lol haha btw already though
    """
)


def turn(scene: Scene, said: Predicate) -> None:
    """Read "I turned 23 last week", "just turned 30"."""
    if said.form == "turned" and said.subject == "i" and said.rest:
        number = _number(said.rest[0])
        after = said.rest[1].low if len(said.rest) > 1 else ""
        ends = not after or said.rest[1].is_sign or after in _TURN_END
        if number is not None and 10 <= number <= 109 and ends:
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
    if at is None or words[at + 1].low in MONTHS:
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
        if words[at].low in {"in", "near"} and after.low not in MONTHS and not after.low.isdigit():
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


_INNER_WORDS: Final = word_set("of near in off the on outside by")


def _place(scene: Scene, key: str, words: Sequence[Word]) -> None:
    """Note a place: a name, or a phrase such as "a small village near X"."""
    if not words:
        return
    if words[0].low in {"a", "an", "the"}:
        end = phrase_at(
            words,
            0,
            inner=_INNER_WORDS,
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
    if said.form == "come" and said.rest and said.rest[0].low == "from" and not said.auxiliaries:
        origin(scene, said.rest[1:])


_BEFORE_NATIONALITY: Final = word_set("a an half part originally also proud proudly very")


def nationality(scene: Scene, words: Sequence[Word]) -> None:
    """Read "Danish", "a proud Dane", "a Leo", "Catholic"."""
    at = 0
    while at < len(words) and words[at].low in _BEFORE_NATIONALITY:
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
    r"\b(?:i'?m|i am)\s(?:about |around |roughly |exactly )?(\d(?:[.,]\d\d?)?\s?m(?:et(?:er"
    r"|re)s?)?\b|\d{3}\s?cm\b|[4-7]'\s?\d{0,2}\"?(?!\w))",
    re.IGNORECASE,
)


def native(scene: Scene, words: Sequence[Word]) -> None:
    """Read "a native speaker of X", "a native X speaker"."""
    lows = [word.low for word in words[:6]]
    if "native" in lows[:3] and "speaker" in lows:
        for word in words[:6]:
            if word.low in LANGUAGES:
                scene.claim("personal.mother_tongue", word.text)
                return


def height(scene: Scene) -> None:
    """Read "I'm 182 cm"."""
    found = _HEIGHT.search(scene.quote().replace("\u2019", "'"))
    if found is not None:
        scene.claim("personal.height", found.group(1))
