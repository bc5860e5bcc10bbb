"""Employers: names, and phrases such as "a small bakery called X".

For: "at Hollin Rail", "for a wind park firm, X,", "at St. Anne's Hospital". Not for: "at home".
"""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.things import WORKPLACES
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import DETERMINERS, bare, name_at, phrase_at

Words = Sequence[Word]

_NO_EMPLOYER: Final = word_set(
    """
    home night nights weekends same work it this that them him her myself ourselves least
    all once peanuts money free years months hours days ages sea height heights first last most
    university uni school college moment office weekend end desk front back time best top edge
    side bottom beginning intersection minute money union
    """
)


def employer_at(scene: Scene, words: Words, *, changed: bool = False) -> bool:
    """Note the employer that the words begin with: a name, or "a small bakery called X"."""
    if not words:
        return False
    end = _organisation(words)
    named = _named_behind(words)
    if named is not None:
        begin, end = named
        scene.claim("work.employer", scene.span(words[begin:end]), changed=changed)
        return True
    if end == 0:
        return False
    kept = bare(words[:end])
    changed = changed or any(word.low == "now" for word in words[end : end + 2])
    scene.claim("work.employer", scene.span(kept), changed=changed)
    return True


def house_at(scene: Scene, words: Words, *, changed: bool = False) -> None:
    """Note the sort of house that one works in: "a small library"."""
    item = bare(words[: phrase_at(words, 0, most=4)])
    if item and item[-1].low in WORKPLACES:
        scene.claim("work.place", scene.span(item), changed=changed)


def long_name(words: Words, at: int) -> int:
    """The end of a name that may hold "St." or a genitive: "St. Anne's Hospital"."""
    end = name_at(words, at)
    if (
        at < end < len(words) - 1
        and words[end].low == "."
        and words[end - 1].low in {"st", "dr", "mt"}
    ):
        end = max(end, name_at(words, end + 1))
    if at < end < len(words) - 1 and words[end].low == "'s" and words[end + 1].is_capital:
        end = max(end, name_at(words, end + 1))
    elif at < end < len(words) and words[end].low == "'s" and end + 1 == len(words):
        end += 1
    return end


_INSTITUTIONS: Final = word_set("hospital clinic council university school bank")


def _organisation(words: Words) -> int:
    """The end of the employer that the words begin with, or 0."""
    at = 1 if words[0].low == "the" else 0
    end = long_name(words, at)
    while (
        at < end < len(words) - 1
        and words[end].low in {"and", "&", "+", "of"}
        and words[end].text in {"&", "+", "of"}
    ):
        more = name_at(words, end + 1)
        if more == end + 1:
            break
        end = more
    if end > at:
        if end < len(words) and not words[end].is_sign and words[end].low in _INSTITUTIONS:
            end += 1
        return end
    if words[0].low in _NO_EMPLOYER or (len(words) > 1 and words[1].low in _NO_EMPLOYER):
        return 0
    end = phrase_at(words, 0, most=5)
    kept = words[:end]
    if kept and kept[0].low in {"a", "an"}:
        return end
    if kept and kept[0].low in DETERMINERS:
        return end if kept[0].low == "the" and len(kept) <= 5 and len(kept) > 1 else 0
    return end if 0 < end <= 2 and kept[0].low.isalpha() else 0


def _named_behind(words: Words) -> tuple[int, int] | None:
    """Where the name stands in "a wind park firm, NAME" or "a bakery called NAME"."""
    end = phrase_at(words, 0, most=7)
    if end == 0 or not any(word.low in {"a", "an", "the"} for word in words[:1]):
        return None
    for at in range(1, end):
        if words[at].low in {"called", "named"} and at + 1 < len(words):
            stop = _organisation(words[at + 1 :])
            return (at + 1, at + 1 + stop) if stop else None
    if end < len(words) - 1 and words[end].low == "," and words[end + 1].is_capital:
        stop = _organisation(words[end + 1 :])
        if stop and (end + 1 + stop >= len(words) or words[end + 1 + stop].low in {",", "as", "."}):
            return end + 1, end + 1 + stop
    return None
