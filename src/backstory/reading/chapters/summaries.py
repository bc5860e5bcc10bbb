"""A summary without a model: sentences of the chapter itself, chosen by LexRank. Pure."""

import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from backstory.core.continuity.prose import Span, sentences, spoken
from backstory.core.tokens import token_upper_bound
from backstory.language.lexrank import SentenceWords, fill
from backstory.language.words import has_content

MAX_TOKENS: Final = 120
_STRETCHES: Final = 4
"""Parts of a chapter that each give a sentence before one gives two: a summary tells the whole."""
_OPENING: Final = 1.15
_BLANKS: Final = re.compile(r"\s+")
_BREAK: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CUT: Final = "\u2026"
_SPOKEN: Final = 0.8
_TORN: Final = 0.6
_UNSPACED_END: Final = ("\u3002", "\uff01", "\uff1f", "\u300d", "\u300f")


def summarise(
    text: str, *, max_tokens: int = MAX_TOKENS, count: Callable[[str], int] = token_upper_bound
) -> str:
    """A few sentences of a text, as it writes them, in its order.

    Runs of blanks with a line break become one space; nothing else of a sentence changes. A text
    that fits is given whole. If no sentence fits, the first is cut behind a word, with "…".

    Args:
        text: A chapter in any script.
        max_tokens: The most that the summary may take, 1 or more.
        count: Counts tokens.

    Returns:
        Never longer than asked; "" for a text without a letter, number or symbol.
    """
    whole = _one_line(text)
    if not has_content(whole):
        return ""
    if len(whole) <= 8 * max_tokens and count(whole) <= max_tokens:
        return whole
    found = [span for span in sentences(text) if has_content(span.text)]
    found = [span for span in found if not span.text.startswith("#")] or found
    chosen = _choose(found, _said(found, spoken(text)), max_tokens, count)
    if chosen:
        return _joined([_one_line(found[place].text) for place in sorted(chosen)])
    return _clip(_one_line(found[0].text), max_tokens, count)


def _one_line(text: str) -> str:
    """The text with a space for each run of blanks that breaks a line; in linear time."""
    return _BLANKS.sub(_blank, text).strip()


def _blank(run: "re.Match[str]") -> str:
    return " " if _BREAK.search(run.group()) else run.group()


def _joined(lines: Sequence[str]) -> str:
    """Sentences behind each other; where the script writes no blanks, without one."""
    return "".join(
        line if number == len(lines) - 1 or line.endswith(_UNSPACED_END) else f"{line} "
        for number, line in enumerate(lines)
    )


def _weight(sentence: str, said: int) -> float:
    """Less than 1 for what says little without its surroundings; said: characters of speech."""
    opened = sum(map(sentence.count, "\u201c\u00ab\u300c\u300e"))
    closed = sum(map(sentence.count, "\u201d\u00bb\u300d\u300f"))
    if opened != closed or sentence.count('"') % 2:
        return _TORN
    return _SPOKEN if said > len(sentence) / 2 else 1.0


def _said(found: Sequence[Span], speech: Sequence[tuple[int, int]]) -> list[int]:
    """How many characters of each sentence somebody speaks."""
    counts, place = [], 0
    for span in found:
        while place < len(speech) and speech[place][1] <= span.start:
            place += 1
        said, at = 0, place
        while at < len(speech) and speech[at][0] < span.end:
            said += min(span.end, speech[at][1]) - max(span.start, speech[at][0])
            at += 1
        counts.append(said)
    return counts


def _choose(
    found: Sequence[Span], said: Sequence[int], room: int, count: Callable[[str], int]
) -> set[int]:
    words = SentenceWords([span.text for span in found])
    words.weights[:1] *= _OPENING
    words.weights[-1:] *= _OPENING
    weights = words.weights * np.array(list(map(_weight, (one.text for one in found), said)))
    worth = words.rank() * weights
    order = [int(place) for place in np.argsort(-worth, kind="stable")]

    def cost(place: int) -> int:
        return count(_one_line(found[place].text))

    # What is torn or says next to nothing only fills a summary that has nothing better.
    good = [place for place in order if weights[place] > _TORN]
    taken = fill(_by_stretch(good, len(found)), words, room, cost, gap=1)
    return taken or fill(_by_stretch(order, len(found)), words, room, cost, gap=1)


def _by_stretch(order: Sequence[int], count: int) -> list[list[int]]:
    waiting: list[list[int]] = [[] for _ in range(_STRETCHES)]
    for place in order:
        waiting[place * _STRETCHES // count].append(place)
    return waiting


def _clip(sentence: str, room: int, count: Callable[[str], int]) -> str:
    """The beginning of a sentence that fits, behind a word if it has blanks."""
    low, high = 0, min(len(sentence), 16 * room)
    while low < high:
        middle = (low + high + 1) // 2
        if count(sentence[:middle].rstrip() + _CUT) <= room:
            low = middle
        else:
            high = middle - 1
    blank = sentence.rfind(" ", low // 2, low + 1)
    cut = sentence[: blank if blank > 0 and low < len(sentence) else low].rstrip()
    return cut + _CUT if cut else ""
