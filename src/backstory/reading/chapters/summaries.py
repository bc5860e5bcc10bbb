"""A summary without a model: sentences of the chapter itself, chosen by LexRank. Pure.

G. Erkan and D. Radev, "LexRank: graph-based lexical centrality as salience in text summarization",
JAIR 22 (2004), in its continuous form. The graph is never built: a step of its random walk is two
sparse products, so that the time grows with the words of a chapter and not with the square of its
sentences.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.continuity.prose import Span, sentences, spoken
from backstory.core.terms import FORM, KEY_MASK
from backstory.core.tokens import token_upper_bound
from backstory.language.lexicon import STOP_WORDS
from backstory.language.terms import has_content
from backstory.language.words import bare, token_terms, tokens

MAX_TOKENS: Final = 120
_DAMPING: Final = 0.85
_STEPS: Final = 30
_PRECISION: Final = 1e-6
_STRETCHES: Final = 4
"""Parts of a chapter that each give a sentence before one gives two: a summary tells the whole."""
_ALIKE: Final = 0.5
_FEW_TERMS: Final = 3
_SHORT: Final = 0.3
_OPENING: Final = 1.15
_LONGEST_SHARE: Final = 0.6
_MOST_TRIED: Final = 50
"""Sentences of a stretch; the best of a long chapter are far better than its fiftieth."""
_BLANKS: Final = re.compile(r"\s+")
_BREAK: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CUT: Final = "\u2026"
_SPOKEN: Final = 0.8
_TORN: Final = 0.6
_UNSPACED_END: Final = ("\u3002", "\uff01", "\uff1f", "\u300d", "\u300f")

_Floats = NDArray[np.float64]
_Indices = NDArray[np.int64]


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
    words = _Words([span.text for span in found])
    weights = words.weights * np.array(list(map(_weight, (one.text for one in found), said)))
    worth = words.rank() * weights
    order = [int(place) for place in np.argsort(-worth, kind="stable")]
    # What is torn or says next to nothing only fills a summary that has nothing better.
    taken = _fill(found, [place for place in order if weights[place] > _TORN], words, room, count)
    return taken or _fill(found, order, words, room, count)


def _fill(
    found: Sequence[Span],
    order: Sequence[int],
    words: "_Words",
    room: int,
    count: Callable[[str], int],
) -> set[int]:
    """The best sentences that fit, each stretch of the chapter in turn."""
    waiting: list[list[int]] = [[] for _ in range(_STRETCHES)]
    for place in order:
        queue = waiting[place * _STRETCHES // len(found)]
        if len(queue) < _MOST_TRIED:
            queue.append(place)
    taken: set[int] = set()
    left = room
    while any(waiting):
        for queue in waiting:
            while queue:
                place = queue.pop(0)
                cost = count(_one_line(found[place].text)) + (1 if taken else 0)
                most = left if taken else max(left * _LONGEST_SHARE, 1)
                if cost <= min(left, most) and not words.repeats(place, taken):
                    taken.add(place)
                    left -= cost
                    break
    return taken


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


@dataclass(slots=True)
class _Words:
    """Sentences as sparse rows of tf-idf, each of length 1."""

    rows: _Indices
    columns: _Indices
    values: _Floats
    starts: _Indices
    weights: _Floats
    size: int

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(_terms(text)) for text in texts]
        lengths = np.array([len(one) for one in counted], dtype=np.int64)
        self.starts = np.concatenate(([0], np.cumsum(lengths)))
        self.rows = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
        keys = np.fromiter((key for one in counted for key in one), np.int64)
        distinct, columns = np.unique(keys, return_inverse=True)
        self.columns = columns.reshape(-1).astype(np.int64)
        self.size = len(distinct)
        often = np.bincount(self.columns, minlength=self.size)
        rare = np.log((1 + len(texts)) / (1 + often)) + 1
        times = np.fromiter((n for one in counted for n in one.values()), np.float64)
        weighted = times * rare[self.columns]
        norms = np.sqrt(np.bincount(self.rows, weighted**2, minlength=len(texts)))
        self.values = weighted / norms[self.rows]
        self.weights = np.where(lengths < _FEW_TERMS, _SHORT, 1.0)
        self.weights[:1] *= _OPENING
        self.weights[-1:] *= _OPENING

    def similar(self, to: _Floats) -> _Floats:
        """Sums of the similarities of each sentence to all, weighted."""
        shared = np.bincount(self.columns, self.values * to[self.rows], minlength=self.size)
        values = self.values * shared[self.columns]
        return np.bincount(self.rows, values, minlength=len(to)).astype(np.float64)

    def rank(self) -> _Floats:
        """How central each sentence is; they sum to 1."""
        count = len(self.weights)
        degrees = np.maximum(self.similar(np.ones(count)), _PRECISION)
        ranks = np.full(count, 1 / count)
        for _ in range(_STEPS):
            following = (1 - _DAMPING) / count + _DAMPING * self.similar(ranks / degrees)
            if float(np.abs(following - ranks).sum()) < _PRECISION:
                break
            ranks = following
        return ranks

    def repeats(self, place: int, taken: set[int]) -> bool:
        """Whether a sentence says much the same as one of those that are taken."""
        mine = self._row(place)
        return any(
            sum(value * mine.get(key, 0.0) for key, value in self._row(other).items()) > _ALIKE
            for other in taken
        )

    def _row(self, place: int) -> dict[int, float]:
        span = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return dict(zip(self.columns[span].tolist(), self.values[span].tolist(), strict=True))


def _terms(text: str) -> list[int]:
    """Keys of the words that say something; those of form variants are left out."""
    return [
        term & KEY_MASK
        for word in tokens(text)
        if bare(word) not in STOP_WORDS
        for term in token_terms(word)
        if term < FORM
    ]
