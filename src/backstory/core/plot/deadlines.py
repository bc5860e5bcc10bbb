"""By which chapter a thread should close: read from what people and models write.

A deadline is a chapter after the one that plants it, or None, which means: by the end. The end
is not written down as a number, because it moves when the author plans more or fewer chapters.
"""

import math
import re
from decimal import Decimal
from numbers import Integral, Rational, Real
from typing import Final
from unicodedata import digit, normalize

from backstory.core.model.plot import PlotThread
from backstory.core.wordlists import word_set

DEFAULT_SPAN: Final = 10
"""Chapters that a thread gets if no deadline is given and nobody knows where the end is."""

_FURTHEST: Final = 10**9
_LONGEST_TEXT: Final = 200
_ENDINGS: Final = word_set(
    "end ending finale final last inf infinity infinite ∞ epilogue conclusion "
    "fin ende schluss fine fim конец "
    "结局 結局 终章 終章 結末 "
    "결말 النهاية"
)
_BESIDE_ENDING: Final = word_set(
    "the at by before until of in this a novel book story series chapter section part + -"
)
_WORD: Final = re.compile(r"[^\W\d_]+|[∞+-]")
_NUMBER: Final = re.compile(r"\d+")
_IN_SO_MANY: Final = re.compile(
    r"\b(?:in|within|after)\s+(?:the\s+)?(?:next\s+)?\d+\s+\S"
    r"|\d+\s+(?:\w+\s+)?(?:later|from now|hence)\b"
)


def read_deadline(raw: object, chapter: int, planned_chapters: int | None = None) -> int | None:
    """The deadline of a thread that is planted in a chapter.

    Args:
        raw: A number, a text with one in it ("12", "Ch. 12", "in 3 chapters", digits of any
            script), a word for the ending, infinity, or anything else.
        chapter: The chapter that plants the thread, 1 or more.
        planned_chapters: How many there will be, or None. A plan that ended before ``chapter``
            is none.

    Returns:
        A number above ``chapter``, and not above ``planned_chapters``; None = by the end. Infinity
        and numbers beyond the end are the ending. What cannot be meant (NaN, a chapter that is
        past, words) gives the default: the ending where it is known, else ten chapters later.
    """
    end = _known_end(chapter, planned_chapters)
    number = _as_number(raw, chapter)
    if number is not None and number > (_FURTHEST if end is None else end):
        return None
    if number is None or int(number) <= chapter:
        return None if end is not None else chapter + DEFAULT_SPAN
    return int(number)


def due_chapter(thread: PlotThread, planned_chapters: int | None = None) -> int | None:
    """When a thread is due, by its deadline and the plan as it is now.

    Returns:
        The deadline, or the planned end if that comes first, which does not bind what was planted
        after it; None where neither is known.
    """
    deadline = thread.deadline
    if planned_chapters is None or (thread.planted_in or 0) > planned_chapters:
        return deadline
    return planned_chapters if deadline is None else min(deadline, planned_chapters)


def thread_deadline(raw: object, chapter: int, planned_chapters: int | None = None) -> int | None:
    """The chapter by which a thread should close, from whatever a model or a person wrote.

    Args:
        raw: A number, text with a number, "the ending", infinity, NaN, None, or anything else.
        chapter: The chapter that plants the thread.
        planned_chapters: How many chapters there will be; None = not known.

    Returns:
        Never 0, never before ``chapter``, never beyond the end. The last chapter for the ending,
        also when that is ``chapter`` itself; None for the ending of a book of unknown length.
    """
    end = _known_end(chapter, planned_chapters)
    deadline = read_deadline(raw, chapter, planned_chapters)
    return end if deadline is None else deadline


def _known_end(chapter: int, planned_chapters: int | None) -> int | None:
    is_over = planned_chapters is not None and planned_chapters < chapter
    return None if is_over else planned_chapters


def _as_number(raw: object, chapter: int) -> float | int | None:
    """A number, infinity for the ending, or None."""
    if isinstance(raw, str):
        return _in_text(normalize("NFKC", raw[:_LONGEST_TEXT]).casefold().strip(), chapter)
    if isinstance(raw, bool) or not isinstance(raw, Real | Decimal):
        return None
    if isinstance(raw, Integral):
        return int(raw)
    try:
        value = float(raw)
    except ValueError:  # a Decimal that signals
        return None
    except OverflowError:  # a fraction that no float can hold
        return math.inf if isinstance(raw, Rational) and int(raw.numerator) > 0 else None
    return None if math.isnan(value) or value == -math.inf else value


def _in_text(text: str, chapter: int) -> float | int | None:
    words = _WORD.findall(text)
    found = _NUMBER.search(text)
    if found is None:
        is_ending = bool(_ENDINGS.intersection(words)) and not text.startswith("-")
        return math.inf if is_ending and _ENDINGS.union(_BESIDE_ENDING) >= set(words) else None
    try:
        value = float(text)
    except ValueError:
        value = float(_small(found.group()))
        return chapter + value if _IN_SO_MANY.search(text) else value
    return None if math.isnan(value) else value


def _small(digits: str) -> float:
    """The value of digits of any script; infinity where there are more than a chapter can have."""
    plain = "".join(str(digit(char)) for char in digits).lstrip("0")
    return math.inf if len(plain) > len(str(_FURTHEST)) else float(plain or "0")
