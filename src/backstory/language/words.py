"""Splits text of any script into normalised words and names the forms that each is found by."""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Final

from backstory.core.terms import FORM, KEY_MASK, WORD, term_key
from backstory.language.stems import stem

_CACHED_LENGTH: Final = 40
"""Characters. Longer tokens are rare and would fill the cache with what never comes again."""

# After `normalise` every character above ASCII belongs to a word or stands alone: digits, a to z
# and all that is not ASCII. Written by what it leaves out, it compiles in no time.
_WORD: Final = r"[^\x00-/:-`{-\x7f]+"
_TOKEN: Final = re.compile(
    rf"[@#]?{_WORD}(?:(?:[-'./_:&+@#]|,(?=\d{{3}}\b)){_WORD})*(?:%|\+\+?|#)?"
)
_PART: Final = re.compile(_WORD)

_HAN_KANA: Final = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_SOUTH_EAST: Final = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
"""Thai, Lao, Myanmar, Khmer."""
_HANGUL: Final = r"\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
_RUN: Final = re.compile(
    rf"(?P<unspaced>[{_HAN_KANA}{_SOUTH_EAST}]+)|(?P<hangul>[{_HANGUL}]+)"
    rf"|(?P<spaced>[^{_HAN_KANA}{_SOUTH_EAST}{_HANGUL}]+)"
)
_ARABIC_FORMS: Final = str.maketrans("أإآٱىةی", "ااااييي".replace("ييي", "يهي"))
_ARABIC_PREFIX: Final = re.compile(r"(?:[وف]?(?:[بك]?ال|لل)|[وفبكل])(?=\w{2})")
_HEBREW_PREFIX: Final = re.compile(r"[ושהבלמכ](?=\w{3})")


class _Characters(dict[int, str]):
    """What `normalise` makes of each character; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if code < 0x80 or category[0] in "LMN":
            kept = character
        elif code in (0x2018, 0x2019, 0x02BC):
            kept = "'"
        elif 0x2010 <= code <= 0x2015:
            kept = "-"
        elif category == "So":
            kept = f" {character} "
        else:
            # Joiners, hyphenation points and skin tones change no word. The zero-width space
            # (U+200B) separates words in Thai and Khmer text.
            kept = "" if category in ("Cf", "Sk") and code != 0x200B else " "
        self[code] = kept
        return kept


_CHARACTERS: Final = _Characters(
    {0x0640: "", **dict.fromkeys(range(0xFE00, 0xFE10), "")}  # Arabic tatweel, emoji variants
)


def normalise(text: str) -> str:
    """Fold case and compatibility forms (Unicode NFKC, case folding) and drop what is no word."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded).translate(_CHARACTERS)


def tokens(text: str) -> list[str]:
    """Return the words of a text, normalised, identifiers such as ``req/s`` in one piece."""
    return _TOKEN.findall(normalise(text))


def bare(token: str) -> str:
    """Return the token without the English possessive ending."""
    return token[:-2] if token.endswith("'s") and len(token) > 2 else token


def has_content(text: str) -> bool:
    """Whether the text holds a letter, a mark, a number or a symbol such as an emoji."""
    return any(
        character.isalnum()
        or (category := unicodedata.category(character))[0] in "LMN"
        or category == "So"
        for character in text
    )


def without_accents(word: str) -> str:
    """Return the word without its combining marks."""
    parts = unicodedata.normalize("NFD", word)
    return unicodedata.normalize(
        "NFC", "".join(part for part in parts if unicodedata.category(part) != "Mn")
    )


def _clusters(run: str) -> list[str]:
    """Split an unspaced run into characters with the marks that belong to them."""
    clusters: list[str] = []
    for character in run:
        if clusters and unicodedata.category(character)[0] == "M":
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _unspaced(run: str, *, query: bool) -> list[int]:
    """Pairs of neighbouring characters; a message is found by its single characters too."""
    clusters = _clusters(run)
    if query and len(clusters) > 1:
        singles = []
    else:
        singles = [(FORM if len(clusters) > 1 else WORD) | term_key(c) for c in clusters]
    pairs = [WORD | term_key(first + second) for first, second in pairwise(clusters)]
    return pairs + singles


def _hangul(run: str, *, query: bool) -> list[int]:
    """The word, and its pairs of syllables: particles are written onto the word."""
    pieces = [first + second for first, second in pairwise(run)]
    if not query:
        pieces += run
    return [WORD | term_key(run), *(FORM | term_key(p) for p in pieces if p != run)]


def _spaced(run: str) -> list[int]:
    """The stem, and the forms without accents or Arabic and Hebrew prefixes."""
    stemmed = stem(run)
    forms = {stem(without_accents(run)): None}
    first = ord(run[0])
    if 0x0600 <= first < 0x0780:
        plain = without_accents(run).translate(_ARABIC_FORMS)
        forms[plain] = None
        forms[_ARABIC_PREFIX.sub("", plain, count=1)] = None
    elif 0x0590 <= first < 0x0600:
        forms[_HEBREW_PREFIX.sub("", without_accents(run), count=1)] = None
    forms.pop(stemmed, None)
    return [WORD | term_key(stemmed), *(FORM | term_key(form) for form in forms if form)]


def _word(word: str, *, query: bool) -> list[int]:
    if word.isascii():
        return [WORD | term_key(stem(word) if word.isalpha() else word)]
    terms: list[int] = []
    for run in _RUN.finditer(word):
        text = run.group()
        if run.lastgroup == "unspaced":
            terms += _unspaced(text, query=query)
        elif run.lastgroup == "hangul":
            terms += _hangul(text, query=query)
        else:
            terms += _spaced(text)
    return terms


def _token(token: str, query: bool) -> tuple[int, ...]:  # noqa: FBT001 (lru_cache keys on it)
    token = bare(token)
    parts = _PART.findall(token)
    if len(parts) == 1 and parts[0] == token:
        return tuple(_word(token, query=query))
    if "'" in token:  # "don't" has no word "t"
        parts = [part for part in parts if len(part) > 1] or parts
    terms = [term for part in parts for term in _word(part, query=query)]
    terms.append(FORM | term_key(token))
    if len(parts) > 1:
        terms.append(FORM | term_key("".join(parts)))
    return tuple(terms)


_cached_token = lru_cache(maxsize=65_536)(_token)


def token_terms(token: str, *, query: bool = False) -> tuple[int, ...]:
    """Return the terms of one token of `tokens`, the words first.

    Args:
        token: The token.
        query: Whether it is searched for; then an unspaced run is asked for by its pairs only.
    """
    return (_cached_token if len(token) <= _CACHED_LENGTH else _token)(token, query)


def text_keys(text: str) -> frozenset[int]:
    """The keys of the words of a text, in all their forms."""
    return frozenset(
        term & KEY_MASK for word in map(bare, tokens(text)) for term in token_terms(word)
    )
