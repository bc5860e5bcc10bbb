"""Whether a response gives all that was asked for: it is not cut off, refuses not, and answers."""

import re
from typing import Final

from backstory.language.quality.asking import asked_count, is_open, number_words, wants_quantity
from backstory.language.quality.content import Content
from backstory.language.quality.refusals import refuses
from backstory.language.quality.small_words import small_words

_ENDED: Final = re.compile(
    r"[.!?\u2026:;)\]}\"'`*>|%\u3002\uff01\uff1f\u061f\u06d4\u0964\u300d\u300f\u201d\u2019\u00bb"
    r"\uff09\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]\s*$"
)
_OPEN_END: Final = re.compile(r"(?:[,:;\u3001\uff0c\u060c(\[{-]|\b\d{1,2}[.)])\s*$")
_ITEM: Final = re.compile(r"(?:^|(?<=\s))(?:\d{1,2}[.):]|[-*\u2022]|[a-h]\))\s+\S", re.MULTILINE)
_LAST_WORD: Final = re.compile(r"([^\W\d_]+)\s*$")
_LISTED: Final = re.compile(r"[,;\n\u3001\uff0c]|\b(?:and|or|und|och|et|y|e|o|of|oraz|lub)\b")
_CUT: Final = 0.1
_PERHAPS_CUT: Final = 0.75
_PROSE_WORDS: Final = 8
_REFUSED: Final = 0.12
_BARE: Final = 0.3
_NO_QUANTITY: Final = 0.45
_FEW_TERMS: Final = 4


def completeness(text: str, prompt: str, said: Content, asked: Content) -> float:
    """The product of four signs: its end, refusal, what kind of answer was asked for, how many."""
    if not text.strip():
        return 0.0
    score = _ending(text, said)
    if refuses(text, said):
        return score * _REFUSED
    if not prompt or not asked.words:
        return score
    if is_open(prompt) and len(said.distinct - asked.distinct) < _FEW_TERMS:
        score *= _BARE
    if wants_quantity(prompt) and not _has_quantity(text, said):
        score *= _NO_QUANTITY
    wanted = asked_count(prompt)
    if wanted:
        found = max(len(_ITEM.findall(text)), len(_LISTED.findall(text)) + 1)
        score *= min(1.0, found / wanted)
    return score


def _ending(text: str, said: Content) -> float:
    tail = text.rstrip()[-80:]
    if text.count("```") % 2 or _OPEN_END.search(tail):
        return _CUT
    if _ENDED.search(tail):
        return 1.0
    last = _LAST_WORD.search(tail)
    if last and len(said.words) > 2 and last.group(1).lower() in small_words():
        return _CUT
    return _PERHAPS_CUT if len(said.words) >= _PROSE_WORDS else 1.0


def _has_quantity(text: str, said: Content) -> bool:
    return any(char.isnumeric() for char in text) or not number_words().isdisjoint(said.words)
