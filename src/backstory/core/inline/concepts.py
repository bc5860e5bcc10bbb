"""What a key asks: the concept behind it."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from backstory.core.inline.answers import (
    AGE,
    CAR,
    DEVICE,
    DIET,
    EMPLOYER,
    INSTRUMENT,
    JOB,
    MARITAL,
    NAME,
    NATIONALITY,
    NICKNAME,
    PHONE_NUMBER,
    SCHOOL,
    STUDIES,
    home,
    origin,
)
from backstory.core.inline.patterns import MINE, Concept, pattern
from backstory.core.inline.relatives import BESIDE_RELATIVE, RELATIVES, relative
from backstory.core.inline.values import (
    take_city,
    take_country,
    take_number,
    take_phrase,
    take_proper,
)
from backstory.core.keywords import key_words
from backstory.core.wordlists import word_set

_SINGLE: Final[tuple[tuple[frozenset[str], Callable[[], Concept]], ...]] = (
    (word_set("country live"), lambda: home(take_country)),
    (
        word_set("city town home location residence place lives live lived residing address based"),
        lambda: home(take_city),
    ),
    (word_set("hometown birthplace origin from birth_place"), lambda: origin(take_city)),
    (
        word_set("employer company workplace firm employed works_at organisation organization"),
        lambda: EMPLOYER,
    ),
    (word_set("job occupation profession title role position"), lambda: JOB),
    (word_set("nickname"), lambda: NICKNAME),
    (word_set("age"), lambda: AGE),
    (word_set("car vehicle van"), lambda: CAR),
    (word_set("diet dietary"), lambda: DIET),
    (word_set("school university college uni"), lambda: SCHOOL),
    (word_set("major studies subject degree"), lambda: STUDIES),
    (word_set("nationality citizenship"), lambda: NATIONALITY),
    (word_set("marital"), lambda: MARITAL),
    (word_set("instrument"), lambda: INSTRUMENT),
)
_NEUTRAL: Final = word_set(
    "user personal current name full the my is in of at i work works home contact health education "
    "profile "
    "basic info s live lives city town status type main make model preference preferences years "
    "old study "
    "identity demographics hobby hobbies music transport place"
)


@lru_cache(maxsize=2048)
def concept_of(key: str) -> Concept | None:
    """The concept that a key asks, or None when it names nothing that rules can look for."""
    words = tuple(_singular(word) for word in key_words(key))
    if not words:
        return None
    return _favourite(words) or _person(words) or _plain(words) or _literal(words)


def _singular(word: str) -> str:
    return {"children": "child", "kids": "kid", "pets": "pet"}.get(word) or (
        word[:-1] if word.endswith("s") and word[:-1] in RELATIVES else word
    )


def _person(words: tuple[str, ...]) -> Concept | None:
    kinds = [word for word in words if word in RELATIVES]
    others = set(words) - set(kinds)
    if not kinds or not others <= BESIDE_RELATIVE:
        return None
    if len(set(kinds)) > 1 and kinds[0] not in {"pet", "partner"}:
        return None
    return relative(kinds[-1])


def _plain(words: tuple[str, ...]) -> Concept | None:
    given = set(words)
    if "phone" in given and given <= {
        "phone",
        "number",
        "mobile",
        "contact",
        "telephone",
        "personal",
    }:
        return PHONE_NUMBER if given & {"number", "contact"} else _either_phone()
    if given & {"name"} and given <= word_set(
        "name user full first personal identity my real profile"
    ):
        return NAME
    if "country" in given and given <= _NEUTRAL | {
        "country",
        "residence",
        "location",
        "origin",
        "birth",
    }:
        return origin(take_country) if given & {"origin", "birth"} else home(take_country)
    for triggers, concept in _SINGLE:
        if given & triggers and given <= triggers | _NEUTRAL:
            return concept()
    return None


def _either_phone() -> Concept:
    return Concept(patterns=DEVICE.patterns + PHONE_NUMBER.patterns)


_SAME_ITEMS: Final = (
    "film|movie",
    "food|dish|meal",
    "colour|color",
    "band|group",
    "singer|artist|musician",
    "book|novel",
    "drink|beverage",
    "team|club",
    "show|series|tv show|tv series",
    "game|video game",
    "sport",
    "animal",
    "place|spot",
)
_PRAISE: Final = r"(?:(?:all-time|absolute|new|current|very|personal)\s)*"


def _favourite(words: tuple[str, ...]) -> Concept | None:
    if "favourite" not in words:
        return None
    item = words[words.index("favourite") + 1 :] or words[: words.index("favourite")][-1:]
    if not item:
        return None
    spelled = _alternatives(" ".join(item))
    verb = "is|are" if item[-1].endswith("s") else "is"
    slot = rf"{MINE}{_PRAISE}fav(?:ou?rite|e)?\s(?:{spelled})"
    return Concept(
        patterns=(
            pattern(rf"{slot}\s(?:{verb}|has\salways\sbeen|=)\s(?:now\s|called\s)?", take_phrase),
            pattern(rf"{slot}(?:'s|:)\s", take_phrase),
            pattern(rf"^\s*fav(?:ou?rite|e)?\s(?:{spelled}):\s", take_phrase),
            pattern(
                rf"(?:^|,\s)(?P<value>[\w' -]{{2,40}}?)\s(?:is|are)\s(?:now\s"
                rf"|still\s)?{slot}(?:\s(?:now|by\sfar|these\sdays|btw))?\s*(?:$|[,.!])",
                take_phrase,
            ),
        )
    )


def _alternatives(item: str) -> str:
    for same in _SAME_ITEMS:
        if item in same.split("|"):
            return "|".join(rf"{re.escape(word)}s?" for word in same.split("|"))
    return rf"{re.escape(item)}"


_NOT_LITERAL: Final = word_set(
    "friend family event plan appointment goal intention note context thing"
)


def _literal(words: tuple[str, ...]) -> Concept | None:
    """A key whose own words a message would use: "my shoe size is 43"."""
    asked = _content(words)
    if not asked or set(words) & _NOT_LITERAL:
        return None
    spelled = r"\s".join(map(re.escape, asked)).replace("colour", "colou?r")
    slot = rf"{MINE}(?:new\s|current\s)?{spelled}(?:\s(?:is|=)|:)\s(?:now\s)?"
    take = take_phrase if len(asked) > 1 else take_proper
    return Concept(patterns=(pattern(slot, take_number), pattern(slot, take)), alike=True)


def _content(words: Iterable[str]) -> list[str]:
    return [
        word
        for word in words
        if word not in word_set("user personal profile current basic info health")
    ]
