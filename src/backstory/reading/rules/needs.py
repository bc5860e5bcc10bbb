"""Which words a text must have for a pattern to match in it.

A regular expression costs far more than a look into a set of words, and few of the patterns of
change can match in a given sentence. What a pattern needs is read off the pattern itself, so that
nobody has to keep a list beside it. Method: the literal prefilter of Cox, "Regular Expression
Matching with a Trigram Index" (2012), with words for trigrams.

The words of a pattern are followed as strings in which a blank is any sign, digit, blank or border
of words, and "?" is anything at all. Where the strings become too many, or say nothing, the answer
is that the pattern may match everywhere.
"""

import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from backstory.reading.rules.lexicon import word_set

_ANY: Final = "?"
_BORDER: Final = " "
_MOST: Final = 64
"""Strings that are followed at once."""
_PART: Final = re.compile(
    r"\(\?:[a-zA-Z |]*\)|\(\?P<\w+>|\(\?[a-zA-Z-]*:|\(\?<?[=!]|\(|\)|\|"
    r"|\[\^?\]?(?:\\.|[^\]\\])*\]|\\u[0-9a-f]{4}|\\."
    r"|[a-zA-Z]+(?: [a-zA-Z]+)+(?![a-zA-Z ?*+{])|[a-zA-Z]+|[?*+][?+]?|\{\d*,?\d*\}[?+]?|.",
    re.DOTALL,
)
"""A group of plain choices or a run of plain words is one part: most of them are such."""
_QUANTITY: Final = re.compile(r"[?*+]|\{\d*,?\d*\}")
_WHOLE: Final = re.compile(r"(?<![a-z?])[a-z]+(?![a-z?])")
_LAST: Final = re.compile(r"[ ?]?[a-z]*$")
_WORD: Final = re.compile(r"[a-z]+")
_SIGNS: Final = re.compile(r"\\u[0-9a-f]{4}|\\[sdWb\W]")
"""Parts of a set of characters that are no letters."""
_FEW: Final = re.compile(r"\[[a-zA-Z]{1,6}\]")
_UNSEEN: Final = frozenset(["(?!", "(?<!", "(?<="])
_COMMON: Final = word_set(
    """
    a about all am an and are as at be been but by can do for from get go good got had has have he
    her him his i if in is it just like m me my no not now of on one or our out over re s said she
    so some t that the their them then there they this to up ve was we were what when will with
    would you your
    """
)
"""Words that tell little of a sentence: another one is taken where there is one."""

Strings = frozenset[str]
Stretch = frozenset[frozenset[str]]
"""Sets of words: each text that the pattern is found in has all the words of one of them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the texts have that one of the choices of a pattern is found in.

    Attributes:
        words: Each has one of these.
        others: Each has one word of each of these too.
        stretches: Where a word is not enough: each has all words of one set of each stretch.
    """

    words: frozenset[str]
    others: tuple[frozenset[str], ...]
    stretches: tuple[Stretch, ...]

    def may_be_in(self, words: Set[str]) -> bool:
        """Whether it may be found in a text of these words; False is sure."""
        # plain loops: it is asked very often
        if self.words.isdisjoint(words):
            return False
        for some in self.others:
            if some.isdisjoint(words):
                return False
        for stretch in self.stretches:
            for one in stretch:
                if one <= words:
                    break
            else:
                return False
        return True


@lru_cache(maxsize=64)
def words_in(text: str) -> frozenset[str]:
    """The runs of letters from a to z in a text, whatever their case."""
    if text.isascii():
        return frozenset(_WORD.findall(text.lower()))
    return frozenset(_WORD.findall(text.casefold().replace("\u0131", "i")))


