"""The words that dates are told with: spellings, kinds, numbers."""

from functools import lru_cache
from string import ascii_lowercase
from typing import Final

from backstory.language.lexicon import MONTHS


def listed(words: str) -> tuple[str, ...]:
    """The words of a text; a list of two hundred is read more easily so."""
    return tuple(words.split())


WEEKDAYS: Final = listed("monday tuesday wednesday thursday friday saturday sunday")
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""Each with the month that it begins in, in the northern hemisphere."""

_SHORT_MONTHS: Final = listed("jan feb febr mar apr jun jul aug sep sept oct nov dec")
_SHORT_WEEKDAYS: Final = listed("mon tue tues wed weds thu thur thurs fri sat sun")
ABBREVIATIONS: Final = frozenset((*_SHORT_MONTHS, *_SHORT_WEEKDAYS))
"""Those after which a full stop does not end a sentence."""

_SPELLINGS: Final = {
    "yesterday": "yday yest yesturday yestarday yesterdy yesteday ystrday ystday yester",
    "tomorrow": "tmrw tmrrw tmr tmw tmo tmrow tmorrow tommorrow tommorow tomoro 2moro 2morrow "
    "2mrw 2mro tomoz tomo morrow",
    "today": "2day todya toady todday tday",
    "tonight": "2nite tonite 2night tonght tonigt",
    "weekend": "wkend wknd weeknd wkd",
    "wednesday": "wensday wednsday wendsday wedsday wednesdy",
    "february": "febuary feburary febrary",
    "saturday": "saterday satuday",
    "christmas": "xmas chrismas cristmas chrissie xmass",
    "halloween": "hallowe'en helloween haloween",
    "last": "lst",
    "next": "nxt",
    "before": "b4",
    "since": "snce",
    "until": "til till untill",
    "ago": "agao",
    "thanksgiving": "thxgiving turkeyday",
    "valentine": "valentines valentine's",
    "minute": "min mins minutes",
    "hour": "hr hrs hours",
    "day": "days",
    "night": "nights nite nites",
    "week": "wk wks weeks",
    "fortnight": "fortnights",
    "month": "mth mths mnth mnths months mo",
    "year": "yr yrs years",
    "decade": "decades",
    "century": "centuries",
    "couple": "cpl",
    "quarter": "q1 q2 q3 q4 h1 h2",
}
_NUMBERS: Final = listed(
    "zero one two three four five six seven eight nine ten eleven twelve "
    "thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_TENS: Final = {"thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_ORDINALS: Final = listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth "
    "eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINALS: Final = {word: number for number, word in enumerate(_ORDINALS, 1)} | {"thirtieth": 30}

CANONICAL: Final = (
    {wrong: right for right, many in _SPELLINGS.items() for wrong in many.split()}
    | {word: f"{number}w" for number, word in enumerate(_NUMBERS)}
    | {word: f"{number}w" for word, number in _TENS.items()}
)
"""What a word is read as. A number written as a word ends in ``w``: "may one" is no date."""

HOLIDAYS: Final = frozenset(
    listed(
        "christmas easter halloween thanksgiving valentine nye hogmanay pentecost whitsun lent "
        "advent ascension juneteenth epiphany mardi michaelmas candlemas bonfire fawkes corpus "
        "cinco hallows"
    )
)
_DAY_HINTS: Final = listed(
    "new years boxing stephen nicholas saints souls fools fool may groundhog patrick patricks "
    "paddy george georges andrew andrews david davids burns independence veterans armistice "
    "remembrance memorial labor labour mother mothers father fathers king mlk presidents "
    "columbus peoples anzac australia canada bastille women earth pi pancake old"
)
_WEEKDAY_HINTS: Final = listed(
    "good black cyber whit maundy holy palm ash shrove fat pancake remembrance mothering"
)
HOLIDAY_HINTS: Final = (
    dict.fromkeys(_DAY_HINTS, "unit")
    | dict.fromkeys(_WEEKDAY_HINTS, "weekday")
    | {"fourth": "month"}
)
"""Words of days whose other word is of another kind, as in "Good Friday", with that kind."""
_UNITS: Final = listed(
    "weekends minute hour day night week weekend fortnight month year decade century"
)
_RELATIVE: Final = listed("yesterday today tonight tomorrow overmorrow morning afternoon evening")


def _kinds() -> dict[str, str]:
    kinds = dict.fromkeys(_UNITS, "unit")
    kinds |= dict.fromkeys(_RELATIVE, "relative")
    kinds |= dict.fromkeys((*WEEKDAYS, *_SHORT_WEEKDAYS), "weekday")
    kinds |= dict.fromkeys((*MONTHS, *_SHORT_MONTHS), "month")
    kinds |= dict.fromkeys((*SEASONS, *(f"{name}s" for name in SEASONS)), "season")
    kinds |= {f"{name}s": "weekdays" for name in WEEKDAYS}
    kinds |= dict.fromkeys(HOLIDAYS, "holiday")
    return kinds


KINDS: Final = _kinds()
"""The kind of each canonical word that a date can be built on."""

_LONG: Final = (
    *WEEKDAYS, "yesterday", "tomorrow", "tonight", "weekend", "january", "february", "september",
    "october", "november", "december", "christmas",
)  # fmt: skip
_OTHER_WORDS: Final = frozenset(
    listed(
        "sundae sunray sundry sundays mondays tuesdays wednesdays "
        "thursdays fridays saturdays weekends "
        "weekender weekenders noonday mundane yesterdays tomorrows januarys octobers novembers"
    )
)


def _slips(word: str) -> set[str]:
    """All that one dropped, doubled, swapped, wrong or extra letter makes of a word."""
    halves = [(word[:i], word[i:]) for i in range(1, len(word) + 1)]
    slips = {a + b[1:] for a, b in halves if b}
    slips |= {a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1}
    slips |= {a + c + b[1:] for a, b in halves if b for c in ascii_lowercase}
    slips |= {a + c + b for a, b in halves for c in ascii_lowercase}
    return slips - {word, word + "s"}


@lru_cache(maxsize=1)
def spellings() -> dict[str, str]:
    """All known ways to write a time word, with one slip allowed in the long ones.

    The first letter is taken to be right; a dozen real words that lie one letter off are not.
    """
    known = {slip: word for word in _LONG for slip in _slips(word) if slip not in _OTHER_WORDS}
    known |= CANONICAL
    return known | {word: word for word in KINDS}


@lru_cache(maxsize=1)
def triggers() -> frozenset[str]:
    """The words without one of which, and without a digit, a text has no date."""
    return frozenset(word for word, right in spellings().items() if right in KINDS)


def month_number(word: str) -> int:
    """The month of a name or abbreviation."""
    return 1 + next(i for i, name in enumerate(MONTHS) if name[:3] == word[:3])


def weekday_number(word: str) -> int:
    """The weekday (0 = Monday) of a name or abbreviation."""
    return next(i for i, name in enumerate(WEEKDAYS) if name[:3] == word[:3])
