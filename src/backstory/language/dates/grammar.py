"""What the rules are made of: patterns over canonical words, and the sentence they are read in."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Final

from backstory.language.dates.calendar import add_months
from backstory.language.dates.model import Point
from backstory.language.dates.scan import Sentence
from backstory.language.dates.tense import Tense, tense_at
from backstory.language.dates.words import ORDINALS, SEASONS, WEEKDAYS
from backstory.language.lexicon import MONTHS

FULL_DAY: Final = "|".join(WEEKDAYS)
SHORT_DAY: Final = "mon|tues?|weds?|thu|thurs?|fri|sat|sun"
DAY: Final = f"{FULL_DAY}|{SHORT_DAY}"
MONTH: Final = "|".join((*MONTHS, "jan|febr?|mar|apr|jun|jul|aug|sept?|oct|nov|dec"))
SEASON: Final = "|".join(SEASONS)
YEAR: Final = r"(?:1[89]|20)\d\d"
NUMBER: Final = r"(?:an? )?couple(?: of)?|half an?|an?|\d{1,3}\.\d|\d{1,4}w?(?: - \dw)?"
UNIT: Final = "day|night|week|fortnight|month|year|decade|century"
ABOUT: Final = (
    "(?:about|around|roughly|approximately|nearly|almost|exactly|just|over|like|only|some) "
)
NTH: Final = rf"\d{{1,2}}th|{'|'.join(ORDINALS)}"
YEAR_REFERENCE: Final = (
    rf"(?:(?: ,)?(?: of| in)? (?P<y>{YEAR})|(?: of| in)? (?P<yy>'\d\d)"
    rf"|(?: ,)?(?: of)? (?P<yr>last|this|next|the|that) year(?P<ybl> before last)?"
    rf"|(?: ,)? (?P<yn>{NUMBER}) year ago)"
)
_PART: Final = (
    "early|mid|late|start of|beginning of|end of|middle of|close of|first half of|second half of"
)
PART: Final = rf"(?:(?:the )?(?:very )?(?:{_PART})(?: in| -)? (?:the )?)"

_RANGE: Final = frozenset(("to", "until", "through", "-"))
_PAST_CUES: Final = frozenset(("since",))
_FUTURE_CUES: Final = frozenset(("until", "by", "due"))
_HALF: Final = {"half a": 0.5, "half an": 0.5}


class Context:
    """A sentence, the time it was written at, and the date that was found before, if any."""

    def __init__(self, sentence: Sentence, at: datetime, prior: Point | None) -> None:
        self.sentence = sentence
        self.at = at
        self.today: date = at.date()
        self.words = [token.word for token in sentence.tokens]
        self.prior = prior
        self.reached = -2

    def tense(self, match: re.Match[str]) -> Tense:
        """The tense of the clause around a match."""
        first = self.sentence.index(match.start())
        last = self.sentence.index(match.end() - 1)
        leading = set(self.words[max(0, first - 1) : last + 1])
        if leading & _PAST_CUES or "back" in self.words[first:last]:
            return Tense.PAST
        if leading & _FUTURE_CUES:
            told = tense_at(self.words, first, last + 1)
            return Tense.PAST if told is Tense.PAST and "by" in leading else Tense.FUTURE
        return tense_at(self.words, first, last + 1)

    def is_past(self, match: re.Match[str]) -> bool:
        """Whether the clause around a match tells of the past; if nothing says so, it does not."""
        return self.tense(match) is Tense.PAST

    def range_start(self, match: re.Match[str]) -> date | None:
        """The day from which a range runs that the match ends: "from Monday to Friday"."""
        first = self.sentence.index(match.start())
        leading = self.words[max(0, first - 1) : first + 1]
        if self.prior is None or self.prior.day is None or _RANGE.isdisjoint(leading):
            return None
        return self.prior.first

    def is_near_prior(self, match: re.Match[str]) -> bool:
        """Whether the date found before ends just before the match."""
        return 0 <= match.start() - self.reached <= 1

    def nearest(self, match: re.Match[str], of_year: Callable[[int], date]) -> date:
        """A day of each year: the last one, the next one, or the nearest if no verb tells which."""
        year, today = self.today.year, self.today
        tense = self.tense(match)
        if tense is Tense.NONE:
            days = [of_year(y) for y in (year - 1, year, year + 1) if 1 <= y <= date.max.year]
            return min(days, key=lambda day: abs(day - today))
        if tense is Tense.PAST:
            return next(d for d in map(of_year, (year, year - 1)) if d <= today)
        return next(d for d in map(of_year, (year, year + 1)) if d >= today)

    def year(self, match: re.Match[str]) -> int | None:
        """The year that the groups of `YEAR_REFERENCE` name, or None if none does."""
        groups = match.groupdict()
        if groups.get("y"):
            return int(groups["y"])
        if groups.get("yy"):
            return self.short_year(int(groups["yy"][1:]))
        if groups.get("yr"):
            if groups.get("ybl"):
                return self.today.year - 2
            return self.today.year + {"last": -1, "next": 1}.get(groups["yr"], 0)
        if groups.get("yn"):
            return add_months(self.today, -12 * int(number(groups["yn"]))).year
        return None

    def short_year(self, two_digits: int) -> int:
        """The year of two digits: up to ten years ahead, else in the past."""
        latest = self.today.year + 10
        return latest - (latest - two_digits) % 100

    def month(self, match: re.Match[str], month: int) -> int:
        """The year of a month without one; the current month counts for past and future."""
        today, tense = self.today, self.tense(match)
        if tense is Tense.NONE:
            return today.year + round((today.month - month) / 12)
        if tense is Tense.PAST:
            return today.year - (month > today.month)
        return today.year + (month < today.month)


Handler = Callable[[re.Match[str], Context], Point | None]
"""Gives what a match means, or None for words that are no date, whatever is in them."""


@dataclass(frozen=True)
class Rule:
    """A pattern, what it means, and the kinds of words one of which a sentence must have.

    Attributes:
        source: The pattern, over whole words of a canonical line.
        handler: What a match means.
        kinds: See `words.KINDS`; ``number`` = a token with a digit.
        words: Words or kinds one of which a sentence must have besides; none = no matter.
    """

    source: str
    handler: Handler
    kinds: frozenset[str]
    words: frozenset[str] = frozenset()

    def may_match(self, sentence: Sentence) -> bool:
        """A quick test that spares most sentences the pattern."""
        if self.kinds.isdisjoint(sentence.kinds):
            return False
        return not self.words or not self.words.isdisjoint(sentence.words)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when it is needed first: all of them take a tenth of a second."""
        return re.compile(self.source)


def rule(pattern: str, handler: Handler, kinds: str, words: str = "") -> Rule:
    """Make a rule of a pattern that begins and ends with a word; kinds and words are listed."""
    whole = rf"(?<!\S)(?:{pattern})(?!\S)"
    return Rule(whole, handler, frozenset(kinds.split()), frozenset(words.split()))


def number(words: str) -> float:
    """The value of `NUMBER`."""
    if "couple" in words:
        return 2
    if words in _HALF:
        return _HALF[words]
    if words in ("a", "an"):
        return 1
    return sum(float(part.rstrip("w")) for part in words.split(" - "))


def ordinal(word: str) -> int:
    """The value of `NTH`."""
    return ORDINALS[word] if word in ORDINALS else int(word.removesuffix("th"))


NOT_MINE: Final = Point(0)
"""What a handler gives if the words are not what its rule is for: another rule may have them."""


def nothing(_match: re.Match[str], _context: Context) -> None:
    """The handler of words that are no date."""
