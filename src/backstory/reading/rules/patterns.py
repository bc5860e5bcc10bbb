"""Regular expressions that are tried only where they can match, and compiled when first tried."""

import re
from collections.abc import Iterable, Iterator, Set
from functools import cached_property, lru_cache
from typing import Any, Final, Generic, TypeVar

from backstory.reading.rules.needs import Choice, needed, words_in

_T = TypeVar("_T")


class Pattern:
    """A regular expression, its case left aside.

    Attributes:
        needs: What each text that it matches in has; None = nothing is known of it.
    """

    def __init__(self, text: str, *, leads: tuple[str, ...] = (), dotall: bool = False) -> None:
        """Keep the text; nothing is compiled yet.

        Args:
            text: The expression.
            leads: Long parts of it without a word that is needed; words end before and behind them.
            dotall: A dot stands for the end of a line too.
        """
        self._text = text
        self._leads = leads
        self._flags = re.IGNORECASE | (re.DOTALL if dotall else 0)

    @cached_property
    def needs(self) -> tuple[Choice, ...] | None:
        """See the class."""
        text = self._text
        for lead in self._leads:
            text = text.replace(lead, r"\b")
        return needed(text)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self._text, self._flags)

    @property
    def patterns(self) -> frozenset["Pattern"]:
        """Itself alone."""
        return frozenset([self])

    def can_match(self, text: str) -> bool:
        """Whether it may match in a text; False is sure."""
        return self in _GATE.near(self, text) and self.fits(words_in(text))

    def fits(self, words: Set[str]) -> bool:
        """Whether it may match in a text of these words; False is sure."""
        return self.needs is None or any(choice.may_be_in(words) for choice in self.needs)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match anywhere in a text."""
        return self.compiled.search(text) if self.can_match(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning of a text."""
        return self.compiled.match(text) if self.can_match(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match with all of a text."""
        return self.compiled.fullmatch(text) if self.can_match(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches in a text."""
        return self.compiled.finditer(text) if self.can_match(text) else iter(())

    def sub(self, to: str, text: str, count: int = 0) -> str:
        """The text with what matches replaced."""
        return self.compiled.sub(to, text, count) if self.can_match(text) else text


class Rows(Generic[_T]):
    """Patterns, each with what it stands for; in their order.

    Attributes:
        patterns: The patterns alone.
    """

    def __init__(self, rows: Iterable[tuple[Pattern, _T]]) -> None:
        """Keep the rows; what their patterns need is looked up at the first text."""
        self._rows = tuple(rows)
        self.patterns = frozenset(pattern for pattern, _ in self._rows)

    def __iter__(self) -> Iterator[tuple[Pattern, _T]]:
        return iter(self._rows)

    def near(self, text: str) -> list[tuple[re.Pattern[str], _T]]:
        """The rows that may match in a text."""
        near = _GATE.near(self, text)
        if near.isdisjoint(self.patterns):
            return []
        words = words_in(text)
        rows = (row for row in self._rows if row[0] in near)
        return [(pattern.compiled, what) for pattern, what in rows if pattern.fits(words)]

    def search(self, text: str) -> Iterator[tuple[re.Match[str], _T]]:
        """The first match of each row in a text, row by row."""
        for pattern, what in self.near(text):
            found = pattern.search(text)
            if found:
                yield found, what

    def finditer(self, text: str) -> Iterator[tuple[re.Match[str], _T]]:
        """All matches of all rows in a text, row by row."""
        return (
            (match, what) for pattern, what in self.near(text) for match in pattern.finditer(text)
        )


class _Index:
    """Patterns by the words that they need. It is not changed once it is in use.

    Attributes:
        askers: Those whose patterns are looked at.
    """

    def __init__(self) -> None:
        """Make it without any."""
        self.askers: frozenset[object] = frozenset()
        self._patterns: frozenset[Pattern] = frozenset()
        self._always: frozenset[Pattern] = frozenset()
        self._by_word: dict[str, frozenset[Pattern]] = {}
        self.near = lru_cache(maxsize=_TEXTS)(self._near)

    def with_patterns(self, asker: object, patterns: frozenset[Pattern]) -> "_Index":
        """The same with an asker and its patterns."""
        made = _Index()
        made.askers = self.askers | {asker}
        made._patterns = self._patterns | patterns
        new = patterns - self._patterns
        made._always = self._always | {pattern for pattern in new if pattern.needs is None}
        made._by_word = dict(self._by_word)
        for pattern in new:
            for word in frozenset[str]().union(*(choice.words for choice in pattern.needs or ())):
                made._by_word[word] = made._by_word.get(word, frozenset()) | {pattern}
        return made

    def _near(self, text: str) -> frozenset[Pattern]:
        by_word = self._by_word
        return self._always.union(*[by_word[word] for word in words_in(text) if word in by_word])


class _Gate:
    """Says which patterns have a word in a text: one look at its words for all of them together.

    Patterns are entered when they are asked for first, since many never are.
    """

    def __init__(self) -> None:
        self._index = _Index()

    def near(self, asker: "Pattern | Rows[Any]", text: str) -> frozenset[Pattern]:
        """The entered patterns that have a word in a text; those of the asker are entered."""
        index = self._index
        if asker not in index.askers:
            # what another thread enters meanwhile may be lost; it is entered again when asked for
            index = self._index = index.with_patterns(asker, asker.patterns)
        return index.near(text)


_TEXTS: Final = 64
"""Texts. So many parts of messages are at hand at once."""
_GATE: Final = _Gate()
