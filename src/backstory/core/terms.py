"""Hashed terms: how words become numbers, and what a query asks of the keyword arm.

A term is 32 bits wide. The low 30 bits are its key, a stable hash of the text; the two high
bits say what kind of term it is. Terms of different kinds share their key, so a query word
finds a message by its text, by another form of the word and by the speaker's name alike; the
kind only decides what counts towards the message's length.
"""

import zlib
from dataclasses import dataclass
from datetime import date
from typing import Final

KEY_BITS: Final = 30
KEY_MASK: Final = (1 << KEY_BITS) - 1

WORD: Final = 0
"""A word of the text (counts towards the length)."""
FORM: Final = 1 << KEY_BITS
"""Another form of a word that is there: without accents, the whole of a compound, a syllable."""
HEADER: Final = 2 << KEY_BITS
"""A word of the speaker's name or of the date."""
MARK: Final = 3 << KEY_BITS
"""A property of the message, such as being a question."""


def term_key(text: str) -> int:
    """Hash a normalised text to 30 bits, the same on every machine (CRC-32 of UTF-8)."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) & KEY_MASK


# A space cannot occur in a word, so no word has the key's text of a mark.
QUESTION_MARK: Final = MARK | term_key("mark question")
TIME_MARK: Final = MARK | term_key("mark time")
TOLD_MARK: Final = MARK | term_key("mark told")
"""What is said took place, or will, at a time that is told: "last week", "in May"."""


def whole_key(words: list[str]) -> int:
    """The key of a text taken word for word; equal for texts that differ in punctuation only."""
    return term_key("whole " + " ".join(words))


def date_key(year: int | None, month: int | None = None, day: int | None = None) -> int:
    """The key of a date that messages tell of; without a year of that month or day of any year."""
    parts = ("*" if part is None else str(part) for part in (year, month, day))
    return term_key(f"told {'-'.join(parts)}")


def date_keys(day: date, precision: str) -> tuple[int, ...]:
    """The keys of a date that is told: itself, its month and year, and those of any year.

    Args:
        day: The day, or the first one of the month or year.
        precision: "day", "month" or "year".
    """
    keys = [date_key(day.year)]
    if precision != "year":
        keys += [date_key(day.year, day.month), date_key(None, day.month)]
    if precision == "day":
        keys += [date_key(year, day.month, day.day) for year in (day.year, None)]
    return tuple(keys)


@dataclass(frozen=True, kw_only=True)
class AskedDate:
    """A month or a day that a query names.

    Attributes:
        year: The year; None for any.
        month: 1 to 12.
        day: Day of the month; None for all of it.
        until: The last day of a part of the month that begins with ``day``; None for that day.
    """

    year: int | None = None
    month: int
    day: int | None = None
    until: int | None = None


@dataclass(frozen=True, kw_only=True)
class QueryTerms:
    """What a query asks of the keyword arm.

    Attributes:
        keys: Distinct keys of its content words, in order of appearance.
        words: Its words that may be names, normalised, to recognise speakers.
        whole: Key of the whole query, to recognise a message that says the same word for word.
        asks_when: Whether it asks for a time.
        asks_for_answers: Whether it asks for what an assistant said, or for a summary.
        dates: Days and months that it names.
        is_temporal: Whether its answer is a time or an order, or of a time.
        told: Keys of the dates, one of which a message must tell of to be of a time that it names.
        wishes: Keys of the words by which a user says how to be answered, if it asks for help.
    """

    keys: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    whole: int | None = None
    asks_when: bool = False
    asks_for_answers: bool = False
    dates: tuple[AskedDate, ...] = ()
    is_temporal: bool = False
    told: tuple[int, ...] = ()
    wishes: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search for by keyword."""
        return not self.keys
