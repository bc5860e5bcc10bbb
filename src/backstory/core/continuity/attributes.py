"""What does not change: eyes, hair, birth, parents; an age only rises, and a lost limb is lost."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from backstory.core.continuity.marks import Names, Sentence
from backstory.core.continuity.prose import spoken
from backstory.core.continuity.words import ELSEWHERE
from backstory.core.model.block import Conflict, ConflictKind
from backstory.core.model.chapter_reading import StateRead
from backstory.core.model.entity import Entity, EntityState
from backstory.core.values import normal_value

_SAME: Final = {
    "eye": "eyes", "eye color": "eyes", "eye colour": "eyes", "eyes color": "eyes",
    "eyes colour": "eyes", "hair color": "hair", "hair colour": "hair", "born in": "birthplace",
    "place of birth": "birthplace", "birth place": "birthplace", "wound": "body", "wounds": "body",
    "injury": "body", "injuries": "body",
}  # fmt: skip
_COLOURED: Final = frozenset({"eyes", "hair"})
_SINGLE: Final = frozenset({"birthplace", "mother", "father", "birthday", "birth", "species"})
_COLOURS: Final = {
    "green": "green", "emerald": "green", "blue": "blue", "brown": "brown", "hazel": "brown",
    "amber": "brown", "chestnut": "brown", "black": "black", "raven": "black", "grey": "grey",
    "gray": "grey", "silver": "grey", "white": "white", "violet": "violet", "purple": "violet",
    "turquoise": "blue", "red": "red", "auburn": "red", "ginger": "red", "copper": "red",
    "blond": "blond", "blonde": "blond", "fair": "blond", "golden": "blond", "gold": "blond",
    "sandy": "blond", "yellow": "blond", "dark": "dark",
    "verde": "green", "verdes": "green", "vert": "green", "verts": "green", "verte": "green",
    "gr\u00fcn": "green", "gr\u00fcne": "green", "azul": "blue", "azules": "blue", "bleu": "blue",
    "bleus": "blue", "blau": "blue", "blaue": "blue", "braun": "brown", "braune": "brown",
    "negro": "black", "negros": "black", "noir": "black", "noirs": "black", "schwarz": "black",
    "schwarze": "black", "rojo": "red", "roux": "red", "rot": "red", "rote": "red",
    "rubio": "blond", "blonds": "blond", "gris": "grey", "grises": "grey", "grau": "grey",
    "graue": "grey",
}  # fmt: skip
_NEAR: Final = frozenset(
    {("dark", "brown"), ("dark", "black"), ("brown", "black"), ("blond", "brown")}
)
_AGED: Final = frozenset({"grey", "white"})
# What makes a colour another one, said anywhere before in the paragraph.
_DISGUISED: Final = re.compile(
    r"\b(?:dyed?|dyes|dyeing|bleach\w*|wigs?|tint\w*|lens(?:es)?|contacts|disguis\w+"
    r"|glamour|spell|magic\w*|enchant\w*|transform\w*|possess\w*|mask|twin)\b",
    re.IGNORECASE,
)
# What does so only in the sentence itself: elsewhere it tells of something else.
_CHANGED: Final = re.compile(
    r"\b(?:colou?red|chang\w+|turned|became|become|gone|grown|paint\w*|no longer|now|used to)\b",
    re.IGNORECASE,
)
_PARAGRAPH: Final = re.compile(r"\n[^\S\n]*\n")
_NEARBY: Final = 200
_STOP: Final = re.compile("[.!?\u2026\u3002\uff01\uff1f](?=\\s)|[\u3002\uff01\uff1f]")
_ONES: Final = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS: Final = {
    word: 10 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_WORD: Final = re.compile(r"[^\W_]+")
_LOST: Final = re.compile(
    r"\b(?:lost|cut off|amputated|severed|missing|only)\b.*?\b(?P<side>left |right |one )?"
    r"(?P<part>arm|hand|leg|foot|eye)\b",
    re.IGNORECASE,
)
_OF_PART: Final = {
    "arm": "arm|hand|elbow|wrist|fist",
    "hand": "hand|fist",
    "leg": "leg|foot|knee",
    "foot": "foot",
    "eye": "eye",
}
_BOTH: Final = {
    "arm": r"(?:folded|crossed|opened|spread|threw up|raised) (?:his|her|their) arms"
    r"|clapped (?:his|her|their) hands|(?:with |in )both (?:arms|hands)"
    r"|both (?:his|her) (?:arms|hands)",
    "hand": r"clapped (?:his|her|their) hands|rubbed (?:his|her|their) hands"
    r"|(?:with |in )both hands|both (?:his|her) hands",
    "leg": r"on both (?:legs|feet)|crossed (?:his|her|their) legs",
    "foot": r"on both feet",
    "eye": r"both (?:his|her) eyes|with both eyes",
}
_REPLACED: Final = re.compile(
    r"\b(?:stump|sleeve|wooden|false|artificial|prosthe\w+|iron|metal|steel|glass|hook|missing|lost"
    r"|gone|phantom|ghost|where|instead|patch|empty|grew|healed|if|would|no|not|never|had)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)


def changed_attributes(
    text: str, chapter: int, entities: Sequence[Entity], states: Sequence[StateRead]
) -> Iterator[Conflict]:
    """Conflicts between states that a text gives and those that are known.

    Hair may be dyed and go grey, eyes may be disguised, where the text says so; an age may rise.
    What somebody says may be a lie, and is not compared.
    """
    speech = [text[start:end] for start, end in spoken(text)]
    by_name = {entity.name: entity for entity in entities}
    for read in states:
        entity = by_name.get(read.entity)
        attribute = _attribute(read.attribute)
        if entity is None or read.learned or any(read.quote in said for said in speech):
            continue
        known = _latest(entity, attribute, chapter)
        why = _why(attribute, known.value, read, text) if known else ""
        if known and why:
            yield _conflict(entity.name, chapter, read.quote, known, why)


def _conflict(name: str, chapter: int, passage: str, known: EntityState, why: str) -> Conflict:
    return Conflict(
        kind=ConflictKind.CHANGED_ATTRIBUTE,
        about=name,
        chapter=chapter,
        passage=passage,
        known_chapter=known.chapter,
        known_passage=known.quote or f"{name}: {known.attribute}: {known.value}",
        why=why,
    )


def _attribute(name: str) -> str:
    folded = name.casefold().replace("_", " ").strip()
    return _SAME.get(folded, folded)


def _latest(entity: Entity, attribute: str, chapter: int) -> EntityState | None:
    found = None
    for state in sorted(entity.states, key=lambda one: one.chapter):
        if state.chapter < chapter and _attribute(state.attribute) == attribute:
            found = state
    return found


def _why(attribute: str, known: str, read: StateRead, text: str) -> str:
    """What does not fit, or ""."""
    if attribute in _COLOURED:
        return _other_colour(attribute, known, read, text)
    if attribute == "age":
        before, now = _number(known), _number(read.value)
        if before is not None and now is not None and now < before:
            return f"the age was {known}, and is {read.value}"
        return ""
    if attribute in _SINGLE:
        before_value, value = normal_value(known), normal_value(read.value)
        if before_value not in value and value not in before_value:
            return f"the {attribute} was {known}, and is {read.value}"
    return ""


def _other_colour(attribute: str, known: str, read: StateRead, text: str) -> str:
    before, now = _colours(known), _colours(read.value)
    if not before or not now or before & now or (attribute == "hair" and now <= _AGED):
        return ""
    if any((one, two) in _NEAR or (two, one) in _NEAR for one in before for two in now):
        return ""
    place = max(0, text.find(read.quote))
    before_it = _PARAGRAPH.split(text[max(0, place - _NEARBY) : place])[-1]
    told = f"{before_it}{read.quote}"
    end = place + len(read.quote)
    rest = "" if _STOP.search(read.quote[-1:] + " ") else text[end : end + _NEARBY // 2]
    sentence = f"{_STOP.split(before_it)[-1]}{read.quote}{_STOP.split(rest)[0]}"
    if _CHANGED.search(sentence) or _DISGUISED.search(told) or ELSEWHERE.search(told):
        return ""
    return f"the {attribute} {'were' if attribute == 'eyes' else 'was'} {known}, not {read.value}"


def _colours(value: str) -> set[str]:
    found = {_COLOURS[word] for word in _WORD.findall(value.casefold()) if word in _COLOURS}
    return found - {"dark"} if len(found) > 1 else found


def _number(value: str) -> int | None:
    """The number that a value begins with, as digits or English words."""
    total: int | None = None
    for word in _WORD.findall(value.casefold()):
        if word.isdecimal() and total is None:
            return int(word)
        if word not in _ONES and word not in _TENS:
            break
        total = (total or 0) + _ONES.get(word, _TENS.get(word, 0))
    return total


def lost_parts_used(
    lines: Sequence[Sentence], names: Names, chapter: int, entities: Sequence[Entity]
) -> Iterator[Conflict]:
    """One conflict for each who uses a limb that was lost."""
    for entity in entities:
        known = [
            state
            for state in entity.states
            if state.chapter < chapter and _attribute(state.attribute) == "body"
        ]
        for state in known:
            lost = _LOST.search(state.value)
            used = lost and _used(names.mark_of(entity.name), lost)
            line = next((one for one in lines if used and _uses(used, one)), None)
            if line is not None:
                yield _conflict(
                    entity.name, chapter, line.said, state, f"{entity.name} {state.value}"
                )
                break


def _used(mark: str, lost: "re.Match[str]") -> "re.Pattern[str]":
    part = lost["part"].casefold()
    side = (lost["side"] or "").strip().casefold()
    own = rf"(?:his|her|their|{mark}['\u2019]s?) "
    sided = rf"|{own}{side} (?:{_OF_PART[part]})\b" if side in {"left", "right"} else ""
    his = rf"{mark}['\u2019]s? {side} (?:{_OF_PART[part]})\b" if sided else "(?!)"
    return re.compile(rf"{mark}(?=.*?(?:{_BOTH[part]}{sided}))|{his}")


def _uses(used: "re.Pattern[str]", line: Sentence) -> bool:
    others = {char for char in line.told if "\ue000" <= char <= "\uf7ff"}
    return (
        len(others) == 1
        and used.search(line.told) is not None
        and not _REPLACED.search(line.told)
        and not ELSEWHERE.search(line.before)
    )
