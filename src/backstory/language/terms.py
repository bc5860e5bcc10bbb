"""The terms of messages and queries: what the keyword arm of search works on."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.terms import (
    HEADER,
    KEY_MASK,
    MARK,
    QUESTION_MARK,
    TIME_MARK,
    TOLD_MARK,
    QueryTerms,
    date_keys,
    whole_key,
)
from backstory.core.text import abridge
from backstory.language.dates import find_dates
from backstory.language.lexicon import (
    MONTHS,
    STOP_WORDS,
    TIME_EXPRESSION,
    TIME_QUESTION,
    TIME_WORDS,
    TOLD_EXPRESSION,
    WISH_WORDS,
)
from backstory.language.questions import (
    LONGEST,
    asked_dates,
    asks_for_answers,
    is_request,
    without_frame,
)
from backstory.language.words import bare, has_content, normalise, token_terms, tokens

__all__ = ["TERMS_VERSION", "dense_query_text", "has_content", "message_terms", "query_terms"]

TERMS_VERSION: Final = 2
"""Stored beside the terms of each message; terms of another version must be made anew."""

_MOST_KEYS: Final = 256
"""Keys of one query. A pasted page asks for its first words; the ranking uses the rarest."""

_MOST_TOLD: Final = 2_000
"""Characters. Further on a message is pasted rather than told."""

_SHOWN_CHARS: Final = (2000, 500)
_DIGIT: Final = re.compile(r"\d")
_QUESTION: Final = re.compile(r"[?\uff1f\u061f\u037e\u055e\u1367]")


def message_terms(
    text: str, *, speaker: str | None, timestamp: datetime, tells: bool = True
) -> NDArray[np.uint32]:
    """Return the terms of a message: its words in order, then speaker, date and marks.

    Args:
        text: What was said.
        speaker: The name of who said it, or None where there is only a role.
        timestamp: When it was said; its calendar date in its own zone becomes searchable.
        tells: Whether a person speaks, so that the dates it tells of become searchable too.
    """
    words = tokens(text)
    terms: list[int] = []
    for word in words:
        terms += token_terms(word)
    terms += _header(speaker or "", timestamp.year, timestamp.month, timestamp.day)
    terms.append(MARK | whole_key(words))
    if _QUESTION.search(text):
        terms.append(QUESTION_MARK)
    if _tells_time(text, words):
        terms.append(TIME_MARK)
        if tells:
            terms += _told(text, timestamp)
    return np.array(terms, dtype=np.uint32)


@lru_cache(maxsize=1024)
def _header(speaker: str, year: int, month: int, day: int) -> tuple[int, ...]:
    words = [*tokens(speaker), MONTHS[month - 1], str(year), str(day)]
    return tuple(HEADER | (term & KEY_MASK) for word in words for term in token_terms(word))


def _tells_time(text: str, words: list[str]) -> bool:
    # The pattern takes longer than all the rest, so most texts are spared it.
    if TIME_WORDS.isdisjoint(words) and not _DIGIT.search(text):
        return False
    return TIME_EXPRESSION.search(text.lower()) is not None


def _told(text: str, timestamp: datetime) -> Iterator[int]:
    """The mark of a message that places something in time, and the dates that it names.

    A date is found by itself, by its month and its year, and by day and month of any year.
    """
    low = text[:_MOST_TOLD].lower()
    if TOLD_EXPRESSION.search(low) is None:
        return
    yield TOLD_MARK
    keys: dict[int, None] = {}
    for found in find_dates(text[:_MOST_TOLD], timestamp):
        keys.update(dict.fromkeys(date_keys(found.start.date(), found.precision)))
    yield from (MARK | key for key in keys)


def query_terms(text: str) -> QueryTerms:
    """Return what a query asks for. Its text is data: nothing in it is an operator.

    Stop words and question words are left out unless there are no others, and so is what only
    says how to answer.
    """
    words = tokens(text)
    plain = normalise(text)
    question = plain if len(plain) <= LONGEST else ""
    names = [bare(word) for word in tokens(without_frame(text))]
    content = [word for word in names if word not in STOP_WORDS] or names
    keys: dict[int, None] = {}
    for word in content:
        if len(keys) >= _MOST_KEYS:
            break
        keys.update(dict.fromkeys(term & KEY_MASK for term in token_terms(word, query=True)))
    return QueryTerms(
        keys=tuple(keys),
        words=tuple(dict.fromkeys(name for name in names if _may_be_name(name, text))),
        whole=whole_key(words) if words else None,
        asks_when=TIME_QUESTION.search(plain) is not None,
        asks_for_answers=asks_for_answers(question),
        dates=asked_dates(question),
        wishes=_wish_keys() if is_request(question) else (),
    )


@lru_cache(maxsize=1)
def _wish_keys() -> tuple[int, ...]:
    return tuple(token_terms(word, query=True)[0] & KEY_MASK for word in WISH_WORDS)


def dense_query_text(query: str, speakers: tuple[str, ...]) -> str:
    """Return the query without the speakers' names and the words about the answer.

    It is what is embedded. A question that names a person lies nearest to what is said *to* that
    person. Who speaks is a matter of the ranking's speaker bonus instead.

    Args:
        query: The query.
        speakers: The names of all speakers of this user's messages.
    """
    query = without_frame(query)
    names = {bare(word) for speaker in speakers for word in tokens(speaker)}
    if not names:
        return query

    def is_name(piece: str) -> bool:
        words = [bare(word) for word in tokens(piece)]
        return bool(words) and all(word in names and _may_be_name(word, piece) for word in words)

    remaining = " ".join(piece for piece in query.split() if not is_name(piece))
    return remaining if has_content(remaining) else query


def _may_be_name(word: str, text: str) -> bool:
    # "will" is a name only where it is written as one.
    return word not in STOP_WORDS or word.capitalize() in text


def shared_words(text: str, query: str) -> tuple[str, ...]:
    """The content words of the query that a text holds, in any form.

    Of a long query only what begins and what ends it is looked at.
    """
    inside = set(query_terms(text).keys)
    words = dict.fromkeys(query_terms(abridge(query, *_SHOWN_CHARS)).words)
    return tuple(word for word in words if inside.intersection(query_terms(word).keys))
