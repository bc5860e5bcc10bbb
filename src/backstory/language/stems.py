"""English stems: one term for "travels", "travelled" and "travelling"."""

from functools import lru_cache
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer

LONGEST_STEMMED: Final = 40
"""Characters. No English word is longer; hashes and base64 are, and stemming them takes long."""


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    # A stemmer keeps the word that it works on, so threads must not share one. Making one costs
    # 1 µs, stemming 60. The pure Python class is named outright because the package's factory
    # prefers PyStemmer where that is installed, and its release may stem otherwise.
    return str(EnglishStemmer().stemWord(word))


def stem(word: str) -> str:
    """Return the stem of a lower-case word (Snowball's English algorithm, also called Porter 2).

    Words of other languages keep their form or lose an ending, the same one each time. Words
    longer than 40 characters are returned as they are.
    """
    return _stem(word) if len(word) <= LONGEST_STEMMED else word
