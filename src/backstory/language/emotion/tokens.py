# ruff: noqa: RUF001
"""Splits a text into sentences of words, signs and pauses, and words into their plain form."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from backstory.language.emotion.model import Entry, Kind, Piece, Sentence

_TOKEN: Final = re.compile(
    r"(?P<skip>https?://\S+|www\.\S+|@\w+)"
    r"|(?P<word>[^\W_]+(?:['’ʼ`-][^\W_]+)*)"
    r"|(?P<sign></?3(?!\d)|[:;=]['’]?-?[()\[\]DP|/\\](?![\w/])|\^_*\^)"
    r"|(?P<end>[.!?…。！？\n]+)"
    r"|(?P<quote>[\"“”„«»])"
    r"|(?P<pause>[,;:()\[\]—–、，；：-]+)"
    r"|(?P<other>[^\s\w])"
)
_STRETCHED: Final = re.compile(r"(.)\1{2,}")
_WITHOUT_APOSTROPHE: Final = {
    "im": "i'm", "ive": "i've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't",
    "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "cant": "can't",
    "cannot": "can't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't",
    "wont": "won't", "havent": "haven't", "hasnt": "hasn't", "hadnt": "hadn't", "aint": "ain't",
    "youre": "you're", "theyre": "they're", "hes": "he's", "shes": "she's", "thats": "that's",
    "whats": "what's", "u": "you", "ur": "your", "r": "are", "luv": "love", "bday": "birthday",
    "anymore": "anymore", "favourite": "favourite", "gotta": "gotta", "pls": "please",
}  # fmt: skip
_APOSTROPHES: Final = str.maketrans("’ʼ`", "'''")


def sentences(text: str, known: Mapping[str, Entry], signs: Mapping[str, Entry]) -> list[Sentence]:
    """The sentences of a text. Signs behind the end of a sentence belong to it."""
    found = [Sentence([])]
    for match in _TOKEN.finditer(text):
        kind, shown = match.lastgroup, match.group()
        if kind == "word":
            _add_word(found, shown, known, signs)
        elif kind in ("sign", "other"):
            _add_sign(found, shown, signs)
        elif kind == "end":
            found[-1].end += shown
        elif kind in ("pause", "quote") and found[-1].pieces:
            found[-1].pieces.append(Piece(shown, Kind.PAUSE if kind == "pause" else Kind.QUOTE))
    return found


def _add_word(
    found: list[Sentence], shown: str, known: Mapping[str, Entry], signs: Mapping[str, Entry]
) -> None:
    if shown in signs:  # "xD" and "T_T" are made of letters
        _add_sign(found, shown, signs)
        return
    if found[-1].end:
        found.append(Sentence([]))
    word, stretched = plain(shown) if len(shown) < 40 else (shown[:40], False)
    if stretched:
        word = unstretched(word, known)
    caps = len(shown) > 1 and shown.isupper()
    title = not caps and shown[0].isupper()
    found[-1].pieces.append(Piece(word, caps=caps, title=title, stretched=stretched))


def _add_sign(found: list[Sentence], shown: str, signs: Mapping[str, Entry]) -> None:
    entry = signs.get(shown)
    if entry is not None:
        found[-1].pieces.append(Piece(shown, Kind.SIGN, entry.value, entry.strength, entry.tag))


@lru_cache(maxsize=4096)
def plain(shown: str) -> tuple[str, bool]:
    """A word in lower case with its apostrophes, and whether letters of it are repeated."""
    word = shown.lower().translate(_APOSTROPHES)
    stretched = _STRETCHED.search(word) is not None and word.isalpha()
    return _WITHOUT_APOSTROPHE.get(word, word), stretched


def unstretched(word: str, known: Mapping[str, Entry]) -> str:
    """The word that was stretched: with repeated letters twice or once, what the lists know."""
    twice, once = _STRETCHED.sub(r"\1\1", word), _STRETCHED.sub(r"\1", word)
    return twice if twice in known and once not in _ONCE else once


_ONCE: Final = frozenset(("so", "yes", "no"))


def words_of(sentence: Sentence) -> Iterator[str]:
    """The words of a sentence."""
    return (piece.word for piece in sentence.pieces)
