"""Cuts a chapter into passages of whole sentences, for search."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from backstory.core.continuity.prose import sentences

PASSAGE_TOKENS: Final = 200
_WIDE: Final = re.compile(
    "[\u0e00-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\U00016000-\U0003ffff]"
)
# Tokens of a letter: about four letters to one, and one where letters are words or syllables.
_NARROW_COST: Final = 0.28
_WIDE_COST: Final = 1.0
_MOST_OVER: Final = 1.25


@dataclass(frozen=True)
class Cut:
    """A part of a text by its code points, ``end`` exclusive."""

    start: int
    end: int


def passages(text: str, tokens: int = PASSAGE_TOKENS) -> list[Cut]:
    """Cut a text into passages.

    A passage ends before the sentence that would make it too long. A sentence that is too long
    by itself is cut at a blank, and where there is none, anywhere.

    Args:
        text: Any text.
        tokens: About how many tokens a passage has at most, 1 or more.

    Returns:
        Passages in order; between them are blanks only.
    """
    costs = [0.0, *accumulate(map(_cost, text))]
    found: list[Cut] = []
    start = end = -1
    for sentence in sentences(text):
        if start < 0:
            start = sentence.start
        elif costs[sentence.end] - costs[start] > tokens:
            found.append(Cut(start, end))
            start = sentence.start
        end = sentence.end
        while costs[end] - costs[start] > tokens * _MOST_OVER:
            cut = _cut(text, costs, start, tokens)
            found.append(Cut(start, cut))
            start = cut
    if end > start >= 0:
        found.append(Cut(start, end))
    trimmed = (_trimmed(text, each) for each in found)
    return [each for each in trimmed if each.end > each.start]


def _cost(letter: str) -> float:
    return _WIDE_COST if _WIDE.match(letter) else _NARROW_COST


def _cut(text: str, costs: list[float], start: int, tokens: int) -> int:
    most = max(start + 1, bisect_right(costs, costs[start] + tokens) - 1)
    blank = text.rfind(" ", start + 1, most)
    return blank + 1 if blank > start + (most - start) // 2 else most


def _trimmed(text: str, cut: Cut) -> Cut:
    part = text[cut.start : cut.end]
    start = cut.start + len(part) - len(part.lstrip())
    return Cut(start, start + len(part.strip()))
