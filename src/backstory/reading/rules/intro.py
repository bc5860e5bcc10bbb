"""Telegraphic introductions: parts between commas, without verbs.

For: "intro: NAME, 52, from X originally, living in Y since 2008, dike inspector, no kids but three
goats", "I'm NAME, 31, nurse, two kids". Not for: any list in a sentence without such a beginning.
"""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.fillers import skip_fillers
from backstory.reading.rules.identity import names_self
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.personal import age_at, nationality, origin
from backstory.reading.rules.relations import groups
from backstory.reading.rules.roles import role_at
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import place_at
from backstory.reading.rules.work import workplace

Words = Sequence[Word]
_SHORT: Final = 3
"""Words. A longer part is no greeting."""
_INTROS: Final = word_set("intro introduction me")


def telegram(scene: Scene) -> None:
    """Read the parts of an introduction."""
    if scene.mood is not Mood.STATED:
        return
    parts = _parts(scene.clause.words)
    while len(parts) > 1 and skip_fillers(parts[0]) >= len(parts[0]) - 1 and len(parts[0]) < _SHORT:
        if skip_fillers((*parts[0], *parts[1])) < len(parts[0]):
            break
        parts = parts[1:]
    lows = [[word.low for word in part] for part in parts]
    begins = _beginning(scene, parts, lows) if parts else None
    if begins is None:
        return
    for part in parts[begins:]:
        _part(scene, part)


def _parts(words: Words) -> list[Words]:
    found: list[Words] = []
    start = 0
    depth = 0
    for at, word in enumerate(words):
        depth += (word.low == "(") - (word.low == ")")
        if word.low in {",", "\u00b7"} and depth <= 0:
            found.append(words[start:at])
            start = at + 1
    found.append(words[start:])
    return [part for part in found if part]


def _beginning(scene: Scene, parts: list[Words], lows: list[list[str]]) -> int | None:
    """Which part the telegram begins with, or None if the clause is none."""
    first = lows[0]
    if len(parts) > 1 and _introduces(parts[0]):
        return 1
    colon = first.index(":") if ":" in first else -1
    if colon >= 0 and {*first[:colon]} & _INTROS and _tells(parts[0][colon + 1 :], len(parts)):
        parts[0] = parts[0][colon + 1 :]
        return int(_is_named(scene, parts[0]))
    at = skip_fillers(parts[0])
    kept = parts[0][at:]
    if len(parts) > 2 and _is_named_from(scene, kept, parts):
        return 1
    opening = scene.at == 0 or all(c.body >= len(c.words) - 1 for c in scene.clauses[: scene.at])
    if len(parts) > 2 and opening and len(kept) == 1 and age_like(kept[0]):
        parts[0] = kept
        return 0
    if (
        len(parts) > 2
        and scene.at == 0
        and names_self(kept, 0, told=False) == len(kept)
        and any(age_like(p[0]) and len(p) == 1 for p in parts[1:])
    ):
        scene.claim("personal.name", scene.span(kept))
        return 1
    return None


def _is_named_from(scene: Scene, kept: Words, parts: list[Words]) -> bool:
    """Whether the first part is "NAME here", or "NAME from PLACE" with an age behind it."""
    named = names_self(kept, 0, told=False)
    if named == len(kept) - 1 and named and kept[-1].low == "here":
        return True
    aged = any(age_like(p[0]) and len(p) == 1 for p in parts[1:])
    if scene.at or not aged or not 0 < named < len(kept) - 1 or kept[named].low != "from":
        return False
    scene.claim("personal.name", scene.span(kept[:named]))
    origin(scene, kept[named + 1 :])
    return True


def _tells(rest: Words, parts: int) -> bool:
    """Whether what follows "about me:" is a telegram: several parts, or an age, or a name."""
    return parts > 2 or (bool(rest) and age_like(rest[0]))


def _is_named(scene: Scene, part: Words) -> bool:
    """Note the name that a part is; whether it is one."""
    if not part or names_self(part, 0, told=False) != len(part):
        return False
    scene.claim("personal.name", scene.span(part))
    return True


def age_like(word: Word) -> bool:
    """Whether a word is a number that can be an age."""
    return word.low.isascii() and word.low.isdigit() and 10 <= int(word.low[:4]) <= 109


def _introduces(part: Words) -> bool:
    """Whether the first part is "I'm NAME", "I am 31", "my name is NAME" and no more."""
    lows = [word.low for word in part]
    for mark in (["i", "am"], ["name", "is"], ["name", "'s"]):
        for at in range(len(lows) - 2):
            if lows[at : at + 2] == mark:
                rest = part[at + 2 :]
                named = names_self(rest, 0, told=False)
                follows = rest[named].low if 0 < named < len(rest) else ""
                return (
                    named == len(rest)
                    or follows in {"from", "and", "("}
                    or (len(rest) == 1 and age_like(rest[0]))
                )
    return False


_BEFORE_PART: Final = word_set("a an and originally currently now but also")


def _part(scene: Scene, part: Words) -> None:
    lows = [word.low for word in part]
    at = 0
    while at < len(part) - 1 and lows[at] in _BEFORE_PART:
        at += 1
    if len(part) <= at + 4 and age_at(scene, part, at):
        return
    low = lows[at]
    if low == "from" and len(part) > at + 1:
        origin(scene, part[at + 1 :])
    elif low in {"living", "based", "live", "in"}:
        _dwelling(scene, part, at)
    elif low in {"working", "work"}:
        workplace(scene, part[at + 1 :])
    elif low in _PRONOUNS:
        scene.claim("personal.pronouns", part[at].text)
    elif not _parent(scene, part[at:]) and not groups(scene, _without_no(part)):
        _trade(scene, part, at)


_PARENTS: Final = word_set("mum mom mother mummy dad father daddy parent")
_PRONOUNS: Final = word_set("he/him she/her they/them she/they he/they")


def _parent(scene: Scene, part: Words) -> bool:
    """Read "mum of A and B"."""
    lows = [word.low for word in part[:2]]
    if len(part) <= len(lows) or lows[0] not in _PARENTS or lows[1] not in {"of", "to"}:
        return False
    names = [word for word in part[2:] if word.is_capital]
    for word in names:
        scene.claim("family.child", word.text)
    return bool(names)


def _dwelling(scene: Scene, part: Words, at: int) -> None:
    """Read "living in X", "in X doing …"."""
    begin = at + (part[at].low != "in")
    if begin + 1 >= len(part) or part[begin].low != "in":
        return
    if begin == at and not part[begin + 1].is_capital:
        return
    end = place_at(part, begin + 1)
    if end > begin + 1:
        scene.claim("home.place", scene.span(part[begin + 1 : end]))
    if end < len(part) and part[end].low == "doing":
        workplace(scene, part[end + 1 :])


def _without_no(part: Words) -> Words:
    """Behind "no kids but"."""
    lows = [word.low for word in part]
    return part[lows.index("but") + 1 :] if lows[0] == "no" and "but" in lows else part


_TRADE_ENDS: Final = word_set("( at for in by from and")


def _trade(scene: Scene, part: Words, at: int) -> None:
    end = role_at(part, at)
    if end > at and (end == len(part) or part[end].low in _TRADE_ENDS):
        scene.claim("work.role", scene.span(part[at:end]))
        workplace(scene, part[end:])
    elif len(part) <= at + 2:
        nationality(scene, part[at:])


CLAUSES = ((frozenset({",", "\u00b7", ":"}), telegram),)
