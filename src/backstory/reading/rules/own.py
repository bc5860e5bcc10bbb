"""Attributes told as "my X is Y": name, birthday, job, car, favourite, mother tongue.

For: "my surname is Maas", "birthday 30 April", "my car is a red van", "my job is librarian", "my
employer has been Hollin Rail since May", "my blood type is A positive". Not for: "my car is old",
"my day was fine", "is my name X?".
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from backstory.reading.rules.employers import employer_at
from backstory.reading.rules.identity import names_self
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.peoples import LANGUAGES, STAR_SIGNS
from backstory.reading.rules.lexicon.things import DEVICES
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.personal import DATE
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import bare, phrase_at, place_at

Words = Sequence[Word]
_IS: Final = word_set("is 's are : = was")
_SKIP: Final = word_set("now actually also still currently just really officially")
_STATES: Final = word_set(
    """
    broken dead down slow old new gone fine ok great here there stolen dirty parked acting
    making not too very so being getting running going full empty almost nearly at in on out
    back off cracked charging late overdue lost missing coming giving doing playing works worth
    still always ready hot cold useless amazing awesome bad good better worse cool a-mess
    """
)


def mine(scene: Scene) -> None:
    """Read a clause that begins with "my X is Y", "our X is Y" or a bare "X: Y"."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    at = scene.clause.body
    if at < len(words) and words[at].low in {"and", "it", "the", "'s"}:
        at += 1
    while at < len(words) and words[at].low in {"'s", "is"}:
        at += 1
    owned = at < len(words) and words[at].low in {"my", "our"}
    at += at < len(words) and words[at].low == "the"
    at += owned
    if 0 < at < len(words) and words[at - 1].low == "the" and words[at].low == "name":
        owned = True
    owned = owned or _is_own_name(scene, at)
    if at >= len(words):
        return
    for length in (4, 3, 2, 1):
        noun = " ".join(word.low for word in words[at : at + length])
        rule = _NOUNS.get(noun)
        if rule is not None and (owned or noun in _BARE):
            value = _value(words, at + length)
            if value is not None:
                rule(scene, noun, words[value:])
            elif noun in {"birthday", "blood type", "blood group"} and at + length < len(words):
                rule(scene, noun, words[at + length :])
            return


def _is_own_name(scene: Scene, at: int) -> bool:
    """Whether a message begins with "Name's NAME"."""
    words, lows = scene.clause.words, scene.clause.lows[at : at + 2]
    begins = scene.at == 0 and lows in (("name", "'s"), ("name", "is"))
    return begins and at + 2 < len(words) and words[at + 2].is_capital


def _value(words: Words, at: int) -> int | None:
    """Where the value begins after "is", "'s", ":", "=" or "has been", or None."""
    if at >= len(words):
        return None
    if words[at].low in {"has", "have"} and words[at + 1 : at + 2] and words[at + 1].low == "been":
        at += 2
    elif words[at].low in {"falls", "is"} and words[at + 1 : at + 2] and words[at + 1].low == "on":
        at += 1
    elif words[at].low in _IS:
        at += 1
        while at < len(words) and words[at].low in {"is", "'s"}:
            at += 1
    elif words[at].low == "," and words[at + 1 : at + 2] and words[at + 1].is_capital:
        return at + 1 if words[at - 1].low in {"for", "employer", "name"} else None
    else:
        return None
    while at < len(words) and words[at].low in _SKIP:
        at += 1
    if at >= len(words) or words[at].low in {"not", "never", "no", "n't"}:
        return None
    return at


_JOKES: Final = word_set(
    "danger trouble chaos disaster drama caution murphy karma awkward clumsy lazy stubborn"
)
"""What a middle name is only in a saying: "Trouble is my middle name"."""


def _named(key: str) -> Callable[[Scene, str, Words], None]:
    def read(scene: Scene, _noun: str, words: Words) -> None:
        end = names_self(words, 0, told=True)
        if end and not (key == "personal.middle_name" and (end > 1 or words[0].low in _JOKES)):
            changed = any(word.low in {"now", "again"} for word in words[end : end + 2])
            scene.claim(key, scene.span(words[:end]), changed=changed)

    return read


def _birthday(scene: Scene, _noun: str, words: Words) -> None:
    text = re.sub(r"^(?:on|in|the|is) ", "", scene.span(words))
    date = DATE.match(re.sub(r"^(?:on|in) ", "", text))
    if date is not None:
        scene.claim("personal.birthday", date.group())


def _birthplace(scene: Scene, _noun: str, words: Words) -> None:
    end = place_at(words)
    if end:
        scene.claim("personal.birthplace", scene.span(words[:end]))


def _tongue(scene: Scene, _noun: str, words: Words) -> None:
    if words and (words[0].low in LANGUAGES or words[0].is_capital):
        scene.claim("personal.mother_tongue", words[0].text)


