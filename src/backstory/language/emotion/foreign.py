"""Reads feelings by small lists of words in languages other than English: cautiously."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from backstory.language.emotion.feelings import MEDIUM, MILD, STRONG
from backstory.language.emotion.foreign_words import UNSPACED, WORDS
from backstory.language.emotion.model import Kind, Piece

LANGUAGES: Final = frozenset((*WORDS, *UNSPACED))
"""Subtags of BCP 47 of the languages with a list."""

_WORD: Final = re.compile(r"[^\W\d_]+|[,.;:!?\n]")
_LEVELS: Final = (STRONG, MEDIUM, MILD)
_REACH: Final = 4
_DENIED: Final = -0.5
_HEDGED: Final = 0.7
_BOOST: Final = 0.3
_LEAST: Final = 0.9
_SHORTEST: Final = 3
_LONGEST: Final = 16


@dataclass(frozen=True, slots=True)
class _Words:
    values: dict[str, tuple[float, float]]
    beginnings: dict[str, tuple[float, float]]
    denials: frozenset[str]
    boosts: frozenset[str]
    hedges: frozenset[str]

    def of(self, word: str) -> tuple[float, float] | None:
        """Value and strength of a word or of the longest known beginning of it."""
        found = self.values.get(word)
        for length in range(min(len(word), _LONGEST), _SHORTEST - 1, -1):
            if found is not None:
                break
            found = self.beginnings.get(word[:length])
        return found


def foreign_pieces(text: str, language: str | None) -> list[Piece]:
    """What the list of a language says of a text; for None the lists of the spaced languages."""
    if language in UNSPACED:
        return _unspaced(text, str(language))
    words = [match.group().lower() for match in _WORD.finditer(text)]
    tried = [language] if language is not None else list(WORDS)
    found = [_spaced(words, _words(name)) for name in tried]
    return max(found, key=len)


@cache
def _words(language: str) -> _Words:
    row = WORDS.get(language) or UNSPACED[language]
    values: dict[str, tuple[float, float]] = {}
    beginnings: dict[str, tuple[float, float]] = {}
    for at, words in enumerate(row[:6]):
        value, strength = _LEVELS[at % 3]
        for word in words.split():
            target = beginnings if word.endswith("*") else values
            target[word.removesuffix("*")] = (value if at < 3 else -value, strength)
    denials, boosts, hedges = (frozenset(words.split()) for words in row[6:])
    return _Words(values, beginnings, denials, boosts, hedges)


def _spaced(words: list[str], known: _Words) -> list[Piece]:
    found = []
    for at, word in enumerate(words):
        meant = known.of(word)
        if meant is None:
            continue
        before, after = words[max(0, at - _REACH) : at], words[at + 1 : at + 3]
        clause = before[_last_pause(before) :]
        denied = bool(
            known.denials.intersection([*clause, *(after if _denies_behind(known) else ())])
        )
        found.append(_piece(word, meant, clause + after, known, denied=denied))
    return found


def _last_pause(words: list[str]) -> int:
    return max((at + 1 for at, word in enumerate(words) if not word[0].isalpha()), default=0)


def _denies_behind(known: _Words) -> bool:
    """German denies behind the verb ("ich mag das nicht")."""
    return "nicht" in known.denials


def _piece(
    word: str, meant: tuple[float, float], around: list[str], known: _Words, *, denied: bool
) -> Piece:
    value, strength = meant
    if known.boosts.intersection(around):
        strength += _BOOST
        value *= 1.2
    if known.hedges.intersection(around):
        value, strength = value * _HEDGED, strength / 2
    if denied:
        value = max(_LEAST, abs(value * _DENIED)) * (-1 if value > 0 else 1)
        strength = min(strength, MILD[1])
    return Piece(word, Kind.FEELING, value, strength, "", denied=denied)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    known = _words(language)
    words = sorted(known.values, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


def _unspaced(text: str, language: str) -> list[Piece]:
    known = _words(language)
    found = []
    for match in _pattern(language).finditer(text):
        start, end = match.span()
        behind = language == "ja"
        before, after = text[max(0, start - 4) : start], text[end : end + 6]
        denied = any(word in (after if behind else before[-2:]) for word in known.denials)
        around = [word for word in known.boosts | known.hedges if word in before]
        found.append(
            _piece(match.group(), known.values[match.group()], around, known, denied=denied)
        )
    return found