def needed(pattern: str) -> tuple[Choice, ...] | None:
    """What each text has in which a pattern is found, its case left aside.

    Returns:
        The choices that the pattern is made of, with words in lower case; None if the pattern may
        be found in a text without any words.
    """
    return _Reader(pattern).needed()


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._parts = _PART.findall(pattern)
        self._at = 0
        self._depth = 0
        self._found: list[Stretch] = []

    def needed(self) -> tuple[Choice, ...] | None:
        """What is needed by each of the choices that the pattern is made of."""
        choices: list[Choice] = []
        while True:
            self._found = []
            self._note(self._sequence(frozenset([_ANY])))
            if not self._found:
                return None
            words, *others = sorted(map(_telling, self._found), key=_rank)
            whole = (found for found in self._found if any(len(one) > 1 for one in found))
            choices.append(Choice(words, tuple(others), tuple(whole)))
            if self._at >= len(self._parts):
                return tuple(choices)
            self._at += 1

    def _sequence(self, strings: Strings) -> Strings:
        """What stands up to the end of a group, or to the next choice."""
        while self._at < len(self._parts) and self._parts[self._at] not in {"|", ")"}:
            item = self._item()
            if len(strings) * len(item) > _MOST:
                self._note(strings)
                strings = frozenset(map(_shortened, strings))
            if len(strings) * len(item) > _MOST:
                strings = _collapsed(strings)
            strings = frozenset([one + two for one in strings for two in item])
        return strings

    def _item(self) -> Strings:
        part = self._parts[self._at]
        self._at += 1
        strings = self._group(part) if part[0] == "(" else _single(part)
        if self._at >= len(self._parts) or not _QUANTITY.match(self._parts[self._at]):
            return strings
        quantity = self._parts[self._at]
        self._at += 1
        if len(part) > 1 and part.isalpha():  # it counts for the last letter only
            last = _repeated(_single(part[-1]), quantity)
            return frozenset(part[:-1].lower() + end for end in last)
        return _repeated(strings, quantity)

    def _group(self, opening: str) -> Strings:
        if opening[-1] == ")":
            return frozenset(opening[3:-1].lower().split("|"))
        if opening in _UNSEEN:
            self._skip()
            return frozenset([""])
        self._depth += 1
        strings = self._sequence(frozenset([""]))
        while self._parts[self._at] == "|":
            self._at += 1
            strings |= self._sequence(frozenset([""]))
        self._depth -= 1
        self._at += 1
        if opening == "(?=":
            begins = all(s.startswith(_BORDER) for s in strings)
            return frozenset([_BORDER if begins else ""])
        return strings

    def _skip(self) -> None:
        depth = 1
        while depth:
            part = self._parts[self._at]
            depth += (part[0] == "(" and part[-1] != ")") - (part == ")")
            self._at += 1

    def _note(self, strings: Strings) -> None:
        if self._depth:
            return
        whole = frozenset(frozenset(_WHOLE.findall(string + _ANY)) for string in strings)
        if all(whole):
            self._found.append(whole)


def _telling(stretch: Stretch) -> frozenset[str]:
    """One word of each set: the one that tells most of a sentence."""
    often = Counter(word for words in stretch for word in words)
    return frozenset(max(words, key=lambda w: (w not in _COMMON, often[w], w)) for words in stretch)


def _rank(words: Set[str]) -> tuple[int, int]:
    """The least common words first, then the fewest."""
    return len(words & _COMMON), len(words)


def _single(part: str) -> Strings:
    """What a part that is no group may be."""
    if part[0].isalpha():
        return frozenset([part.lower() if part.isascii() else _BORDER])
    if part[0] == "[":
        if _FEW.fullmatch(part):
            return frozenset(part[1:-1].lower())
        signs = part[1] != "^" and not re.search(r"[a-zA-Z]|\\", _SIGNS.sub("", part))
        return frozenset([_BORDER if signs else _ANY])
    is_any = part in {".", r"\w", r"\S", r"\D", r"\B"} or (part[0] == "\\" and part[1].isdigit())
    return frozenset([_ANY if is_any else _BORDER])


def _repeated(strings: Strings, quantity: str) -> Strings:
    """What several of them may be."""
    never = quantity[0] in "?*" or quantity.startswith(("{0", "{,"))
    none = frozenset([""] if never else [])
    if quantity[0] == "?" or strings <= {_BORDER}:
        return strings | none
    return _collapsed(strings) | none


def _collapsed(strings: Strings) -> Strings:
    """Only with what they begin and end."""
    return frozenset(_begin(s) + _ANY + _end(s) for s in strings)


def _shortened(string: str) -> str:
    """The last word, which may go on, and what the string begins with."""
    last = _LAST.search(string)
    tail = last.group() if last else ""
    return tail if len(tail) == len(string) else _begin(string) + tail


def _begin(string: str) -> str:
    return _BORDER if string.startswith(_BORDER) else _ANY


def _end(string: str) -> str:
    return _BORDER if string.endswith(_BORDER) else _ANY