def _blood(scene: Scene, _noun: str, words: Words) -> None:
    found = re.match(
        r"(?:a |an )?((?:a|b|ab|o|0)[ -]?(?:positive|negative|pos|neg|rh\S*|[+-])?)(?!\w)",
        scene.turn.text[words[0].start : words[0].start + 20],
        re.IGNORECASE,
    )
    if found is not None:
        scene.claim("personal.blood_type", found.group(1))


def _employer(scene: Scene, _noun: str, words: Words) -> None:
    employer_at(scene, words)


def _job(scene: Scene, _noun: str, words: Words) -> None:
    if words[0].low in {"at", "with"} and len(words) > 1:
        employer_at(scene, words[1:])
        return
    end = phrase_at(words)
    kept = bare(words[:end])
    if kept and not (len(kept) == 1 and kept[0].low in _STATES) and kept[0].low not in _STATES:
        scene.claim("work.role", scene.span(kept))


def _home(scene: Scene, noun: str, words: Words) -> None:
    at = next((i for i, word in enumerate(words) if word.low in {"in", "near"}), None)
    if at is not None:
        end = place_at(words, at + 1)
        if end > at + 1 and words[at + 1].is_capital:
            scene.claim("home.place", scene.span(words[at + 1 : end]))
    elif noun == "home" and words[0].is_capital:
        _town(scene, noun, words)


def _town(scene: Scene, _noun: str, words: Words) -> None:
    end = place_at(words)
    if end and words[0].is_capital:
        scene.claim("home.place", scene.span(words[:end]))


def _childhood(scene: Scene, _noun: str, words: Words) -> None:
    end = place_at(words)
    if end and words[0].is_capital:
        scene.claim("personal.hometown", scene.span(words[:end]))


def _device(scene: Scene, noun: str, words: Words) -> None:
    article = words[0].low in {"a", "an", "the"}
    end = phrase_at(words, 0)
    kept = bare(words[:end])
    if not kept or (kept[0].low in _STATES and not article):
        return
    if article or kept[0].is_capital:
        scene.claim(DEVICES[noun], scene.span(kept))


def _height(scene: Scene, _noun: str, words: Words) -> None:
    if words and words[0].text[0].isdigit():
        scene.claim("personal.height", scene.span(words[: 2 if len(words) > 1 else 1]))


def _address(scene: Scene, _noun: str, words: Words) -> None:
    """Note a house number and a street; the name of a street may stand first."""
    end = next((n for n, word in enumerate(words) if word.low in _ADDRESS_END), len(words))
    kept = words[:end]
    if (
        len(kept) > 1
        and any(word.low[0].isdigit() for word in kept)
        and "@" not in scene.span(kept)
    ):
        scene.claim("home.address", scene.span(kept))


def _sign(scene: Scene, _noun: str, words: Words) -> None:
    if words and words[0].low in STAR_SIGNS:
        scene.claim("personal.star_sign", words[0].text)


_ADDRESS_END: Final = word_set("now and but since from \u00b7 ( btw if so as instead")

_BARE: Final = frozenset(
    {
        "birthday",
        "dob",
        "employer",
        "occupation",
        "profession",
        "height",
        "company i work for",
        "firm i work for",
        "blood group",
        "blood type",
        "home",
    }
)
"""What stands for one's own also without "my"."""

_NOUNS: Final[dict[str, Callable[[Scene, str, Words], None]]] = {
    "name": _named("personal.name"),
    "first name": _named("personal.first_name"),
    "full name": _named("personal.name"),
    "real name": _named("personal.name"),
    "surname": _named("personal.surname"),
    "last name": _named("personal.surname"),
    "family name": _named("personal.surname"),
    "maiden name": _named("personal.maiden_name"),
    "middle name": _named("personal.middle_name"),
    "nickname": _named("personal.nickname"),
    "birthday": _birthday,
    "birth date": _birthday,
    "date of birth": _birthday,
    "dob": _birthday,
    "birthplace": _birthplace,
    "mother tongue": _tongue,
    "native language": _tongue,
    "first language": _tongue,
    "native tongue": _tongue,
    "blood type": _blood,
    "blood group": _blood,
    "employer": _employer,
    "current employer": _employer,
    "company i work for": _employer,
    "firm i work for": _employer,
    "job": _job,
    "profession": _job,
    "occupation": _job,
    "day job": _job,
    "job title": _job,
    "home": _home,
    "city": _town,
    "town": _town,
    "real city": _town,
    "home town": _childhood,
    "hometown": _childhood,
    "village": _town,
    "flat": _home,
    "house": _home,
    "apartment": _home,
    "place": _home,
    "height": _height,
    "address": _address,
    "home address": _address,
    "star sign": _sign,
    "zodiac sign": _sign,
    "zodiac": _sign,
    **dict.fromkeys(DEVICES, _device),
}
CLAUSES = ((word_set("my our name blood company firm home") | _BARE, mine),)
