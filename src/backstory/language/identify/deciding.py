"""The language of a text whose script is known."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from backstory.core.scripts.carrier import Carrier, sampled
from backstory.language.identify import latin_words, letters, other_words, sole
from backstory.language.identify.family import Family, Guess

_MIN_SHARE: Final = 0.2
_MIN_LEAD: Final = 1.15
# One or two words name a language only where they are in no list but its own.
_FEW_WORDS: Final = 2
_MIN_LEAD_OF_FEW: Final = 3.0
_SURE_SHARE: Final = 0.25
_SURE_LEAD: Final = 1.3
_SURE_WORDS: Final = 40
_SURE_HAN: Final = 40
_MIN_HANGUL: Final = 0.15

_RULES: Final[dict[str, Callable[[str], str | None]]] = {
    "Bengali": sole.bengali,
    "Canadian_Aboriginal": sole.syllabics,
    "Greek": sole.greek,
    "Hebrew": sole.hebrew,
    "Myanmar": sole.myanmar,
    "Tibetan": sole.tibetan,
}


@dataclass(frozen=True, slots=True)
class Language:
    """A language that was recognised.

    Attributes:
        code: Primary subtag of BCP 47.
        sure: Whether the text is long and clear enough to hold another language against it.
        variant: ``Hans`` or ``Hant`` for Chinese where characters decide, else None.
    """

    code: str
    sure: bool
    variant: str | None = None


def language_of(text: str, carrier: Carrier) -> Language | None:
    """The language of a text, of which a long one is sampled; None where it cannot be told.

    Args:
        text: Any text.
        carrier: Its script, from ``carrier_of``.
    """
    if carrier.script == "Han":
        return _of_han(carrier)
    if carrier.script in sole.SOLE:
        return Language(sole.SOLE[carrier.script], sure=True)
    sample = sampled(text)
    if carrier.script in _RULES:
        code = _RULES[carrier.script](sample)
        return None if code is None else Language(code, sure=False)
    family = _family(carrier.script)
    return None if family is None else _named(family.guess(sample))


def _of_han(carrier: Carrier) -> Language | None:
    letters_of_han = carrier.counts["Han"]
    if carrier.counts.get("Hangul", 0) > _MIN_HANGUL * letters_of_han:
        return Language("ko", sure=False)
    if carrier.han is None or carrier.han.language is None:
        return None
    code = carrier.han.language
    variant = None if code == "ja" else carrier.han.variant
    return Language(code, sure=letters_of_han >= _SURE_HAN, variant=variant)


def _named(guess: Guess | None) -> Language | None:
    if guess is None or guess.share < _MIN_SHARE or guess.lead < _MIN_LEAD:
        return None
    if guess.words <= _FEW_WORDS and (guess.share < 1 or guess.lead < _MIN_LEAD_OF_FEW):
        return None
    sure = guess.words >= _SURE_WORDS and guess.share >= _SURE_SHARE and guess.lead >= _SURE_LEAD
    return Language(guess.language, sure)


@cache
def _family(script: str) -> Family | None:
    """The languages of a script, made at the first text that needs them."""
    if script == "Latin":
        return Family(latin_words.WORDS, letters.LATIN, letters.LATIN_BASE)
    if script == "Cyrillic":
        return Family(other_words.CYRILLIC, letters.CYRILLIC, letters.CYRILLIC_BASE)
    if script == "Arabic":
        return Family(other_words.ARABIC, letters.ARABIC, letters.ARABIC_BASE)
    if script == "Devanagari":
        return Family(other_words.DEVANAGARI, letters.DEVANAGARI)
    if script == "Ethiopic":
        return Family(other_words.ETHIOPIC, letters.ETHIOPIC)
    return None
