"""From a message to its dated happenings: "I adopted a cat last Tuesday", "my exam is on 5 May".

Precision first. What is asked, denied, wished, supposed, quoted or told of by others is none, nor
is a date that only bounds something ("since April", "by Friday"). English, as the dates are.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Final, NamedTuple

from backstory.core.model.derived import Precision
from backstory.core.model.fact import USER
from backstory.core.model.found import FoundEvent
from backstory.language.dates import ResolvedDate, find_dates
from backstory.reading.rules.clauses import Clause, split
from backstory.reading.rules.fillers import skip_fillers
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood, is_foreign, is_sarcastic, mood_of
from backstory.reading.rules.text import Sentence, Word, mask, sentences
from backstory.reading.timeline.telling import Telling, Told, is_verb
from backstory.reading.timeline.words import (
    ADVERBS,
    AT,
    DAY_PARTS,
    NOUN_STARTS,
    RANGES,
    RECURRING,
    STARTING,
)

MOST_CHARS: Final = 8_000
"""Characters. What stands behind them in a message is pasted, not told."""
_MOST_WORDS: Final = 40
"""Words. A longer clause is no sentence of talk."""
_MOST_PREDICATE: Final = 160
"""Characters."""
_LITTLE: Final = word_set("morning afternoon evening night noon and or so but then , ( )")
_JOINING: Final = word_set("and but so")
_TIMING: Final = word_set("after before")
_SPEAKERS: Final = word_set("i we he she they my our the")
_ADVERBIAL: Final = word_set("after before during at in with for right straight on near by")


class _Part(NamedTuple):
    """A clause with how it is meant."""

    clause: Clause
    mood: Mood


def find_events(
    text: str,
    at: datetime,
    *,
    subject: str = USER,
    message_id: str = "",
    session_id: str | None = None,
) -> list[FoundEvent]:
    """Find the dated happenings that a message tells of.

    Args:
        text: What a person said, without what others put into it.
        at: When, an aware time; its date in its own zone is "today".
        subject: Whom "I" stands for.
        message_id: The message.
        session_id: Its session.

    Returns:
        The happenings in their order. A date that counts from the one before it has the day that
        it comes to; one that the calendar does not have is left out.

    Raises:
        InvalidInputError: ``at`` has no time zone.
    """
    # the length stays the same, so places in the one are places in the other
    masked = mask(text[:MOST_CHARS])
    dates = find_dates(masked, at)
    if not dates or is_foreign(masked):
        return []
    split_up = sentences(masked)
    found: dict[tuple[str, str], FoundEvent] = {}
    for sentence, some in _by_sentence(split_up, dates):
        if not _is_told(masked, sentence):
            continue
        for event in _of_sentence(text, sentence, some, at.date()):
            told = FoundEvent(
                message_id=message_id,
                session_id=session_id,
                said_at=at.astimezone(UTC),
                quote=text[slice(*event.quote)],
                subject=_subject(event.told, subject),
                predicate=event.predicate,
                occurred_on=event.when.start.date(),
                precision=Precision(str(event.when.precision)),
                expression=text[slice(*event.when.span)],
                place=event.when.span[0],
            )
            found.setdefault((told.predicate.casefold(), told.expression), told)
    return list(found.values())


class _Event(NamedTuple):
    """What a clause tells, in words, and the date it tells it of.

    Attributes:
        quote: Begin and end of the clause with its date.
    """

    told: Told
    predicate: str
    when: ResolvedDate
    quote: tuple[int, int]


def _by_sentence(
    split_up: Sequence[Sentence], dates: Sequence[ResolvedDate]
) -> Iterator[tuple[Sentence, list[ResolvedDate]]]:
    for sentence in split_up:
        begin, end = sentence.words[0].start, sentence.words[-1].end
        some = [one for one in dates if begin < one.span[1] and one.span[0] < end]
        if some:
            yield sentence, some


def _is_told(masked: str, sentence: Sentence) -> bool:
    if "?" in sentence.end:
        return False
    return not is_sarcastic(masked[sentence.words[0].start : sentence.words[-1].end + 4])


def _of_sentence(
    text: str, sentence: Sentence, dates: Sequence[ResolvedDate], today: date
) -> Iterator[_Event]:
    parts = _parts(sentence, dates)
    for place, part in enumerate(parts):
        inside = [one for one in dates if _is_in(part.clause, one)]
        if not inside or any(_bounds(part.clause, one) for one in inside):
            continue
        whole = _whole(parts, place, inside)
        if whole is None or whole.mood is not Mood.STATED:
            continue
        event = _event(text, whole.clause, inside, today)
        if event is not None:
            yield event


def _split(sentence: Sentence, dates: Sequence[ResolvedDate]) -> Iterator[Clause]:
    """The clauses of a sentence, more of them than elsewhere.

    "…, but last month I joined a choir" begins one of its own, and so does "… after we went".
    """
    cuts = [0]
    words = sentence.words
    for at in range(1, len(words) - 1):
        low, after = words[at].low, words[at + 1]
        if low in _JOINING and _goes_on(words, at, dates):
            cuts.append(at)
        elif low in _TIMING and after.low in _SPEAKERS:
            cuts.append(at + 1)
    for begin, end in pairwise([*cuts, len(words)]):
        if any(not word.is_sign for word in words[begin:end]):
            yield from split(Sentence(words[begin:end], sentence.end), 0)


def _goes_on(words: Sequence[Word], at: int, dates: Sequence[ResolvedDate]) -> bool:
    """Whether a statement of its own begins behind "and", "but" or "so"."""
    after = words[at + 1]
    if any(one.span[0] <= after.start < one.span[1] for one in dates):
        return True
    if words[at - 1].low != "," or is_verb(after.low):
        return False
    return any(is_verb(word.low) or word.low in STARTING for word in words[at + 2 : at + 8])


def _parts(sentence: Sentence, dates: Sequence[ResolvedDate]) -> list[_Part]:
    found: list[_Part] = []
    before, mood = None, Mood.STATED
    for clause in _split(sentence, dates):
        mood = mood_of(clause, before, mood)
        is_there = clause.lows[0] == "there" and mood is Mood.QUESTION
        found.append(_Part(clause, Mood.STATED if is_there else mood))
        before = clause
    return found


def _is_in(clause: Clause, one: ResolvedDate) -> bool:
    return clause.start < one.span[1] and one.span[0] < clause.end


def _bounds(clause: Clause, one: ResolvedDate) -> bool:
    """Whether the date is an end, a beginning or one of a range."""
    begin, end = one.span
    words = clause.words
    first = next((at for at, word in enumerate(words) if word.end > begin), None)
    if first is None or (first == 0 and clause.lead in RANGES):
        return True
    if words[first].start >= begin and first and words[first - 1].low in _OWNERS:
        return True  # "a September dinner": the date is that of a thing
    back = 2 if first > 1 and words[first - 1].low == "the" else 1
    lows = [word.low for word in words[max(0, first - back) : first + 1]]
    after = [word.low for word in words if word.start >= end][:1]
    return not RANGES.isdisjoint(lows) or not _ONWARDS.isdisjoint(after)


_ONWARDS: Final = word_set("to until till - onwards")
_OWNERS: Final = word_set("a an my our his her their your its this 's")


def _whole(parts: Sequence[_Part], place: int, dates: Sequence[ResolvedDate]) -> _Part | None:
    """The clause that says what happened: this one, or if it is only a date the one beside it."""
    part = parts[place]
    if not _is_bare(part.clause, dates):
        return part
    for beside in (place + 1, place - 1):
        if 0 <= beside < len(parts):
            return parts[beside]
    return None


def _is_bare(clause: Clause, dates: Sequence[ResolvedDate]) -> bool:
    rest = [word for word in _kept(clause.words, dates) if not word.is_sign]
    if all(word.low in _LITTLE or word.low in ADVERBS for word in rest):
        return True
    return rest[0].low in _ADVERBIAL and not any(is_verb(word.low) for word in rest)


def _kept(words: Sequence[Word], dates: Sequence[ResolvedDate]) -> list[Word]:
    """The words without the dates and what belongs to them."""
    dated = [any(w.start < d.span[1] and d.span[0] < w.end for d in dates) for w in words]
    for at in range(len(words) - 1, 0, -1):
        begins = dated[at] and not dated[at - 1] and words[at].low not in AT
        dated[at - 1] = dated[at - 1] or (begins and words[at - 1].low in AT)
    for at in range(1, len(words)):
        dated[at] = dated[at] or (dated[at - 1] and words[at].low in DAY_PARTS)
    return [word for word, gone in zip(words, dated, strict=True) if not gone]


def _event(text: str, clause: Clause, dates: Sequence[ResolvedDate], today: date) -> _Event | None:
    if len(clause.words) > _MOST_WORDS or not RECURRING.isdisjoint(clause.bag):
        return None
    one = dates[0]
    if _is_unsure(text[slice(*one.span)], one, today):
        return None
    if any(other.date != one.date for other in dates[1:]):
        return None  # which of them it happened on is not said plainly
    words = _kept(clause.words, dates)
    skipped = skip_fillers(words) if words and words[0].low != "there" else 0
    told = Telling(words[skipped:], one, today).told()
    predicate = "" if told is None else _joined(text, told.words)
    if told is None or not predicate or len(predicate) > _MOST_PREDICATE:
        return None
    quote = min(clause.start, one.span[0]), max(clause.end, one.span[1])
    return _Event(told, predicate, one, quote)


def _is_unsure(expression: str, one: ResolvedDate, today: date) -> bool:
    """Whether a day of a year that is not told may as well be the next one; or two years."""
    if _YEARS.search(expression):
        return True
    if _YEAR.search(expression) or one.precision != "day" or not _FIGURE.search(expression):
        return False
    return _FAR < abs((today - one.start.date()).days) < _LONG


_YEARS: Final = re.compile(r"\d{4}\s?[-\u2013/]\s?\d{4}")
_YEAR: Final = re.compile(r"\d{4}|'\d\d|year|ago|last|\d[./]\d")
_FIGURE: Final = re.compile(r"\d")
_FAR: Final = 275
_LONG: Final = 366
"""Days. "on 15 September", said on the 2nd, is that of the last year only by the grammar."""


def _subject(told: Told, speaker: str) -> str:
    if not told.person:
        return speaker
    return told.person if speaker == USER or told.is_name else f"{speaker}'s {told.person}"


def _joined(text: str, words: Sequence[Word]) -> str:
    """The words as they stand in the message, on one line, closed up where a date was."""
    pieces: list[str] = []
    last: Word | None = None
    for word in words:
        if last is not None and word.start < last.end:
            continue  # the second part of a contraction has the place of the whole
        glued = last is None or word.start == last.end or word.low in {",", ")"}
        pieces.append(("" if glued else " ") + text[word.start : word.end])
        last = word
    joined = "".join(pieces).strip(" ,;:-(")
    if words and words[0].low in NOUN_STARTS | {"there"}:
        return joined[:1].lower() + joined[1:]  # it began a sentence, and does so no more
    return joined
