"""Cuts a text into sentences of canonical words, which the rules are written for."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from string import ascii_letters
from typing import Final, NamedTuple

from backstory.language.dates.words import (
    ABBREVIATIONS,
    HOLIDAY_HINTS,
    KINDS,
    ORDINALS,
    spellings,
    triggers,
)

_WORDS: Final = re.compile(r"[a-z']+|\d")
_TOKEN: Final = re.compile(
    r"""
      (?P<space>[^\S\n]+)
    | (?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)*)(?!\w)
    | (?P<stamp>(?<![\w/.-])\d{4}-\d\d-\d\d(?=T\d))[T\d:.+Z-]*
    | (?P<short>(?<!\w)['\u2018\u2019]\d\d(?!\w))
    | (?P<clock>(?<![\w./-])\d{1,2}(?:[:.h]\d\d){0,2}\s?(?:[ap]\.?m\b\.?|o'clock\b)
        |(?<![\w./-])\d{1,2}:\d\d(?::\d\d)?(?![\w/-]|[.:]\d))
    | (?P<ordinal>(?<![\w./-])\d{1,2}(?:st|nd|rd|th)\b)
    | (?P<glued>(?<![\w.])\d{1,3}(?:ye?a?rs?|we?e?ks?|days?|months?|mn?ths?|hrs?|hours?|mins?)\b)
    | (?P<daymonth>(?<![\w./-])\d{1,2}\.\d{1,2}\.(?!\w))
    | (?P<number>
        (?:(?<=\bmid-)|(?<=\bearly-)|(?<=\blate-)|(?<=\bpre-)|(?<=\bpost-)
          |(?<![\w./:\u00a3$\u20ac\u00a5#@&+-]))
        \d+(?:[-./]\d+)*(?![\w/@%]|[.,:]\d|-\w|\s?[%\u20ac\u00a3]))
    | (?P<junk>[\w\u00a3$\u20ac\u00a5#@&+]*\d(?:[\w%\u20ac\u00a3]|[-.,:/+](?=\w))*)
    | (?P<mark>[.!?;,:()\u2026\n/"\u201c\u201d]|[-\u2010-\u2015])
    """,
    re.VERBOSE,
)
_ENDS: Final = frozenset(".!?;\u2026\n")
_CONTRACTION: Final = re.compile(r"(.+)'(s|re|ll|ve|m|d)")
_DASHED: Final = re.compile(r"(\d{1,2})-([a-z]{3,9})-(\d\d|\d{4})")
_PLAIN: Final = str.maketrans(dict.fromkeys(map(chr, range(0x2010, 0x2016)), "-"))


class Token(NamedTuple):
    """A canonical word and where it stands in the text."""

    word: str
    begin: int
    end: int


class Sentence:
    """The tokens of a sentence and their canonical words in one string.

    Attributes:
        tokens: The tokens in order.
        line: Their words with one space between them.
        kinds: The kinds of the words that dates are built on.
        words: The different words, and the kinds.
    """

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        words = [token.word for token in tokens]
        self.line = " ".join(words)
        self.kinds = {KINDS.get(word, "") for word in words}
        if not self.kinds.isdisjoint(HOLIDAY_HINTS.get(word, "none") for word in words):
            self.kinds.add("holiday")
        if not ORDINALS.keys().isdisjoint(words):
            self.kinds.add("ordinal")
        if any(token.word[0].isdigit() or token.word[0] == "'" for token in tokens):
            self.kinds.add("number")
        self.words = self.kinds.union(words)
        self._starts: list[int] = []
        position = 0
        for token in tokens:
            self._starts.append(position)
            position += len(token.word) + 1

    def index(self, position: int) -> int:
        """The token that holds a position of ``line``."""
        return bisect_right(self._starts, position) - 1

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """The characters of the text that a piece of ``line`` came from."""
        first, last = self.index(begin), self.index(end - 1)
        return self.tokens[first].begin, self.tokens[last].end

    def written(self, begin: int, end: int) -> str:
        """The piece of ``line`` as it was written."""
        first, last = self.span(begin, end)
        return self.text[first:last]


def may_have_date(text: str) -> bool:
    """A quick test that most texts without a date fail."""
    words = set(_WORDS.findall(text.lower()))
    words |= {word.split("'")[0] for word in words if "'" in word}
    return not (words.isdisjoint(triggers()) and words.isdisjoint("0123456789"))


def sentences(text: str) -> Iterator[Sentence]:
    """Give the sentences that hold a number or a word of time."""
    tokens: list[Token] = []
    known = spellings()
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "space":
            continue
        if match.lastgroup == "word":
            word = match.group().lower()
            if word in known or word.isalpha():
                tokens.append(Token(known.get(word, word), *match.span()))
                continue
        if match.lastgroup == "mark":
            mark = match.group()
            if mark == "." and _is_abbreviation(text, tokens, match.end()):
                continue
            if mark in _ENDS:
                if tokens:
                    yield Sentence(text, tokens)
                tokens = []
                continue
        tokens += _tokens(match)
    if tokens:
        yield Sentence(text, tokens)


def _is_abbreviation(text: str, tokens: list[Token], end: int) -> bool:
    if not tokens or tokens[-1].end != end - 1:
        return False
    if tokens[-1].word in ABBREVIATIONS or tokens[-1].word in ("no", "nr", "st"):
        return True
    # "3. May"
    following = text[end : end + 4].strip().lower()
    return tokens[-1].word.isdecimal() and KINDS.get(following[:3], "") == "month"


def _tokens(match: re.Match[str]) -> Iterator[Token]:
    kind, written = match.lastgroup or "", match.group()
    begin, end = match.span()
    if kind in ("word", "junk"):
        yield from _word(written, begin, end, junk=kind == "junk")
    elif kind == "glued":
        middle = begin + len(written.rstrip(ascii_letters))
        yield Token(written[: middle - begin], begin, middle)
        yield from _word(written[middle - begin :], middle, end, junk=False)
    elif kind == "clock":
        yield Token("0:00", begin, end)
    elif kind == "ordinal":
        yield Token(written[:-2] + "th", begin, end)
    elif kind == "short":
        yield Token("'" + written[1:], begin, end)
    elif kind == "stamp":
        stamp = match.group("stamp")
        yield Token(stamp, begin, begin + len(stamp))
    else:
        yield Token(written.translate(_PLAIN), begin, end)


def _word(written: str, begin: int, end: int, *, junk: bool) -> Iterator[Token]:
    word = written.lower().replace("\u2019", "'")
    known = spellings()
    dashed = _DASHED.fullmatch(word) if junk else None
    if dashed and KINDS.get(dashed[2][:3]) == "month":
        yield Token(dashed[1], begin, begin + len(dashed[1]))
        yield Token(dashed[2], begin + dashed.start(2), begin + dashed.end(2))
        yield Token(
            dashed[3] if len(dashed[3]) > 2 else "'" + dashed[3], begin + dashed.start(3), end
        )
        return
    if junk:
        yield Token(known.get(word, "#"), begin, end)
        return
    parts = None if word in known else _CONTRACTION.fullmatch(word)
    if parts is None or len(word) != len(written):
        yield Token(known.get(word, word), begin, end)
        return
    stem = parts[1]
    middle = begin + len(stem)
    yield Token(known.get(stem, stem), begin, middle)
    yield Token("'" + parts[2], middle, end)
