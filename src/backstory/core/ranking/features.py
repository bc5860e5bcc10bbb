"""Properties of messages and of the dialogue that move a message up or down."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from backstory.core.partition import Partition
from backstory.core.ranking.options import RankOptions
from backstory.core.terms import KEY_MASK, QUESTION_MARK, TIME_MARK, AskedDate, QueryTerms

_DAY: Final = 86_400_000_000
"""Microseconds."""
_NEAR: Final = 2
"""Days: people tell of a thing on the next day or the one after."""


def named_speakers(partition: Partition, terms: QueryTerms) -> list[str]:
    """Return the speakers whom the query names, by any word of their name."""
    words = set(terms.words)
    named = []
    for speaker in partition.speakers.values:
        if speaker is None:
            continue
        name = unicodedata.normalize("NFKC", speaker).casefold()
        pieces = {piece for piece in name.split() if len(piece) > 1}
        # An unspaced script has the name inside a longer word of the query.
        inside = not name.isascii() and any(name in word for word in words)
        if inside or pieces & words:
            named.append(speaker)
    return named


def marked(partition: Partition, mark: int) -> NDArray[np.bool_]:
    """Return which messages carry a mark."""
    result = np.zeros(len(partition), dtype=np.bool_)
    result[partition.find(mark & KEY_MASK)[0]] = True
    return result


def asked_of_people(partition: Partition) -> NDArray[np.bool_]:
    """Return which messages are questions that another person answers.

    They hold the words of the answer but not the answer. To an assistant, people tell and ask in
    one message, so that where speakers have no names a question counts like any other message.
    """
    return marked(partition, QUESTION_MARK) & ~partition.speakers.is_any_of([None])


def shortness(partition: Partition, options: RankOptions) -> NDArray[np.float32]:
    """Return how far each message needs its neighbours to be understood, in (0, 1]."""
    words = np.maximum(partition.term_counts, np.float32(options.short_turn))
    share: NDArray[np.float32] = np.divide(options.short_turn, words, dtype=np.float32)
    return share


def dated(partition: Partition, dates: Iterable[AskedDate]) -> NDArray[np.float32]:
    """Return how near each message lies to the best of the dates: 1 by day, a half in its month.

    Days are those of UTC.
    """
    days = np.floor_divide(partition.timestamps, _DAY).astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    number = months.astype(np.int64)
    of_month = (days - months.astype("datetime64[D]")).astype(np.int64) + 1
    best = np.zeros(len(partition), dtype=np.float32)
    for date in dates:
        same = number % 12 == date.month - 1
        if date.year is not None:
            same &= number // 12 == date.year - 1970
        score = same * np.float32(0.5)
        if date.day is not None:
            last = date.until or date.day
            score[same & (date.day - _NEAR <= of_month) & (of_month <= last + _NEAR)] = 1.0
        np.maximum(best, score, out=best)
    return best


def wishing(partition: Partition, words: Iterable[int]) -> NDArray[np.bool_]:
    """Return which messages are a user's and hold one of the words."""
    result = np.zeros(len(partition), dtype=np.bool_)
    for word in words:
        result[partition.find(word)[0]] = True
    return result & partition.roles.is_any_of(["user"])


def bonuses(
    partition: Partition, terms: QueryTerms, options: RankOptions
) -> dict[str, NDArray[np.float32]]:
    """Return what is added to each message's score, by the name of the reason."""
    result: dict[str, NDArray[np.float32]] = {}
    named = named_speakers(partition, terms)
    if named:
        result["speaker"] = _weighted(options.speaker_bonus, partition.speakers.is_any_of(named))
    if terms.asks_when:
        result["time"] = _weighted(options.time_bonus, marked(partition, TIME_MARK))
    if terms.dates:
        result["date"] = options.date_bonus * dated(partition, terms.dates)
    if terms.wishes:
        result["wish"] = _weighted(options.wish_bonus, wishing(partition, terms.wishes))
    questions = standing(partition, options).questions
    if questions is not None:
        result["question"] = questions
    if terms.whole is not None:
        same = partition.find(terms.whole)[0]
        if len(same):
            result["word for word"] = np.zeros(len(partition), dtype=np.float32)
            result["word for word"][same] = 2 * options.reach(terms)  # above all others
    return result


def _weighted(weight: float, holds: NDArray[np.bool_]) -> NDArray[np.float32]:
    return np.multiply(holds, np.float32(weight))


def length_factor(
    partition: Partition, terms: QueryTerms, options: RankOptions
) -> NDArray[np.float32]:
    """Return the factor on each message's score, 1 but for long answers of an assistant."""
    if terms.asks_for_answers:
        return np.ones(len(partition), dtype=np.float32)
    return standing(partition, options).factor


def _length_factor(partition: Partition, options: RankOptions) -> NDArray[np.float32]:
    factor = np.ones(len(partition), dtype=np.float32)
    long = partition.roles.is_any_of(["assistant"]) & (partition.lengths > options.long_answer)
    share = options.long_answer / partition.lengths[long]
    factor[long] = np.maximum(share**options.long_answer_power, options.long_answer_floor)
    return factor


@dataclass(frozen=True, kw_only=True, eq=False)
class Standing:
    """What holds of each message whatever is asked.

    Attributes:
        options: What it was made with.
        shortness: How far it needs its neighbours to be understood.
        factor: That of its length.
        questions: What is added to questions that another person answers; None if there are none.
    """

    options: RankOptions
    shortness: NDArray[np.float32]
    factor: NDArray[np.float32]
    questions: NDArray[np.float32] | None


_STANDING: Final = WeakKeyDictionary[Partition, Standing]()


def standing(partition: Partition, options: RankOptions) -> Standing:
    """Return what holds of each message whatever is asked, made once for each partition."""
    known = _STANDING.get(partition)
    if known is None or known.options is not options:
        asks = asked_of_people(partition)
        known = _STANDING[partition] = Standing(
            options=options,
            shortness=shortness(partition, options),
            factor=_length_factor(partition, options),
            questions=_weighted(-options.question_malus, asks) if asks.any() else None,
        )
    return known
