"""A text as units that can be counted and compared, in any script."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from backstory.language.quality.small_words import languages_of, small_words
from backstory.language.words import tokens, without_accents

MOST_CHARS: Final = 6_000
"""Of a longer text the beginning is looked at, and its last words."""

_TRUNCATED: Final = 5
_UNSPACED: Final = re.compile(
    r"[\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff]+"
)
_KANA: Final = re.compile(r"[\u3041-\u3096]+")
_HANGUL: Final = re.compile(r"[\uac00-\ud7ff]+")
_ARTICLE: Final = re.compile(r"^[\u0648\u0641\u0628\u0643\u0644]?\u0627\u0644(?=\w{2})")
# Han characters of grammar rather than of content.
_GRAMMAR: Final = frozenset("的了是在我你他她它们這这那有和就不也都要会能可以吗呢吧啊很一个什么怎")


@dataclass(frozen=True)
class Content:
    """What a text holds, without its order of words.

    Attributes:
        words: Its words in order, without accents; unspaced scripts by characters.
        terms: Its content words in order, cut to five letters: a stemmer for all languages at
        once,
            since what a word has of grammar stands mostly at its end. Unspaced scripts by pairs
            of neighbouring characters.
    """

    words: tuple[str, ...]
    terms: tuple[str, ...]

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Its content words, each once."""
        return frozenset(self.terms)

    @cached_property
    def languages(self) -> dict[str, int]:
        """How many of its small words each language has."""
        found: dict[str, int] = {}
        known = languages_of()
        for word in self.words:
            for language in known.get(word, ()):
                found[language] = found.get(language, 0) + 1
        return found


def content_of(text: str) -> Content:
    """Read a text of any length; a long one by its beginning."""
    words: list[str] = []
    terms: list[str] = []
    for token in tokens(text[:MOST_CHARS]):
        some, content = _read(token)
        words += some
        terms += content
    return Content(tuple(words), tuple(terms))


@lru_cache(maxsize=16_384)
def _read(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if token.isascii():
        return (token,), () if token in small_words() else (_cut(token),)
    if _UNSPACED.search(token):
        return _unspaced(token)
    if _HANGUL.fullmatch(token):
        return (token,), (token[:2],)
    word = without_accents(token)
    return (word,), () if word in small_words() else (_cut(_ARTICLE.sub("", word, count=1)),)


def _cut(word: str) -> str:
    return word[:-2] if word.endswith("'s") else word[:_TRUNCATED]


def _unspaced(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pairs: list[str] = []
    for run in _UNSPACED.findall(token):
        pairs += (a + b for a, b in pairwise(run) if not _is_grammar(a + b))
    rest = _UNSPACED.sub(" ", token).split()
    return (*token,), (*pairs, *(_cut(word) for word in rest))


def _is_grammar(pair: str) -> bool:
    return _KANA.fullmatch(pair) is not None or not _GRAMMAR.isdisjoint(pair)
